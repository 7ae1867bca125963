import { HOUR_MS, type InstantMs, MINUTE_MS } from '../../../model/index.ts'
import { mostLikely } from './cluster-counts.ts'
import { fitsBetter, logOddsOf, ownEvidence } from './evidence.ts'
import { DAYS, type ForesightTables, HOURS, MINUTE_PARTS, type OwnHabits, readyTables } from './tables.ts'
import { dayOfWeek, hourOfDay, positiveModulo } from './week.ts'
import { HOLD_DAYS, HOLD_HOURS, HOLD_PARTS, mix } from './week-profile.ts'

// What came together is one event: a merge of twenty items says as much of habits as one item.
const TOGETHER_MS = 5 * MINUTE_MS

/**
 * How common it is that a source has hours, days and minutes of its own beside the shared shapes: nearly all feeds of
 * news sites, hardly any forum. Where it is rare, a source's counts have to show more before they are followed.
 */
export function learnOwnHabits(tables: ForesightTables, histories: readonly ArrayLike<InstantMs>[]): OwnHabits {
  const { weeks, minutes, weekLogs, minuteLogs } = readyTables(tables)
  const evidence = { hours: [] as number[], days: [] as number[], parts: [] as number[] }
  const between = (counts: readonly number[], logs: readonly Float64Array[], shares: (k: number) => Float64Array) => {
    const best = mostLikely(counts, logs)
    const mixed = new Float64Array(shares(0).length)
    mix(mixed, shares(best), shares(0), fitsBetter(counts, logs[best]!, logs[0]!, logs.length))
    return { best, mixed }
  }
  for (const times of histories) {
    const { hours, days, parts } = eventCounts(times)
    const day = between(hours, weekLogs, (k) => weeks[k]!.hourShares)
    evidence.hours.push(ownEvidence(hours, day.mixed, HOLD_HOURS))
    evidence.days.push(ownEvidence(days, weeks[day.best]!.dayShares, HOLD_DAYS))
    const part = between(parts, minuteLogs, (k) => minutes[k]!.partShares)
    evidence.parts.push(ownEvidence(parts, part.mixed, HOLD_PARTS))
  }
  return { hours: logOddsOf(evidence.hours), days: logOddsOf(evidence.days), parts: logOddsOf(evidence.parts) }
}

export function itemsPerEvent(histories: readonly ArrayLike<InstantMs>[]): number {
  let items = 0
  let events = 0
  for (const times of histories) {
    items += times.length
    for (let index = 0; index < times.length; index++) if (isApart(times, index)) events++
  }
  return events > 0 ? items / events : 1
}

function isApart(times: ArrayLike<InstantMs>, index: number): boolean {
  return index === 0 || times[index]! - times[index - 1]! >= TOGETHER_MS
}

function eventCounts(times: ArrayLike<InstantMs>) {
  const hours = new Array<number>(HOURS).fill(0)
  const days = new Array<number>(DAYS).fill(0)
  const parts = new Array<number>(MINUTE_PARTS).fill(0)
  for (let index = 0; index < times.length; index++) {
    if (!isApart(times, index)) continue
    const at = times[index]!
    hours[hourOfDay(at)]! += 1
    days[dayOfWeek(at)]! += 1
    parts[positiveModulo(Math.floor((at * MINUTE_PARTS) / HOUR_MS), MINUTE_PARTS)]! += 1
  }
  return { hours, days, parts }
}
