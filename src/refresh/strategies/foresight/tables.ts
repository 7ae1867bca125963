import { BestFit } from './best-fit.ts'
import type { HubSignals } from './hub-signals.ts'

/**
 * What many sources share (refresh-science §3): a few shapes of the week and a few of the hour, learnt from the sources
 * that have published enough to show one. A quiet source borrows the shape that fits best what little it has shown.
 * Plain values, so that they can be stored; rebuilt in the background (learn-tables.ts) and swapped as a whole.
 */
export interface ForesightTables {
  readonly v: 1
  /** Each 48 shares: the hours of a weekday (all five together), then those of the weekend; sum 1, none 0. */
  readonly weeks: readonly (readonly number[])[]
  /** Each 60 shares, minute by minute; sum 1, none 0. */
  readonly minutes: readonly (readonly number[])[]
  /** How common habits of a source's own are, as logarithms of odds; absent: seven in eight sources have some. */
  readonly own?: OwnHabits
}

export interface OwnHabits {
  readonly hours: number
  readonly days: number
  readonly parts: number
}

const USUAL_OWN: OwnHabits = { hours: 2, days: 2, parts: 2 }

/** Where a strategy finds the tables in force: the builder replaces `tables`. */
export interface SharedTables {
  tables: ForesightTables
  /** What hubs were worth; absent: none is heard. */
  readonly hubs?: HubSignals
}

export const HOURS = 24
export const DAYS = 7
export const WEEK_HOURS = HOURS * DAYS
export const MINUTES = 60
/** A source's own counts of the hour are stored in parts of five minutes; the table has the shape within. */
export const MINUTE_PARTS = 12
export const PART_MINUTES = MINUTES / MINUTE_PARTS

const WEEKDAY_SHARE = 5 / 7

/** Nothing known: every hour and every minute alike. */
export const FLAT_TABLES: ForesightTables = {
  v: 1,
  weeks: [Array.from({ length: 2 * HOURS }, (_, hour) => (hour < HOURS ? WEEKDAY_SHARE : 1 - WEEKDAY_SHARE) / HOURS)],
  minutes: [new Array<number>(MINUTES).fill(1 / MINUTES)],
}

/** The tables in the forms that decisions need; made once per table. */
export interface ReadyTables {
  readonly weeks: readonly ReadyWeek[]
  readonly minutes: readonly ReadyMinutes[]
  /** Logarithms of each cluster's hours of the day and five minutes of the hour. */
  readonly weekLogs: readonly Float64Array[]
  readonly minuteLogs: readonly Float64Array[]
  readonly weekFit: BestFit
  readonly minuteFit: BestFit
  readonly own: OwnHabits
}

export interface ReadyWeek {
  /** Intensity of each hour of the week, Monday first, mean 1. */
  readonly intensity: Float64Array
  readonly hourShares: Float64Array
  readonly dayShares: Float64Array
}

export interface ReadyMinutes {
  readonly shares: Float64Array
  readonly partShares: Float64Array
}

const ready = new WeakMap<ForesightTables, ReadyTables>()

export function readyTables(tables: ForesightTables): ReadyTables {
  let found = ready.get(tables)
  if (found === undefined) {
    const weeks = tables.weeks.map(readyWeek)
    const minutes = tables.minutes.map(readyMinutes)
    const weekLogs = weeks.map(({ hourShares }) => hourShares.map(Math.log))
    const minuteLogs = minutes.map(({ partShares }) => partShares.map(Math.log))
    const fits = { weekFit: new BestFit(weekLogs), minuteFit: new BestFit(minuteLogs) }
    found = { weeks, minutes, weekLogs, minuteLogs, ...fits, own: tables.own ?? USUAL_OWN }
    ready.set(tables, found)
  }
  return found
}

function readyWeek(shares: readonly number[]): ReadyWeek {
  const intensity = new Float64Array(WEEK_HOURS)
  const hourShares = new Float64Array(HOURS)
  const dayShares = new Float64Array(DAYS)
  for (let day = 0; day < DAYS; day++) {
    const weekend = day >= 5
    for (let hour = 0; hour < HOURS; hour++) {
      const share = weekend ? shares[HOURS + hour]! / 2 : shares[hour]! / 5
      intensity[day * HOURS + hour] = share * WEEK_HOURS
      hourShares[hour]! += share
      dayShares[day]! += share
    }
  }
  return { intensity, hourShares, dayShares }
}

function readyMinutes(shares: readonly number[]): ReadyMinutes {
  const partShares = new Float64Array(MINUTE_PARTS)
  for (let minute = 0; minute < MINUTES; minute++) partShares[Math.floor(minute / PART_MINUTES)]! += shares[minute]!
  return { shares: Float64Array.from(shares), partShares }
}
