import { LIMIT, OURS } from './policies.ts'
import { traceName } from './setting.ts'
import type { BudgetRows, CompareClaim, FollowedRow, GainRow, PolicyRow, ShippedRow, TraceComparison } from './types.ts'

/** Claims are about the traces' own convention (traces/README). */
const WINDOW = 20
/** Our strategy was chosen on another year of the same collector, never on this one. */
const JUDGED_ON = 'rss-2024'
/** And it was taken as it is to these. */
const UNTOUCHED_ON = ['reddit-2013', 'github-commits-2025']
/** Each of them, and the slow sources of each. */
const NOBODY_AHEAD_ON = new RegExp(`^(?:${[JUDGED_ON, ...UNTOUCHED_ON].join('|')})(?:, slow)?$`)
const MOST_BEHIND = 0.02
const MOST_TIMES_STEADY = 1.2

interface DelayWish {
  readonly over: string
  readonly name: string
  readonly perDay: number
  readonly atLeast: number
}

const DELAY_WISHES: readonly DelayWish[] = [
  { over: 'scc07-combined', name: 'SCC07 combined', perDay: 3, atLeast: 0.05 },
  { over: 'scc07-combined', name: 'SCC07 combined', perDay: 24, atLeast: 0.15 },
  { over: 'scc07-combined', name: 'SCC07 combined', perDay: 96, atLeast: 0.2 },
  { over: 'miniflux', name: "Miniflux's entry_frequency", perDay: 4, atLeast: 0.35 },
  { over: 'miniflux', name: "Miniflux's entry_frequency", perDay: 24, atLeast: 0.45 },
]

/** What is claimed of our strategy, each judged by these figures alone. Empty where no such trace was compared. */
export function comparisonClaims(comparisons: readonly TraceComparison[]): CompareClaim[] {
  const named = (name: string) =>
    comparisons.find(({ trace, window }) => window === WINDOW && traceName(trace) === name)
  const judged = named(JUDGED_ON)
  const nobodyAhead = comparisons.flatMap((each) => {
    const name = traceName(each.trace)
    return each.window === WINDOW && NOBODY_AHEAD_ON.test(name) ? [nobodyAheadClaim(name, each)] : []
  })
  const untouched = UNTOUCHED_ON.flatMap((name) => {
    const found = named(name)
    return found === undefined ? [] : [notBehind(name, found)]
  })
  if (judged === undefined) return [...untouched, ...nobodyAhead]
  return [
    ...DELAY_WISHES.map((wish) => delayClaim(wish, judged)),
    lossClaim(judged),
    ...untouched,
    ...nobodyAhead,
    newcomersClaim(judged),
  ]
}

/** Holds where the mean is low enough and the interval excludes zero. */
function delayClaim(
  { over, name, perDay, atLeast }: DelayWish,
  { budgets, shipped = [] }: TraceComparison,
): CompareClaim {
  const text = `${JUDGED_ON}, ${perDay} a day: mean delay at least ${percent(atLeast)} below that of ${name}`
  const budget = budgets.find((each) => each.perDay === perDay)
  const gain = budget?.gains?.find((each) => each.over === over)
  if (budget === undefined || gain === undefined) return notMeasured(text)
  const own = shipped.find(({ peer }) => peer === over)
  const holds = [gain, ...(own === undefined ? [] : [own.gain])].every((each) => each.gain >= atLeast && each.low > 0)
  return {
    text,
    verdict: holds ? 'holds' : 'fails',
    figures: {
      'below by': withInterval(gain),
      ...delays(budget, over, name),
      ...sourcesOf(budget),
      ...shippedFigures(own),
    },
  }
}

/** Both forms of a peer have to be beaten by as much, so that the one that is kinder to it decides. */
function shippedFigures(own: ShippedRow | undefined): Record<string, string> {
  if (own === undefined) return {}
  const { perDay, theirs, ours, gain } = own
  const words = `${minutes(ours.meanDelayMinutes)} against ${minutes(theirs.meanDelayMinutes)}`
  return { 'as it is shipped': `${words} at its ${perDay.toPrecision(3)} a day: ${withInterval(gain)} below` }
}

function delays(budget: BudgetRows, over: string, name: string): Record<string, string> {
  const ours = rowOf(budget, OURS)
  const other = rowOf(budget, over)
  if (ours === undefined || other === undefined) return {}
  const learnt = (row: PolicyRow) =>
    row.learntPrice === undefined
      ? '–'
      : `${minutes(row.learntPrice.meanDelayMinutes)} at ${formatSigned(row.learntPrice.drift)} of the budget`
  return {
    [OURS]: minutes(ours.meanDelayMinutes),
    [name]: minutes(other.meanDelayMinutes),
    'at the prices of the learning days': `${learnt(ours)}; ${learnt(other)}`,
    ...followedFigures(budget, over),
  }
}

function followedFigures({ followed: rows = [] }: BudgetRows, over: string): Record<string, string> {
  const [ours, other] = [OURS, over].map((id) => rows.find(({ policy }) => policy === id))
  if (ours === undefined || other === undefined) return {}
  const words = (row: FollowedRow) => `${minutes(row.meanDelayMinutes)} at ${formatSigned(row.drift)}`
  const below = signedPercent(1 - ours.meanDelayMinutes / other.meanDelayMinutes)
  return { 'at prices that follow the budget': `${words(ours)}; ${words(other)}: ${below} below` }
}

function lossClaim({ budgets }: TraceComparison): CompareClaim {
  const text = `${JUDGED_ON}: loss never above that of 2Steps at the same budget`
  const found = budgets.flatMap((budget) => {
    const ours = rowOf(budget, OURS)
    const other = rowOf(budget, 'two-steps')
    return ours === undefined || other === undefined ? [] : [{ budget, ours, other }]
  })
  if (found.length === 0) return notMeasured(text)
  const figures = found.map(({ budget, ours, other }) => {
    const more = budget.gains?.find(({ over }) => over === 'two-steps')?.moreLost
    const between = more === undefined ? '' : ` (difference ${signedPoints(more.low)} to ${signedPoints(more.high)})`
    return [`${budget.perDay} a day`, `${points(ours.lostShare)} against ${points(other.lostShare)}${between}`]
  })
  const holds = found.every(({ ours, other }) => ours.lostShare <= other.lostShare)
  return { text, verdict: holds ? 'holds' : 'fails', figures: Object.fromEntries(figures) }
}

function notBehind(name: string, { budgets }: TraceComparison): CompareClaim {
  const text = `${name}: not behind any other causal policy by more than ${percent(MOST_BEHIND)} at any budget`
  const worst = budgets.flatMap((budget) => {
    const causal = (budget.gains ?? []).filter(({ over }) => over !== LIMIT)
    const least = causal.reduce<GainRow | null>((low, row) => (low === null || row.gain < low.gain ? row : low), null)
    return least === null ? [] : [{ budget, least }]
  })
  if (worst.length === 0) return notMeasured(text)
  const figures = worst.map(({ budget, least }) => [
    `${budget.perDay} a day`,
    `${withInterval(least)} below ${least.over}, the best of ${budget.gains!.length} others`,
  ])
  const open = worst.filter(({ least }) => least.low < -MOST_BEHIND).map(({ budget }) => budget.perDay)
  const certain = open.length === 0 ? {} : { 'by the interval it could be': `at ${open.join(', ')} a day` }
  return {
    text,
    verdict: worst.every(({ least }) => least.gain >= -MOST_BEHIND) ? 'holds' : 'fails',
    figures: { ...Object.fromEntries(figures), ...certain },
  }
}

/** Of which the interval excludes zero. */
function nobodyAheadClaim(name: string, { budgets }: TraceComparison): CompareClaim {
  const text = `${name}: behind no other causal policy at any budget, beyond the 95 % interval`
  const found = budgets.flatMap(({ perDay, gains = [] }) => {
    const causal = gains.filter(({ over }) => over !== LIMIT)
    return causal.length === 0
      ? []
      : [{ perDay, nearest: causal.reduce((low, row) => (row.high < low.high ? row : low)) }]
  })
  if (found.length === 0) return notMeasured(text)
  const figures = found.map(({ perDay, nearest }) => [
    `${perDay} a day`,
    `${withInterval(nearest)} below ${nearest.over}`,
  ])
  const holds = found.every(({ nearest }) => nearest.high >= 0)
  return { text, verdict: holds ? 'holds' : 'fails', figures: Object.fromEntries(figures) }
}

function newcomersClaim({ budgets }: TraceComparison): CompareClaim {
  const text = `${JUDGED_ON}: unknown sources are within ${MOST_TIMES_STEADY} × of their steady delay after three days`
  const found = budgets.filter(({ newcomers }) => newcomers !== undefined)
  if (found.length === 0) return notMeasured(text)
  const figures = found.map(({ perDay, newcomers }) => [
    `${perDay} a day`,
    `${newcomers!.settledRatio.toFixed(2)} × (${newcomers!.sources} sources, added ${newcomers!.starts} times)`,
  ])
  const holds = found.every(({ newcomers }) => newcomers!.settledRatio <= MOST_TIMES_STEADY)
  return { text, verdict: holds ? 'holds' : 'fails', figures: Object.fromEntries(figures) }
}

function notMeasured(text: string): CompareClaim {
  return { text, verdict: 'not measured', figures: {} }
}

function rowOf({ policies }: BudgetRows, id: string): PolicyRow | undefined {
  return policies.find(({ policy }) => policy === id)
}

function sourcesOf({ drawnSources }: BudgetRows): Record<string, string> {
  return drawnSources === undefined ? {} : { sources: `${drawnSources} drawn` }
}

function withInterval({ gain, low, high }: GainRow): string {
  return `${signedPercent(gain)} (${signedPercent(low)} to ${signedPercent(high)})`
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

function points(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

function signedPoints(share: number): string {
  return (100 * share).toFixed(2).replace('-', '−')
}

function signedPercent(share: number): string {
  return `${(100 * share).toFixed(1).replace('-', '−')} %`
}

function formatSigned(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
}

function minutes(value: number): string {
  return `${value.toFixed(1)} min`
}
