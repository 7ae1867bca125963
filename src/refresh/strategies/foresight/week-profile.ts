import type { InstantMs } from '../../../model/index.ts'
import { bendHour, bendWeek } from './bend.ts'
import { fitsBetter, ownShape } from './evidence.ts'
import { type Counts, type ForesightMemory, PRIOR_HOURS } from './memory.ts'
import { DAYS, HOURS, MINUTE_PARTS, MINUTES, type ReadyTables, WEEK_HOURS } from './tables.ts'
import { weekHours } from './week.ts'

/** What of the model is used; all of it but in ablations. */
export interface ProfileParts {
  /** The source's own counts on top of the shared shapes. */
  readonly own: boolean
  /** Hours of the week. */
  readonly week: boolean
  /** Minutes of the hour. */
  readonly minutes: boolean
  /** Whole minutes, where dates are rounded. */
  readonly wholeMinutes: boolean
  /** Habits are followed as far as they are no chance (evidence.ts). */
  readonly evidence: boolean
}

/** Items' worth by which own hours, days and minutes are held to the shared shape. Twice or half changes under 1 %. */
export const HOLD_HOURS = 12
export const HOLD_DAYS = 60
export const HOLD_PARTS = 16
/** Whole minutes: one item in ten, on the word of ten items. */
const ROUNDED_PRIOR = 1
const DATED_PRIOR = 10

/**
 * One source's intensity over the week, mean 1: hour of the week × minute of the hour, the shared shape bent by the
 * source's own counts, with an atom at the start of each minute for dates that are whole minutes. Filled again for each
 * source that is planned (some four microseconds); the arrays are reused.
 */
export class WeekProfile {
  private readonly hourIntensity = new Float64Array(WEEK_HOURS)
  /** ∫ over the hours of the week before each one. */
  private readonly before = new Float64Array(WEEK_HOURS + 1)
  private readonly minuteShare = new Float64Array(MINUTES)
  private readonly beforeMinute = new Float64Array(MINUTES + 1)
  private readonly hourFactor = new Float64Array(HOURS)
  private readonly dayFactor = new Float64Array(DAYS)
  private readonly partFactor = new Float64Array(MINUTE_PARTS)
  /** The shared shape of the source: the one that fits best, mixed with the mean of all as far as it may be chance. */
  private readonly hourShares = new Float64Array(HOURS)
  private readonly dayShares = new Float64Array(DAYS)
  private readonly minutes = new Float64Array(MINUTES)
  private readonly partShares = new Float64Array(MINUTE_PARTS)
  private atom = 0
  private filledFor: ForesightMemory | null = null
  private filledWith: ReadyTables | null = null

  constructor(private readonly use: ProfileParts) {}

  fill(memory: ForesightMemory, tables: ReadyTables): void {
    const last = this.filledFor
    const same = last !== null && last.hours === memory.hours && last.parts === memory.parts
    const asTrusted = same && (last.longHours === memory.longHours || (trusted(last) && trusted(memory)))
    if (asTrusted && this.filledWith === tables && last.wholeMinutes === memory.wholeMinutes) return
    this.filledFor = memory
    this.filledWith = tables
    this.fillWeek(memory, tables)
    this.fillMinutes(memory, tables)
    this.atom =
      this.use.minutes && this.use.wholeMinutes
        ? (memory.wholeMinutes + ROUNDED_PRIOR) / (memory.dated + DATED_PRIOR)
        : 0
  }

  /** ∫ intensity from the Monday before the epoch; differences are hours of average activity. */
  cumulative(at: InstantMs): number {
    return this.cumulativeAt(weekHours(at))
  }

  /** The same for weekHours(at), which a look-ahead steps through. An instant includes what happens at it. */
  cumulativeAt(hours: number): number {
    const whole = Math.floor(hours)
    const minutes = (hours - whole) * MINUTES
    const minute = minutes < MINUTES ? minutes | 0 : MINUTES - 1
    // Not by %, which on doubles is a call of many nanoseconds; also right before the epoch.
    const weeks = WEEK_HOURS * Math.floor(whole / WEEK_HOURS)
    const hour = (whole - weeks) | 0
    const within = this.atom + (1 - this.atom) * (minutes - minute)
    const share = this.beforeMinute[minute]! + this.minuteShare[minute]! * within
    return weeks + this.before[hour]! + this.hourIntensity[hour]! * share
  }

  /**
   * Λ = ∫λ and K = ∫tλ at even steps after `from`, t counted from there and each step's share of Λ put into its middle. The
   * first place of both is `from` itself, where they are 0.
   */
  layAfter(from: number, step: number, mass: Float64Array, moment: Float64Array): void {
    const { before, hourIntensity, beforeMinute, minuteShare, atom } = this
    const rest = 1 - atom
    const start = this.cumulativeAt(from)
    const half = step / 2
    let weeks = WEEK_HOURS * Math.floor(Math.floor(from) / WEEK_HOURS)
    let last = 0
    let sum = 0
    for (let node = 1; node < mass.length; node++) {
      const wait = node * step
      const hours = from + wait
      const whole = Math.floor(hours)
      while (whole - weeks >= WEEK_HOURS) weeks += WEEK_HOURS
      const hour = (whole - weeks) | 0
      const minutes = (hours - whole) * MINUTES
      const minute = minutes < MINUTES ? minutes | 0 : MINUTES - 1
      const share = beforeMinute[minute]! + minuteShare[minute]! * (atom + rest * (minutes - minute))
      const here = weeks + before[hour]! + hourIntensity[hour]! * share - start
      sum += (here - last) * (wait - half)
      mass[node] = here
      moment[node] = sum
      last = here
    }
  }

  /** Intensity of an hour of the week, mean 1. */
  hour(hourOfWeek: number): number {
    return this.hourIntensity[hourOfWeek]!
  }

  private fillWeek(memory: ForesightMemory, tables: ReadyTables): void {
    const { hourIntensity, before, hourFactor, dayFactor, hourShares, dayShares } = this
    const cluster = memory.weekCluster < tables.weeks.length ? memory.weekCluster : 0
    const weight = this.weightOf(memory.hours, tables.weekLogs, cluster)
    const best = tables.weeks[cluster]!
    const mean = tables.weeks[0]!
    if (this.use.own) {
      mix(hourShares, best.hourShares, mean.hourShares, weight)
      mix(dayShares, best.dayShares, mean.dayShares, weight)
      this.bend(hourFactor, memory.hours, hourShares, HOLD_HOURS, hourTrust(memory), tables.own.hours)
      this.bend(dayFactor, memory.days, dayShares, HOLD_DAYS, dayTrust(memory), tables.own.days)
    } else {
      hourFactor.fill(1)
      dayFactor.fill(1)
    }
    if (this.use.week) bendWeek(hourIntensity, before, best.intensity, mean.intensity, weight, hourFactor, dayFactor)
    else {
      hourIntensity.fill(1)
      for (let hour = 0; hour < WEEK_HOURS; hour++) before[hour + 1] = hour + 1
    }
  }

  private fillMinutes(memory: ForesightMemory, tables: ReadyTables): void {
    const { minuteShare, beforeMinute, partFactor, minutes, partShares } = this
    const cluster = memory.minuteCluster < tables.minutes.length ? memory.minuteCluster : 0
    const weight = this.weightOf(memory.parts, tables.minuteLogs, cluster)
    const best = tables.minutes[cluster]!
    const mean = tables.minutes[0]!
    mix(minutes, best.shares, mean.shares, weight)
    if (this.use.own) {
      mix(partShares, best.partShares, mean.partShares, weight)
      this.bend(partFactor, memory.parts, partShares, HOLD_PARTS, 1, tables.own.parts)
    } else partFactor.fill(1)
    let sum = MINUTES
    if (!this.use.minutes) minuteShare.fill(1)
    else sum = bendHour(minuteShare, minutes, partFactor)
    const scale = 1 / sum
    let passed = 0
    for (let minute = 0; minute < MINUTES; minute++) {
      const share = minuteShare[minute]! * scale
      minuteShare[minute] = share
      passed += share
      beforeMinute[minute + 1] = passed
    }
  }

  /** How far the shape that fits best is to be believed beside the mean of all. */
  private weightOf({ of }: Counts, logs: readonly Float64Array[], cluster: number): number {
    return this.use.evidence ? fitsBetter(of, logs[cluster]!, logs[0]!, logs.length) : 1
  }

  /** (own count + κ·share)/(items + κ), relative to the share, as far as the counts show a shape of their own. */
  private bend(
    into: Float64Array,
    { of: counts }: Counts,
    shares: Float64Array,
    hold: number,
    trust: number,
    logOdds: number,
  ): void {
    const own = this.use.evidence ? ownShape(counts, shares, hold, logOdds) : 1
    const share = hold / trust
    let items = share
    for (let part = 0; part < counts.length; part++) items += counts[part]!
    for (let part = 0; part < counts.length; part++) {
      into[part] = 1 + own * ((counts[part]! + share * shares[part]!) / (items * shares[part]!) - 1)
    }
  }
}

/**
 * Counts know nothing of when the source was not watched: a first window of two hours would make those two the busiest of
 * the day, and the first days the busiest of the week. So hours are trusted after three days, days after two weeks.
 */
function hourTrust({ longHours }: ForesightMemory): number {
  return Math.min(1, Math.max(LEAST_TRUST, (longHours - PRIOR_HOURS) / 72))
}

function dayTrust({ longHours }: ForesightMemory): number {
  return Math.min(1, Math.max(LEAST_TRUST, (longHours - PRIOR_HOURS - 120) / 168))
}

const LEAST_TRUST = 0.01

/** Long enough known that more time changes nothing. */
function trusted(memory: ForesightMemory): boolean {
  return dayTrust(memory) === 1
}

export function mix(into: Float64Array, best: Float64Array, mean: Float64Array, weight: number): void {
  for (let part = 0; part < into.length; part++) into[part] = mean[part]! + weight * (best[part]! - mean[part]!)
}
