import { leftOut } from '../compare/ablations.ts'
import type { TraceComparison } from '../compare/types.ts'
import type { Series } from '../experiments/experiment.ts'
import { chart } from './chart.ts'
import { type Html, html, NOTHING } from './html.ts'

/** More curves than this cannot be told apart; these come first, the others by name are in the tables. */
const DRAWN = [
  'clairvoyant',
  'foresight',
  'scc07-combined',
  'two-steps',
  'only-tau',
  'lambdacrawl',
  'miniflux',
  'freshrss',
  'newsblur',
  'nutch',
  'uniform',
]

/** Delay and loss against the budget, from the clairvoyant limit to uniform. */
export function curvesHtml(trace: TraceComparison): Html {
  if (trace.budgets.length < 2) return NOTHING
  const delay = seriesOf(trace, 'Mean delay against budget', 'minutes', (row) => row.meanDelayMinutes)
  const loss = seriesOf(trace, 'Items lost against budget', '% lost', (row) => 100 * row.lostShare)
  return html`<div class="plots">${chart('Mean delay against budget', delay)}${chart('Items lost against budget', loss)}</div>`
}

type Row = TraceComparison['budgets'][number]['policies'][number]

function seriesOf(trace: TraceComparison, figure: string, yLabel: string, value: (row: Row) => number): Series[] {
  const names = trace.budgets[0]!.policies.map(({ policy }) => policy)
  const ordered = [...DRAWN.filter((name) => names.includes(name)), ...names.filter((name) => !DRAWN.includes(name))]
  return ordered
    .filter((name) => leftOut(name) === undefined)
    .slice(0, DRAWN.length)
    .map((name) => ({
      figure,
      name,
      xLabel: 'requests per source and day',
      yLabel,
      log: 'xy',
      x: trace.budgets.map(({ perDay }) => perDay),
      // A limit of nothing at all has no place on a logarithmic axis.
      y: trace.budgets.map(({ policies }) => value(policies.find(({ policy }) => policy === name)!) || Number.NaN),
    }))
}
