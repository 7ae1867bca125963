import { chart } from '../../report/chart.ts'
import { EMPTY_HTML, type ReportHtml, reportHtml } from '../../report/html.ts'
import type { Series } from '../../report/types.ts'
import type { PolicyRow, TraceComparison } from '../types.ts'
import { findRow, policiesOf } from './figures.ts'
import { policyName } from './policy-names.ts'

/** More curves than this cannot be distinguished; the others are in the tables. */
const DRAWN = [
  'foresight',
  'scc07-combined',
  'two-steps',
  'lambdacrawl',
  'miniflux',
  'newsblur',
  'commafeed',
  'uniform',
  'clairvoyant',
]

interface Figure {
  readonly title: string
  readonly yLabel: string
  readonly log: Series['log'] & string
  /** In `perDay`, beside what uniform has there. */
  readonly value: (row: PolicyRow, uniform: PolicyRow | undefined) => number
}

const FIGURES: readonly Figure[] = [
  {
    title: 'Mean delay against budget',
    yLabel: 'mean delay, minutes',
    log: 'xy',
    // A limit of nothing at all has no place on a logarithmic axis.
    value: (row) => row.meanDelayMinutes || Number.NaN,
  },
  {
    title: 'Mean delay relative to uniform',
    yLabel: '% of the delay of uniform',
    log: 'x',
    value: (row, uniform) =>
      uniform === undefined ? Number.NaN : (100 * row.meanDelayMinutes) / uniform.meanDelayMinutes,
  },
  {
    title: 'Items lost against budget',
    yLabel: '% of the items lost',
    log: 'xy',
    value: (row) => 100 * row.lostShare || Number.NaN,
  },
]

/** Delay and loss against the budget, from the clairvoyant limit to uniform. */
export function curvesHtml(trace: TraceComparison): ReportHtml {
  if (trace.budgets.length < 2) return EMPTY_HTML
  const charts = FIGURES.map((figure) => ({
    title: figure.title,
    series: [...seriesOf(trace, figure), ...shippedPoints(trace, figure)],
  }))
    .filter(({ series }) => series.some(({ y }) => y.some(Number.isFinite)))
    .map(({ title, series }) => chart(title, series))
  return reportHtml`<div class="plots">${charts}</div>`
}

/** A peer as it is shipped is one point: it has one number of requests. */
function shippedPoints({ shipped = [] }: TraceComparison, { title, yLabel, log, value }: Figure): Series[] {
  const axes = { figure: title, xLabel: 'requests per source and day', yLabel, log }
  return shipped
    .filter(({ peer }) => DRAWN.includes(peer))
    .map(({ peer, perDay, theirs }) => ({
      ...axes,
      name: `${policyName(peer)}, as shipped`,
      style: 'points' as const,
      x: [perDay],
      y: [value(theirs, undefined)],
    }))
    .filter(({ y }) => y.every(Number.isFinite))
}

function seriesOf({ budgets }: TraceComparison, { title, yLabel, log, value }: Figure): Series[] {
  const measured = new Set(policiesOf(budgets))
  const ids = DRAWN.filter((id) => measured.has(id))
  const names = ids.length >= 2 ? ids : [...measured].slice(0, DRAWN.length)
  return names.map((id) => ({
    figure: title,
    name: policyName(id),
    xLabel: 'requests per source and day',
    yLabel,
    log,
    x: budgets.map(({ perDay }) => perDay),
    y: budgets.map((budget) => {
      const row = findRow(budget, id)
      return row === undefined ? Number.NaN : value(row, findRow(budget, 'uniform'))
    }),
  }))
}
