import type { BudgetRows, CompareResult, PolicyRow, TraceComparison } from '../compare/types.ts'
import type { Table } from '../experiments/experiment.ts'
import { barsHtml } from './bars.ts'
import { curvesHtml } from './compare-curves.ts'
import { gainsHtml } from './compare-gains.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { tableHtml } from './table.ts'

/** The limit that none can beat is drawn apart. */
const LIMIT = 'clairvoyant'

const tracesOf = (result: CompareResult): readonly TraceComparison[] => result.traces ?? [result]

/** The comparison as one page: bars to see it at a glance, tables to read it. */
export function comparePage(result: CompareResult): string {
  const title = 'Refresh policies at equal requests'
  const body = html`<header><p class="quiet">Headwater lab</p><h1>${title}</h1>
<p>Delay runs from publication to the refresh that follows, over every item, lost or not; items lost from the window are counted apart. The ${LIMIT} limit knows all publication times in advance.</p></header>
<main>${tracesOf(result).map(traceHtml)}</main>`
  return page(title, body)
}

function traceHtml(trace: TraceComparison): Html {
  const charts = trace.budgets.map(({ perDay, policies }) =>
    barsHtml(
      `Mean delay in minutes at ${perDay} requests per source and day`,
      byDelay(policies).map((row) => ({
        name: row.policy,
        value: rounded(row.meanDelayMinutes),
        marked: row.policy === LIMIT,
      })),
    ),
  )
  return html`<article><h2>${trace.trace}</h2><p class="quiet">${facts(trace)}</p>
${curvesHtml(trace)}
${gainsHtml(trace)}
<div class="plots">${charts}</div>
${trace.budgets.map((budget) => html`${tableHtml(budgetTable(budget), true)}<p class="quiet">${notes(budget)}</p>`)}</article>`
}

function facts({ sources, items, window, measuredDays }: TraceComparison): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return `${count(sources)} sources, ${count(items)} items, window ${window}, ${rounded(measuredDays)} days measured`
}

function budgetTable({ perDay, policies }: BudgetRows): Table {
  const limit = policies.find(({ policy }) => policy === LIMIT)?.meanDelayMinutes
  return {
    title: `${perDay} requests per source and day; delays in minutes`,
    columns: ['policy', 'requests', 'mean', 'median', '95 %', 'max', 'lost %', '× limit'],
    rows: byDelay(policies).map((row) => [
      row.note === undefined ? row.policy : `${row.policy} *`,
      row.requests,
      rounded(row.meanDelayMinutes),
      rounded(row.medianDelayMinutes),
      rounded(row.p95DelayMinutes),
      rounded(row.maxDelayMinutes),
      rounded(100 * row.lostShare, 2),
      limit === undefined || limit === 0 ? '–' : rounded(row.meanDelayMinutes / limit, 2),
    ]),
  }
}

function notes({ policies }: BudgetRows): string {
  return policies.flatMap(({ policy, note }) => (note === undefined ? [] : [`* ${policy}: ${note}`])).join('; ')
}

function byDelay(policies: readonly PolicyRow[]): PolicyRow[] {
  return policies.toSorted((a, b) => a.meanDelayMinutes - b.meanDelayMinutes)
}

function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
