import { HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import { sourceRandom } from '../simulator/priced-run.ts'
import type { TraceSource } from '../worlds/trace.ts'

/**
 * Publishers round their dates, and a trace knows nothing else: what a policy gains from minutes may be their rounding.
 * On a trace with an exact clock rounding can be added, and the gain be measured against the rounded dates (as traces
 * with rounded dates force one to) or against when the items really came; on the others it can be taken out.
 */
export type Dates = 'recorded' | 'minute-truth' | 'minute-stated' | 'hour-truth' | 'hour-stated' | 'spread'

export const DATES_IN_WORDS: Readonly<Record<Dates, string>> = {
  recorded: 'as recorded',
  'minute-truth': 'cut to the minute, and delay counted from there',
  'minute-stated': 'cut to the minute, delay counted from the exact time',
  'hour-truth': 'the first six minutes of an hour cut to the hour, and delay counted from there',
  'hour-stated': 'the first six minutes of an hour cut to the hour, delay counted from the exact time',
  spread: 'those of whole minutes spread over their minute, those in minute :00 over three minutes before and after',
}

/** By chance one date in sixty is a whole minute. */
const EXACT_BELOW = 0.03

export function hasExactClock(wholeMinuteShare: number): boolean {
  return wholeMinuteShare < EXACT_BELOW
}

/** What can be measured with a trace beside itself. */
export function variantsFor(wholeMinuteShare: number): readonly Dates[] {
  if (!hasExactClock(wholeMinuteShare)) return ['recorded', 'spread']
  return ['recorded', 'minute-truth', 'minute-stated', 'hour-truth', 'hour-stated']
}

export function wholeMinuteShare(sources: readonly TraceSource[]): number {
  let whole = 0
  let all = 0
  for (const { times } of sources) {
    all += times.length
    for (const time of times) if (time % MINUTE_MS === 0) whole++
  }
  return all > 0 ? whole / all : 0
}

export interface DatedTimes {
  readonly times: Float64Array
  readonly stated?: Float64Array
}

export function datedTimes({ times }: TraceSource, index: number, dates: Dates, seed: number): DatedTimes {
  switch (dates) {
    case 'recorded':
      return { times }
    case 'minute-truth':
      return { times: times.map(toMinute) }
    case 'minute-stated':
      return { times, stated: times.map(toMinute) }
    case 'hour-truth':
      return { times: times.map(toHour) }
    case 'hour-stated':
      return { times, stated: times.map(toHour) }
    case 'spread':
      return { times: spreadTimes(times, sourceRandom(seed, index)) }
  }
}

function toMinute(time: InstantMs): InstantMs {
  return Math.floor(time / MINUTE_MS) * MINUTE_MS
}

/** A tenth of the hour, as one item in eight to ten of the news feeds is dated :00. Order is kept. */
const EARLY_MS = 6 * MINUTE_MS

function toHour(time: InstantMs): InstantMs {
  const hour = Math.floor(time / HOUR_MS) * HOUR_MS
  return time - hour < EARLY_MS ? hour : time
}

/** Nobody knows when they really came: anywhere in the minute, or around the hour, is as good a guess as any. */
function spreadTimes(times: Float64Array, random: () => number): Float64Array {
  const moved = times.map((time) => {
    if (time % MINUTE_MS !== 0) return time
    if (time % HOUR_MS === 0) return time + Math.round((6 * random() - 3) * 60) * SECOND_MS
    return time + Math.floor(60 * random()) * SECOND_MS
  })
  return moved.sort()
}
