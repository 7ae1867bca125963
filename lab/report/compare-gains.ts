import { leftOut } from '../compare/ablations.ts'
import type { GainRow, TraceComparison } from '../compare/types.ts'
import type { Table } from '../experiments/experiment.ts'
import { type Html, html, NOTHING } from './html.ts'
import { tableHtml } from './table.ts'

/** Gains over the others, by class of source, what each part brings, and prices without hindsight, where measured. */
export function gainsHtml(trace: TraceComparison): Html {
  const tables = [gainTable(trace), ablationTable(trace), ...classTables(trace), driftTable(trace)]
  const shown = tables.filter((table) => table.rows.length > 0)
  return shown.length === 0 ? NOTHING : html`${shown.map((table) => tableHtml(table, true))}`
}

const budgetColumns = (trace: TraceComparison) => trace.budgets.map(({ perDay }) => `${perDay} a day`)

function gainTable(trace: TraceComparison): Table {
  return overTable(
    trace,
    'Mean delay of foresight below that of each policy, % (95 % interval over sources)',
    'policy',
    (over) => leftOut(over) === undefined,
    (over) => over,
  )
}

function ablationTable(trace: TraceComparison): Table {
  return overTable(
    trace,
    'What each part brings: mean delay of foresight below itself without that part, %',
    'without',
    (over) => leftOut(over) !== undefined,
    (over) => leftOut(over)!,
  )
}

function overTable(
  trace: TraceComparison,
  title: string,
  first: string,
  belongs: (over: string) => boolean,
  nameOf: (over: string) => string,
): Table {
  const names = (trace.budgets[0]?.gains ?? []).map(({ over }) => over).filter(belongs)
  const rows = names.map((over) => [
    nameOf(over),
    ...trace.budgets.map(({ gains }) => inPercent(gains?.find((gain) => gain.over === over))),
  ])
  return { title, columns: [first, ...budgetColumns(trace)], rows }
}

function classTables(trace: TraceComparison): Table[] {
  const classes = trace.budgets[0]?.classes ?? []
  return ['activity', 'shape'].map((by) => ({
    title: `Gain over ${classes[0]?.over ?? 'the strongest'} by ${by} of the source, %`,
    columns: [by, 'sources', ...budgetColumns(trace)],
    rows: classes
      .filter((each) => each.by === by)
      .map((each) => [
        each.class,
        each.sources,
        ...trace.budgets.map(({ classes: all }) =>
          inPercent(all?.find((other) => other.by === by && other.class === each.class)),
        ),
      ]),
  }))
}

/** Prices of the learning days, kept: requests drift as sources change, and delay with them. */
function driftTable(trace: TraceComparison): Table {
  const names = (trace.budgets[0]?.policies ?? []).filter(({ learntPrice }) => learntPrice).map(({ policy }) => policy)
  return {
    title: 'At the price that met the budget in the learning days: drift of requests %, mean delay in minutes',
    columns: ['policy', ...budgetColumns(trace)],
    rows: names.map((name) => [
      name,
      ...trace.budgets.map(({ policies }) => {
        const found = policies.find(({ policy }) => policy === name)?.learntPrice
        return found === undefined ? '–' : `${signed(100 * found.drift)} %, ${found.meanDelayMinutes.toFixed(1)}`
      }),
    ]),
  }
}

function inPercent(gain: GainRow | undefined): string {
  if (gain === undefined) return '–'
  return `${signed(100 * gain.gain)} (${signed(100 * gain.low)} to ${signed(100 * gain.high)})`
}

function signed(value: number): string {
  return value.toFixed(1).replace('-', '−')
}
