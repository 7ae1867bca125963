import { DAY_MS, HOUR_MS, type InstantMs, type Observation } from '../../src/model/index.ts'

/**
 * The posting rate over the last 14 days (SCC07 4.2) from counts per day: far less work than the hourly history in
 * src/refresh/estimators, which a comparison of two dozen policies with their calibrations feels.
 */
export interface RollingRate {
  /** Days since the epoch of the last count. */
  readonly day: number
  readonly counts: readonly number[]
  readonly since: InstantMs
  readonly until: InstantMs
}

const DAYS = 14
// As in the hourly history: half a day of prior.
const PRIOR_HOURS = 12
const PRIOR_PER_HOUR = 0.1

export function startRolling(at: InstantMs): RollingRate {
  return { day: Math.floor(at / DAY_MS), counts: [0], since: at, until: at }
}

export function observeRolling(state: RollingRate, observation: Observation): RollingRate {
  if (observation.previousAt === null) return { ...startRolling(observation.at) }
  const day = Math.floor(observation.at / DAY_MS)
  const quiet = observation.newItems === 0
  if (quiet && day === state.day) return { ...state, until: observation.at }
  const counts = movedTo(state, day)
  const last = counts.length - 1
  for (const time of observation.itemTimes) {
    const slot = last - (day - Math.floor(time / DAY_MS))
    if (time > observation.previousAt && slot >= 0) counts[slot] = counts[slot]! + 1
  }
  counts[last] = counts[last]! + observation.lostAtLeast
  return { day, counts, since: state.since, until: observation.at }
}

export function rollingPerHour(state: RollingRate): number {
  let items = 0
  for (let slot = 0; slot < state.counts.length; slot++) items += state.counts[slot]!
  const firstMs = (state.day - state.counts.length + 1) * DAY_MS
  const hours = (state.until - Math.max(state.since, firstMs)) / HOUR_MS
  return (items + PRIOR_PER_HOUR * PRIOR_HOURS) / (hours + PRIOR_HOURS)
}

function movedTo(state: RollingRate, day: number): number[] {
  const counts = state.counts.slice()
  const ahead = Math.min(DAYS, day - state.day)
  for (let k = 0; k < ahead; k++) counts.push(0)
  return counts.length > DAYS ? counts.slice(-DAYS) : counts
}
