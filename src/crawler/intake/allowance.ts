import type { DayIntake, Source } from '../../model/index.ts'

/** So many items a day are taken from any source. */
export const LEAST_PER_DAY = 5_000
/**
 * More than this is not learnt: a feed that always stays just below its allowance would else treble it every other day. Who
 * wants more from a source says so.
 */
export const MOST_PER_DAY = 50_000
/** A busy day of a busy source. */
const TIMES_USUAL = 3
/** Older pages bring what was missed on other days; what is left of a gap is read the day after. */
const TIMES_FOR_OLDER_PAGES = 4

/**
 * New items that are stored of a source in a day. `past`: the days before it. One that was refused something says only what
 * the allowance was, and a single busy day may be the first of a flood: so it goes by the second busiest of the others.
 */
export function allowanceOf(
  { dailyAllowance = null }: Pick<Source, 'dailyAllowance'>,
  past: readonly DayIntake[],
): number {
  if (dailyAllowance === 'off') return Number.POSITIVE_INFINITY
  if (dailyAllowance !== null) return dailyAllowance
  let busiest = 0
  let second = 0
  for (const { taken, refused } of past) {
    if (refused > 0) continue
    if (taken > busiest) {
      second = busiest
      busiest = taken
    } else if (taken > second) second = taken
  }
  return Math.min(MOST_PER_DAY, Math.max(LEAST_PER_DAY, TIMES_USUAL * second))
}

/** What may still be stored of a source today. */
export interface IntakeLimit {
  readonly day: number
  readonly allowance: number
  /** Of what its window shows. */
  readonly items: number
  /** Of what its older pages show. */
  readonly olderItems: number
}

/** `days`: today, and those before it that are remembered. */
export function intakeLimitOf(
  source: Pick<Source, 'dailyAllowance'>,
  days: readonly DayIntake[],
  today: number,
): IntakeLimit {
  const allowance = allowanceOf(
    source,
    days.filter(({ day }) => day < today),
  )
  const done = days.find(({ day }) => day === today)
  return {
    day: today,
    allowance,
    items: Math.max(0, allowance - (done?.taken ?? 0)),
    olderItems: Math.max(0, TIMES_FOR_OLDER_PAGES * allowance - (done?.repaired ?? 0)),
  }
}

/** Of a source that was never read: whatever its first document holds is taken, and does not count. */
export function firstIntakeLimit(day: number): IntakeLimit {
  const endless = Number.POSITIVE_INFINITY
  return { day, allowance: endless, items: endless, olderItems: endless }
}
