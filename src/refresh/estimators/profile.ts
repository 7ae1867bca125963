import type { Observation } from '../../model/index.ts'
import { observedInterval } from './interval.ts'
import type { ProfileEntry } from './likelihood.ts'

/** A publication profile (thesis 7.4.2) as triples hours, items, window size if it overflowed else 0; oldest first. */
export type FlatProfile = readonly number[]

/** The profile with one more observation, limited to the newest; null where the observation says nothing. */
export function withObservation(profile: FlatProfile, observation: Observation, most: number): FlatProfile | null {
  const interval = observedInterval(observation)
  if (interval === null) return null
  // Three decimals of an hour are 3.6 s; it keeps a stored profile short.
  const hours = Math.max(0.001, Math.round(interval.hours * 1000) / 1000)
  const overflowed = interval.saturated ? Math.max(1, Math.floor(interval.fetchedItems)) : 0
  return [...profile, hours, interval.fetchedItems, overflowed].slice(-3 * most)
}

export function profileEntries(profile: FlatProfile): ProfileEntry[] {
  const entries: ProfileEntry[] = []
  for (let index = 0; index < profile.length; index += 3) {
    const overflowed = profile[index + 2]!
    const windowSize = overflowed > 0 ? overflowed : Number.POSITIVE_INFINITY
    entries.push({ hours: profile[index]!, items: profile[index + 1]!, windowSize })
  }
  return entries
}

export function watchedHours(profile: FlatProfile): number {
  let hours = 0
  for (let index = 0; index < profile.length; index += 3) hours += profile[index]!
  return hours
}
