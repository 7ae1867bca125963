import { DAY_MS, HOUR_MS, type InstantMs, type Observation } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { eachSlot, type Intensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { type ObservedInterval, observedInterval, saneRate } from './interval.ts'

export interface HistoryState {
  readonly v: 1
  readonly priorPerHour: number
  /** Hours since the epoch of the first count. */
  readonly firstHour: number
  /** Items per hour, up to k days; thousandths where dates are missing. */
  readonly counts: readonly number[]
  /** Where watching began, if within the window, and how far it has come. */
  readonly since: InstantMs | null
  readonly until: InstantMs | null
}

export interface HistoryOptions {
  readonly id?: string
  /** SCC07 4.2 and 4.3 found nothing gained beyond 14. */
  readonly days?: number
}

// Half a day of prior: small beside 14 days, enough to keep a source of which nothing is known from 0 or Infinity.
const PRIOR_HOURS = 12
// SCC07 4.3 takes the bare counts; one item more, spread over the day, keeps hours without any from being impossible.
const SPREAD_ITEMS = 1

/**
 * History over k days: the posting rate is the count over the window (SCC07 4.2), the posting pattern the counts of its
 * days laid over each other hour by hour (4.3). Together they give λ(t).
 */
export function history(options: HistoryOptions = {}): IntensityEstimator<HistoryState> {
  return intensityEstimator<HistoryState>({
    ...historyLearning(options),
    id: options.id ?? 'history',
    intensity: (state) => patterned(historyRate(state), hourlyPattern(state)),
  })
}

function historyLearning(options: HistoryOptions) {
  const mostHours = (options.days ?? 14) * 24
  return {
    start: (prior: { readonly ratePerHour: number }): HistoryState => ({
      v: 1,
      priorPerHour: saneRate(prior.ratePerHour),
      firstHour: 0,
      counts: [],
      since: null,
      until: null,
    }),
    observe(state: HistoryState, observation: Observation): HistoryState {
      const interval = observedInterval(observation)
      return interval === null ? state : record(state, interval, mostHours)
    },
  }
}

/** λ(t) of a mean rate and the share of a day's items in each hour. */
function patterned(ratePerHour: number, shares: readonly number[]): Intensity {
  return { periodMs: DAY_MS, ratesPerHour: shares.map((share) => ratePerHour * share * shares.length) }
}

function historyRate(state: HistoryState): number {
  let items = 0
  for (const count of state.counts) items += count
  const watched = watchedHoursOf(state)
  return saneRate((items + state.priorPerHour * PRIOR_HOURS) / (watched + PRIOR_HOURS))
}

/** Share of the items in each hour of the day (UTC); sums to 1. */
export function hourlyPattern(state: HistoryState): number[] {
  const shares = new Array<number>(24).fill(SPREAD_ITEMS / 24)
  let total = SPREAD_ITEMS
  state.counts.forEach((count, index) => {
    const hour = (((state.firstHour + index) % 24) + 24) % 24
    shares[hour] = shares[hour]! + count
    total += count
  })
  return shares.map((share) => share / total)
}

function watchedHoursOf(state: HistoryState): number {
  if (state.since === null || state.until === null) return 0
  return Math.max(0, state.until - Math.max(state.since, state.firstHour * HOUR_MS)) / HOUR_MS
}

function record(state: HistoryState, interval: ObservedInterval, mostHours: number): HistoryState {
  const lastHour = Math.floor(interval.to / HOUR_MS)
  const oldest = lastHour - mostHours + 1
  // A clock set back: what lies in the future then is forgotten, rather than counted a second time.
  const fits = state.counts.length > 0 && state.firstHour + state.counts.length - 1 <= lastHour
  const firstHour = Math.max(oldest, fits ? state.firstHour : Math.floor(interval.from / HOUR_MS))
  const counts = new Array<number>(lastHour - firstHour + 1).fill(0)
  if (fits) {
    state.counts.forEach((count, index) => {
      const slot = state.firstHour + index - firstHour
      if (slot >= 0) counts[slot] = count
    })
  }
  addItems(counts, firstHour, interval)
  const since = fits && state.since !== null ? Math.min(state.since, interval.from) : interval.from
  return { ...state, firstHour, counts, since, until: interval.to }
}

function addItems(counts: number[], firstHour: number, interval: ObservedInterval): void {
  const add = (hour: number, items: number) => {
    const slot = hour - firstHour
    if (slot >= 0 && slot < counts.length) counts[slot] = Math.round((counts[slot]! + items) * 1000) / 1000
  }
  const undated = interval.items - interval.times.length
  for (const time of interval.times) add(Math.floor(time / HOUR_MS), 1)
  if (undated <= 0) return
  const from = Math.max(interval.from, firstHour * HOUR_MS)
  const perMs = undated / (interval.to - interval.from)
  let hour = Math.floor(from / HOUR_MS)
  eachSlot(HOUR_MS, 1, from, interval.to, (_slot, coveredMs) => add(hour++, perMs * coveredMs))
}
