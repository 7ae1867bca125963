import { DAY_MS, HOUR_MS, type InstantMs, type Observation } from '../../model/index.ts'
import { eachSlot } from '../intensity.ts'
import { type ObservedInterval, observedInterval, saneRate } from './interval.ts'

/**
 * The posting rate over the last 14 days (SCC07 4.2) from counts per day: far less work than the hourly history of
 * history.ts, which a comparison of two dozen policies with their calibrations feels.
 */
export interface RollingRate {
  readonly priorPerHour: number
  /** Days since the epoch of the last count. */
  readonly day: number
  readonly counts: readonly number[]
  readonly since: InstantMs
  readonly until: InstantMs
}

export const ROLLING_DAYS = 14
// As in the hourly history: half a day of prior.
const PRIOR_HOURS = 12

export function startRolling(at: InstantMs, priorPerHour: number): RollingRate {
  return { priorPerHour: saneRate(priorPerHour), day: Math.floor(at / DAY_MS), counts: [0], since: at, until: at }
}

export function observeRolling(state: RollingRate, observation: Observation): RollingRate {
  const { previousAt, at } = observation
  if (previousAt === null) return Number.isFinite(at) ? startRolling(at, state.priorPerHour) : state
  const interval = observedInterval(observation)
  if (interval === null) return state
  const day = Math.floor(at / DAY_MS)
  const { priorPerHour } = state
  // A clock set back: what lies in the future then is forgotten, rather than counted a second time.
  const before = day < state.day ? startRolling(previousAt, priorPerHour) : state
  const { since } = before
  // Written out field by field: every refresh of every simulated source comes here.
  if (interval.items === 0 && day === before.day) return { priorPerHour, day, counts: before.counts, since, until: at }
  const counts = movedTo(before, day)
  addItems(counts, day, interval, observation.itemTimes)
  return { priorPerHour, day, counts, since, until: at }
}

export function rollingPerHour(state: RollingRate): number {
  let items = 0
  for (let slot = 0; slot < state.counts.length; slot++) items += state.counts[slot]!
  const firstMs = (state.day - state.counts.length + 1) * DAY_MS
  const hours = Math.max(0, state.until - Math.max(state.since, firstMs)) / HOUR_MS
  return saneRate((items + state.priorPerHour * PRIOR_HOURS) / (hours + PRIOR_HOURS))
}

function movedTo(state: RollingRate, day: number): number[] {
  const counts = state.counts.slice()
  const ahead = Math.min(ROLLING_DAYS, day - state.day)
  for (let k = 0; k < ahead; k++) counts.push(0)
  return counts.length > ROLLING_DAYS ? counts.slice(-ROLLING_DAYS) : counts
}

/** Each on its day; a date from before the interval is a late one, which came with it. Undated ones lie evenly over it. */
function addItems(counts: number[], day: number, interval: ObservedInterval, dates: readonly InstantMs[]): void {
  const { from, to, fetchedItems: seen, items } = interval
  const last = counts.length - 1
  const add = (ofDay: number, count: number) => {
    const slot = last - (day - ofDay)
    if (slot >= 0 && slot <= last) counts[slot] = counts[slot]! + count
  }
  if (dates.length === Math.round(seen)) {
    for (let index = 0; index < dates.length; index++) {
      add(Math.floor(Math.min(to, Math.max(from, dates[index]!)) / DAY_MS), 1)
    }
  } else {
    const first = Math.max(from, (day - ROLLING_DAYS) * DAY_MS)
    let ofDay = Math.floor(first / DAY_MS)
    eachSlot(DAY_MS, 1, first, to, (_slot, coveredMs) => {
      add(ofDay++, Math.round((1000 * seen * coveredMs) / (to - from)) / 1000)
    })
  }
  counts[last] = counts[last]! + items - seen
}
