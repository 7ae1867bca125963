import { describeDuration } from '../../../src/refresh/words.ts'
import type { Table } from '../../report/types.ts'
import type { TraceComparison } from '../types.ts'
import { findRow, formatPercent, gainText, minutes } from './figures.ts'
import { policyName } from './policy-names.ts'
import { gainTable } from './tables.ts'

/** What was measured for our strategy alone. Tables without rows are left out. */
export function oursTables(trace: TraceComparison): Table[] {
  return [
    partsTable(trace),
    datesTable(trace),
    newcomersTable(trace),
    followedTable(trace),
    breathingTable(trace),
  ].filter(({ rows }) => rows.length > 0)
}

function partsTable({ parts = [], sources }: TraceComparison): Table {
  const sampleSizes = parts.map(({ drawnSources }) => drawnSources ?? sources).join(', ')
  const title = `What each part brings: mean delay of foresight below itself without that part, % (95 % interval; ${sampleSizes} sources)`
  return gainTable(parts, title, 'part')
}

function datesTable({ dates = [] }: TraceComparison): Table {
  const [first] = dates
  const overs = (first?.gains ?? []).map(({ over }) => over)
  return {
    title: `How much is the rounding of dates: foresight at ${first?.perDay ?? 0} a day, ${first?.sources ?? 0} sources`,
    columns: ['dates', 'mean delay, min', ...overs.map((over) => `gain over ${overName(over)}, %`)],
    rows: dates.map((row) => [
      row.words,
      minutes(row.policies.find(({ policy }) => policy === row.gains[0]?.policy)?.meanDelayMinutes ?? Number.NaN),
      ...overs.map((over) => gainText(row.gains.find((gain) => gain.over === over))),
    ]),
  }
}

function overName(over: string): string {
  const name = policyName(over)
  return name.startsWith('without') ? `itself ${name}` : name
}

function newcomersTable({ budgets }: TraceComparison): Table {
  const found = budgets.filter(({ newcomers }) => newcomers !== undefined)
  const [first] = found
  const days = first?.newcomers?.delayRatioByDay ?? []
  return {
    title: `${first?.newcomers?.sources ?? 0} sources without history: delay as a multiple of what they have once known`,
    columns: ['requests', ...days.map((_, day) => `day ${day + 1}`), 'from day 4 on'],
    rows: found.map(({ perDay, newcomers }) => [
      `${perDay} a day`,
      ...newcomers!.delayRatioByDay.map((ratio) => ratio.toFixed(2)),
      newcomers!.settledRatio.toFixed(2),
    ]),
  }
}

/** Nothing in hindsight: what the claims rest on is a price that spent the budget over all of the measured time. */
function followedTable({ budgets }: TraceComparison): Table {
  return {
    title: 'Under a price that follows the budget day by day, from what was spent before',
    columns: ['requests', 'policy', 'beyond the budget, %', 'mean delay, min', 'lost, %', 'at one price, min'],
    rows: budgets.flatMap((budget) =>
      (budget.followed ?? []).map((row) => [
        `${budget.perDay} a day`,
        policyName(row.policy),
        (100 * row.drift).toFixed(1),
        minutes(row.meanDelayMinutes),
        formatPercent(row.lostShare),
        minutes(findRow(budget, row.policy)?.meanDelayMinutes ?? Number.NaN),
      ]),
    ),
  }
}

/** The live scheduler meets the budget by itself; beside it the price that was found for the whole trace. */
function breathingTable({ budgets, sources, measuredDays }: TraceComparison): Table {
  return {
    title: 'foresight under the live scheduler, by what it may save up of the budget (burst)',
    columns: ['requests', 'burst', 'spent, % of the budget', 'mean delay, min', 'lost, %', 'at one price, min'],
    rows: budgets.flatMap((budget) =>
      (budget.breathing ?? []).map((row) => [
        `${budget.perDay} a day`,
        describeDuration(row.burstMs),
        ((100 * row.requests) / (budget.perDay * sources * measuredDays)).toFixed(1),
        minutes(row.meanDelayMinutes),
        formatPercent(row.lostShare),
        minutes(findRow(budget, row.policy)?.meanDelayMinutes ?? Number.NaN),
      ]),
    ),
  }
}
