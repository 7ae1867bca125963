import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation } from '../../../model/index.ts'
import { observedInterval } from '../../estimators/interval.ts'
import { chanceOfChange } from './change.ts'
import { addToCounts } from './counts.ts'
import { type ForesightMemory, MOST_COUNT, PRIOR_HOURS, PRIOR_ITEMS, ratePerHour, trustedItems } from './memory.ts'
import { HOURS, MINUTE_PARTS, type ReadyTables } from './tables.ts'
import { unseenTimes } from './unseen.ts'
import { dayOfWeek, hourOfDay, positiveModulo } from './week.ts'
import type { WeekProfile } from './week-profile.ts'

export interface HalfLives {
  readonly recentMs: number
  readonly longMs: number
}

/** How it learns; all of it but in ablations. */
export interface LearningParts {
  readonly halfLives: HalfLives
  /** Changes of pace are believed as far as they are likely (change.ts). */
  readonly change: boolean
  /** What fell out of a window is put where it is expected (unseen.ts). */
  readonly unseen: boolean
}

/** Chosen on one trace; 1.5 to 6 days and 10 to 45 days differ by less than 1 % (docs/decisions). */
export const HALF_LIVES: HalfLives = { recentMs: 3 * DAY_MS, longMs: 21 * DAY_MS }

/** After a change: half an item, of no rate (Jeffreys); the prior grows back to what it was as the long rate fades. */
const NEW_ITEMS = 0.5
const NEW_HOURS = 0.1

/** Habits fade slower than rates. */
const HABIT_HALF_LIFE_MS = 56 * DAY_MS
// Items without a date are put into the hour and day in which they must have appeared, if that is known so well.
const DATES_ITSELF_MS = 1.5 * HOUR_MS

/** Four bits. */
const ERAS = 16

export function eraOf(at: InstantMs): number {
  return positiveModulo(Math.floor(at / HABIT_HALF_LIFE_MS), ERAS)
}

/**
 * Learns one refresh. The profile must be filled for `memory`: exposure is counted in hours of average activity, so that
 * a quiet night teaches less than a quiet noon.
 */
export function observe(
  memory: ForesightMemory,
  observation: Observation,
  profile: WeekProfile,
  tables: ReadyTables,
  use: LearningParts,
): ForesightMemory {
  const { halfLives } = use
  const interval = observedInterval(observation)
  const first = observation.previousAt === null || observation.overlap === 'first'
  if (interval === null && !first) return memory
  if (interval === null)
    return habits(firstWindow(memory, observation, profile, halfLives), observation.itemTimes, observation.at, tables)
  // With an overflowed window only the time since its oldest item was really watched (refresh-science §3).
  const watchedFrom = interval.saturated ? (interval.times[0] ?? interval.from) : interval.from
  const items = interval.saturated && interval.times.length === 0 ? interval.items : interval.fetchedItems
  const hours = Math.max(0, profile.cumulative(interval.to) - profile.cumulative(watchedFrom))
  const elapsedMs = interval.to - interval.from
  const expected = ratePerHour(memory) * hours
  const change = use.change
    ? 1 - chanceOfChange({ items, times: interval.times, expected, trust: trustedItems(memory), elapsedMs })
    : 1
  const recent = change * halved(elapsedMs / halfLives.recentMs)
  const long = halved(elapsedMs / halfLives.longMs)
  // After a change even the prior is little trusted: what is known is that nothing is.
  const longItems = NEW_ITEMS + (memory.longItems - NEW_ITEMS) * change
  const longHours = NEW_HOURS + (memory.longHours - NEW_HOURS) * change
  // Field by field: every refresh comes here, and spreading costs as much as the rest of it.
  const learnt: ForesightMemory = {
    v: 1,
    recentItems: Math.fround(memory.recentItems * recent + items),
    recentHours: Math.fround(memory.recentHours * recent + hours),
    longItems: Math.fround(PRIOR_ITEMS + (longItems - PRIOR_ITEMS) * long + items),
    longHours: Math.fround(PRIOR_HOURS + (longHours - PRIOR_HOURS) * long + hours),
    hours: memory.hours,
    days: memory.days,
    parts: memory.parts,
    wholeMinutes: memory.wholeMinutes,
    dated: memory.dated,
    era: memory.era,
    weekCluster: memory.weekCluster,
    minuteCluster: memory.minuteCluster,
  }
  if (items === 0) return learnt
  if (interval.times.length > 0) {
    const unseen =
      use.unseen && interval.saturated
        ? unseenTimes(profile, ratePerHour(learnt), interval.from, watchedFrom, interval.times.length)
        : []
    return unseen === null ? learnt : habits(learnt, interval.times, observation.at, tables, { unseen })
  }
  const between = interval.to - interval.from <= DATES_ITSELF_MS ? (interval.from + interval.to) / 2 : null
  return between === null ? learnt : habits(learnt, [between], observation.at, tables, { dated: false })
}

/**
 * The first window is a piece of the past: its items lie between the oldest and now. The oldest one only marks where
 * the piece begins. Each counts by its age, and so does the time.
 */
function firstWindow(
  memory: ForesightMemory,
  observation: Observation,
  profile: WeekProfile,
  halfLives: HalfLives,
): ForesightMemory {
  const { at, itemTimes } = observation
  const oldest = itemTimes[0]
  if (oldest === undefined || itemTimes.length < 2 || !(at - oldest > MINUTE_MS)) return memory
  // A night's window says less about the rate than a day's.
  const activity = ((profile.cumulative(at) - profile.cumulative(oldest)) * HOUR_MS) / (at - oldest)
  const faded = (halfLifeMs: number) => {
    let items = 0
    for (let index = 1; index < itemTimes.length; index++)
      items += 0.5 ** (Math.max(0, at - itemTimes[index]!) / halfLifeMs)
    const hours = ((halfLifeMs / Math.LN2) * (1 - 0.5 ** ((at - oldest) / halfLifeMs))) / HOUR_MS
    return { items, hours: hours * activity }
  }
  const recent = faded(halfLives.recentMs)
  const long = faded(halfLives.longMs)
  return {
    ...memory,
    recentItems: Math.fround(recent.items),
    recentHours: Math.fround(recent.hours),
    longItems: Math.fround(PRIOR_ITEMS + long.items),
    longHours: Math.fround(PRIOR_HOURS + long.hours),
  }
}

/** 2^−x; several times as quick as a power, and stored in 32 bits anyway. */
function halved(halfLives: number): number {
  return Math.exp(-Math.LN2 * halfLives)
}

function habits(
  memory: ForesightMemory,
  times: readonly InstantMs[],
  now: InstantMs,
  tables: ReadyTables,
  { dated = true, unseen = [] }: { readonly dated?: boolean; readonly unseen?: readonly InstantMs[] } = {},
): ForesightMemory {
  if (times.length === 0) return memory
  const era = eraOf(now)
  const aged = era !== memory.era
  const all = unseen.length > 0 ? [...unseen, ...times] : times
  const hours = addToCounts(memory.hours, all, hourOfDay, aged)
  const days = addToCounts(memory.days, all, dayOfWeek, aged)
  const parts = dated ? addToCounts(memory.parts, times, partOfHour, aged) : memory.parts
  const rounded = dated ? wholeMinutes(memory, times, aged) : memory
  return {
    v: 1,
    recentItems: memory.recentItems,
    recentHours: memory.recentHours,
    longItems: memory.longItems,
    longHours: memory.longHours,
    hours,
    days,
    parts,
    wholeMinutes: rounded.wholeMinutes,
    dated: rounded.dated,
    era,
    weekCluster: tables.weekFit.of(hours.of),
    minuteCluster: dated ? tables.minuteFit.of(parts.of) : memory.minuteCluster,
  }
}

function wholeMinutes(memory: ForesightMemory, times: readonly InstantMs[], aged: boolean) {
  let whole = memory.wholeMinutes >> (aged ? 1 : 0)
  let all = memory.dated >> (aged ? 1 : 0)
  for (const time of times) {
    if (all === MOST_COUNT) {
      all >>= 1
      whole >>= 1
    }
    all++
    if (Math.floor(time / MINUTE_MS) * MINUTE_MS === time) whole++
  }
  return { wholeMinutes: whole, dated: all }
}

function partOfHour(time: InstantMs): number {
  return positiveModulo(Math.floor((time * MINUTE_PARTS) / HOUR_MS), MINUTE_PARTS)
}

/** The hour of the day that stands out, for words. */
export function busiestHour(memory: ForesightMemory): number | null {
  const { of } = memory.hours
  let best = 0
  let total = 0
  for (let hour = 0; hour < HOURS; hour++) {
    total += of[hour]!
    if (of[hour]! > of[best]!) best = hour
  }
  return total >= 12 && of[best]! > (2 * total) / HOURS ? best : null
}
