import type { Table } from '../../report/types.ts'
import { NAMED_IDS } from '../policies.ts'
import type { BudgetRows, PolicyRow, TraceComparison } from '../types.ts'
import { budgetColumns, findRow, formatPercent, formatSigned, gainText, minutes, policiesOf } from './figures.ts'
import { orderPolicies, policyName } from './policy-names.ts'

/** Against the peers and papers that every comparison names; by class of source. Tables without rows are left out. */
export function namedTables({ budgets }: TraceComparison): Table[] {
  return nonEmptyTables([...policyTables(budgets, (id) => NAMED_IDS.includes(id)), ...classTables(budgets)])
}

/** Peers with their own limits, each at its own number of requests, and ours at as many. */
export function shippedTable({ shipped = [] }: TraceComparison): Table[] {
  const rows = shipped.map(({ peer, perDay, theirs, ours, gain }) => [
    policyName(peer),
    perDay.toPrecision(3),
    minutes(theirs.meanDelayMinutes),
    formatPercent(theirs.lostShare),
    minutes(ours.meanDelayMinutes),
    formatPercent(ours.lostShare),
    gainText(gain),
  ])
  return nonEmptyTables([
    {
      title: 'Peers as their authors ship them, and foresight with as many requests; delays in minutes',
      columns: ['peer', 'requests a day', 'mean delay', 'lost %', 'foresight', 'lost %', 'below by, % (95 % interval)'],
      rows,
    },
  ])
}

export function otherTables({ budgets }: TraceComparison): Table[] {
  return nonEmptyTables(policyTables(budgets, (id) => !NAMED_IDS.includes(id)))
}

function nonEmptyTables(tables: readonly Table[]): Table[] {
  return tables.filter(({ rows }) => rows.length > 0)
}

type Belongs = (id: string) => boolean

function policyTables(budgets: readonly BudgetRows[], belongs: Belongs): Table[] {
  return [
    ...(budgets.length > 1 ? [delayTable(budgets, belongs), lossTable(budgets, belongs)] : []),
    gainTable(
      budgets,
      'Mean delay of foresight below that of each policy, % (95 % interval over sources)',
      'policy',
      belongs,
    ),
    driftTable(budgets, belongs),
  ]
}

function delayTable(budgets: readonly BudgetRows[], belongs: Belongs): Table {
  return policyTable('Mean delay, minutes', budgets, belongs, (row) => minutes(row.meanDelayMinutes))
}

function lossTable(budgets: readonly BudgetRows[], belongs: Belongs): Table {
  return policyTable('Items lost, %', budgets, belongs, (row) => formatPercent(row.lostShare))
}

function policyTable(
  title: string,
  budgets: readonly BudgetRows[],
  belongs: Belongs,
  cell: (row: PolicyRow) => string,
): Table {
  return {
    title,
    columns: ['policy', ...budgetColumns(budgets)],
    rows: orderPolicies(policiesOf(budgets).filter(belongs)).map((id) => [
      policyName(id),
      ...budgets.map((budget) => {
        const row = findRow(budget, id)
        return row === undefined ? '–' : `${cell(row)}${row.note === undefined ? '' : ' *'}`
      }),
    ]),
  }
}

export function gainTable(
  budgets: readonly BudgetRows[],
  title: string,
  first: string,
  belongs: Belongs = () => true,
): Table {
  const overs = orderPolicies(budgets.flatMap(({ gains }) => (gains ?? []).map(({ over }) => over)).filter(belongs))
  return {
    title,
    columns: [first, ...budgetColumns(budgets)],
    rows: overs.map((over) => [
      policyName(over),
      ...budgets.map(({ gains }) => gainText(gains?.find((gain) => gain.over === over))),
    ]),
  }
}

/** Sources are drawn again for some budgets, so a class may have more of them in one than in another: the most is shown. */
function classTables(budgets: readonly BudgetRows[]): Table[] {
  const all = budgets.flatMap(({ classes }) => classes ?? [])
  return ['activity', 'shape'].map((by) => {
    const names = [...new Set(all.filter((each) => each.by === by).map((each) => each.class))]
    return {
      title: `Gain over ${policyName(all[0]?.over ?? '')} by ${by} of the source, % (95 % interval)`,
      columns: [by, 'sources', ...budgetColumns(budgets)],
      rows: names.map((name) => {
        const own = budgets.map(({ classes }) => classes?.find((each) => each.by === by && each.class === name))
        const sources = own.reduce((most, each) => Math.max(most, each?.sources ?? 0), 0)
        return [name, sources, ...own.map(gainText)]
      }),
    }
  })
}

/** Prices of the learning days, unchanged: requests drift as sources change, and delay with them. */
function driftTable(budgets: readonly BudgetRows[], belongs: Belongs): Table {
  const names = orderPolicies(
    budgets
      .flatMap(({ policies }) => policies.filter(({ learntPrice }) => learntPrice).map(({ policy }) => policy))
      .filter(belongs),
  )
  return {
    title:
      'Without hindsight, at the price that met the budget in the learning days: drift from the budget, mean delay',
    columns: ['policy', ...budgetColumns(budgets)],
    rows: names.map((id) => [
      policyName(id),
      ...budgets.map((budget) => {
        const found = findRow(budget, id)?.learntPrice
        return found === undefined
          ? '–'
          : `${formatSigned(100 * found.drift)} %, ${minutes(found.meanDelayMinutes)} min`
      }),
    ]),
  }
}
