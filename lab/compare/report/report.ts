import { barsHtml } from '../../report/bars.ts'
import { EMPTY_HTML, type ReportHtml, reportHtml } from '../../report/html.ts'
import { reportPage } from '../../report/page.ts'
import { tableHtml } from '../../report/table.ts'
import type { Table } from '../../report/types.ts'
import { LIMIT, OURS } from '../policies.ts'
import { traceName } from '../setting.ts'
import type { BudgetRows, CompareResult, PolicyRow, RunFacts, TraceComparison } from '../types.ts'
import { claimsHtml } from './claims.ts'
import { curvesHtml } from './curves.ts'
import { oursTables } from './ours.ts'
import { policyName } from './policy-names.ts'
import { namedTables, otherTables, shippedTable } from './tables.ts'

/** The comparison as one page: claims, then each trace with curves to see it at a glance and tables to read it. */
export function comparePage(result: CompareResult): string {
  const title = 'Refresh policies at equal requests'
  const traces = byTrace(result.traces ?? [result])
  const body = reportHtml`<header><p class="quiet">Headwater lab</p><h1>${title}</h1>
<p>Delay runs from publication to the refresh that follows, over every item, lost or not; items lost from the window are counted apart. All policies learn from the first 14 days, and from then on from what they see; the rest is measured. Each spends the same number of requests; where one cannot, its own number is given with a note (*). The ${policyName(LIMIT)} knows all publication times in advance; it is the limit of delay alone, so others may lose less.</p>
${runHtml(result.run)}
${traces.length > 1 ? reportHtml`<ul class="contents">${traces.map(contentsLine)}</ul>` : EMPTY_HTML}</header>
<main>${claimsHtml(result.claims ?? [])}${traces.map(traceHtml)}</main>`
  return reportPage(title, body)
}

function byTrace(comparisons: readonly TraceComparison[]): TraceComparison[][] {
  const paths = [...new Set(comparisons.map(({ trace }) => trace))]
  return paths.map((path) => comparisons.filter(({ trace }) => trace === path))
}

function runHtml(run: RunFacts | undefined): ReportHtml {
  if (run === undefined) return EMPTY_HTML
  const { seed, perDay, windows, mostRequests, version, missing } = run
  const sampleNote =
    mostRequests === null
      ? ''
      : ` Where a run would take more than ${count(mostRequests)} requests, so many sources are drawn (with the seed) that it does not: of that half above 48 a day, an eighth at windows other than the main one and for dates, a sixteenth for parts.`
  const open = missing > 0 ? ` Not finished: ${count(missing)} figures are missing.` : ''
  return reportHtml`<p class="quiet">${perDay.join(', ')} requests per source and day, windows of ${windows.join(', ')} items, seed ${seed}, code ${version}.${sampleNote}${open}</p>`
}

function contentsLine(comparisons: readonly TraceComparison[]): ReportHtml {
  const [first] = comparisons
  const name = traceName(first!.trace)
  return reportHtml`<li><a href="#${name}">${name}</a><span class="quiet">${count(first!.sources)} sources, ${count(first!.items)} items</span></li>`
}

/** The main window in full, the others folded. */
function traceHtml(comparisons: readonly TraceComparison[]): ReportHtml {
  const main = comparisons.reduce((most, each) => (weightOf(each) > weightOf(most) ? each : most))
  const others = comparisons.filter((each) => each !== main)
  const name = traceName(main.trace)
  return reportHtml`<article id="${name}"><h2>${name}</h2><p class="quiet">${facts(main)}</p>
${comparisonHtml(main)}
${others.map((each) => foldable(`Window ${each.window}`, [comparisonHtml(each)]))}</article>`
}

function weightOf({ window, budgets }: TraceComparison): number {
  return budgets.reduce((sum, { policies }) => sum + policies.length, 0) + (window === 20 ? 0.5 : 0)
}

/** With few budgets each is drawn; with many, curves say more and the rest is folded. */
const MOST_OPEN = 2

function comparisonHtml(comparison: TraceComparison): ReportHtml {
  const { budgets } = comparison
  const each = budgets.map((budget) => budgetHtml(budget))
  return reportHtml`${curvesHtml(comparison)}
<p class="quiet">${drawnWords(comparison)}</p>
${namedTables(comparison).map((table) => tableHtml(table, true))}
${shippedTable(comparison).map((table) => tableHtml(table, true))}
${oursTables(comparison).map((table) => tableHtml(table, true))}
${foldable(
  'Other policies',
  otherTables(comparison).map((table) => tableHtml(table, true)),
)}
${budgets.length <= MOST_OPEN ? each : foldable('Each budget: quantiles, requests, distance from the limit', each)}`
}

function foldable(title: string, content: readonly ReportHtml[]): ReportHtml {
  if (content.length === 0) return EMPTY_HTML
  return reportHtml`<details class="more"><summary><h3>${title}</h3></summary>${content}</details>`
}

function drawnWords({ budgets, sources }: TraceComparison): string {
  return budgets
    .filter(({ drawnSources }) => drawnSources !== undefined)
    .map(({ perDay, drawnSources }) => `At ${perDay} a day: ${drawnSources} of ${sources} sources.`)
    .join(' ')
}

function budgetHtml(budget: BudgetRows): ReportHtml {
  const bars = byDelay(budget.policies).map((row) => ({
    name: policyName(row.policy),
    value: round(row.meanDelayMinutes, row.meanDelayMinutes < 10 ? 2 : 1),
    marked: row.policy === LIMIT || row.policy === OURS,
  }))
  return reportHtml`<div class="plots">${barsHtml(`Mean delay in minutes at ${budget.perDay} requests per source and day`, bars)}</div>
${tableHtml(budgetTable(budget), true)}<p class="quiet">${notes(budget)}</p>`
}

function facts({ sources, items, window, measuredDays }: TraceComparison): string {
  return `${count(sources)} sources, ${count(items)} items, window ${window}, ${round(measuredDays)} days measured`
}

function budgetTable({ perDay, policies }: BudgetRows): Table {
  const limit = policies.find(({ policy }) => policy === LIMIT)?.meanDelayMinutes
  return {
    title: `${perDay} requests per source and day; delays in minutes`,
    columns: ['policy', 'requests', 'mean', 'median', '95 %', 'max', 'lost %', '× limit'],
    rows: byDelay(policies).map((row) => [
      row.note === undefined ? policyName(row.policy) : `${policyName(row.policy)} *`,
      row.requests,
      round(row.meanDelayMinutes, row.meanDelayMinutes < 10 ? 2 : 1),
      round(row.medianDelayMinutes),
      round(row.p95DelayMinutes),
      round(row.maxDelayMinutes),
      round(100 * row.lostShare, 2),
      limit === undefined || limit === 0 ? '–' : round(row.meanDelayMinutes / limit, 2),
    ]),
  }
}

function notes({ policies }: BudgetRows): string {
  return policies
    .flatMap(({ policy, note }) => (note === undefined ? [] : [`* ${policyName(policy)}: ${note}`]))
    .join('; ')
}

function byDelay(policies: readonly PolicyRow[]): PolicyRow[] {
  return policies.toSorted((a, b) => a.meanDelayMinutes - b.meanDelayMinutes)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
