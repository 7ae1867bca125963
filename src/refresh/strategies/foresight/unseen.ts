import { DAY_MS, HOUR_MS, type InstantMs } from '../../../model/index.ts'
import type { WeekProfile } from './week-profile.ts'

// A glimpse of less than a tenth of what came says nothing about hours.
const MOST_PER_SEEN = 10
const LONGEST_MS = 14 * DAY_MS

/**
 * When items came that fell out of the window before anyone looked, as the model itself expects them: one step of
 * expectation-maximization. Without them only the hours before each refresh would be counted, the source would be
 * refreshed in those hours alone, and see no others: on one trace two steady sources of 90 and 160 items a day were
 * refreshed twice a day at night. Null: too many to say anything.
 */
export function unseenTimes(
  profile: WeekProfile,
  ratePerHour: number,
  from: InstantMs,
  to: InstantMs,
  seen: number,
): InstantMs[] | null {
  const times: InstantMs[] = []
  const most = MOST_PER_SEEN * seen
  let start = Math.max(from, to - LONGEST_MS)
  let owed = 0.5
  while (start < to) {
    const end = Math.min(to, (Math.floor(start / HOUR_MS) + 1) * HOUR_MS)
    owed += ratePerHour * (profile.cumulative(end) - profile.cumulative(start))
    if (times.length + owed > most) return null
    const middle = (start + end) / 2
    // Seconds apart: counts are thinned by a hash of the second (counts.ts).
    for (; owed >= 1; owed--) times.push(middle + 1_000 * times.length)
    start = end
  }
  return times
}
