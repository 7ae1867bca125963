import { DAY_MS, HOUR_MS, type InstantMs } from '../../model/index.ts'

/** Beyond this nobody means it: a weekend and a holiday. */
export const LONGEST_SKIP_MS = 3 * DAY_MS

/**
 * The first moment at or after `at` that lies in none of the hours (0 to 23) and days (0: Sunday) to skip, both GMT (RSS
 * 2.0, skipHours and skipDays). `at` itself where there is no such moment before LONGEST_SKIP_MS: a feed that asks never
 * to be read says nothing.
 */
export function nextOpenTime(
  at: InstantMs,
  skip: { readonly skipHours: readonly number[]; readonly skipDays: readonly number[] },
): InstantMs {
  if (skip.skipHours.length === 0 && skip.skipDays.length === 0) return at
  const latest = at + LONGEST_SKIP_MS
  for (let open = at; open <= latest; open = (Math.floor(open / HOUR_MS) + 1) * HOUR_MS) {
    const moment = new Date(open)
    if (!skip.skipHours.includes(moment.getUTCHours()) && !skip.skipDays.includes(moment.getUTCDay())) return open
  }
  return at
}
