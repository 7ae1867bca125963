import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import {
  ACTIVITY_CLASSES,
  type ActivityClass,
  type ActivityRow,
  activityClass,
  activityDistribution,
  itemsOfBusiest,
} from './activity.ts'
import { categoriesOf } from './categories.ts'
import {
  type CollectedSource,
  countWithin,
  daysOf,
  itemsPerDay,
  spanOf,
  type WatchedSpan,
  wholeDays,
} from './collection.ts'
import {
  coefficientOfVariation,
  type HourOfDay,
  hoursOfDay,
  PERIODIC_UP_TO,
  postingPattern,
  printedCoefficientOfVariation,
} from './hours.ts'
import { type PublicationPattern, publicationPattern } from './publication-patterns.ts'
import { fitPowerLaw, type PowerLaw, type RateBin, rateBins, tailExponent } from './rate-distribution.ts'
import { BIG_MAJORITY, discoverShape, type PublicationShape, type ShapeThresholds } from './shapes.ts'
import { rateStability, STRETCH_MS, type Stability } from './stability.ts'
import { changingWindows, neededWindow, type WindowSizeRow, windowSizes } from './window-sizes.ts'

export interface AnalyzedSource {
  readonly id: string
  readonly title: string | null
  readonly items: number
  readonly itemsPerDay: number
  readonly activity: ActivityClass
  /** Coefficient of variation (6.3), and as printed (divided by 24). */
  readonly cv: number | null
  readonly printedCv: number | null
  readonly shape: PublicationShape | null
  /** With the 80 % rule. */
  readonly shapeByMajority: PublicationShape | null
  readonly pattern: PublicationPattern
  readonly categories: readonly string[]
  readonly hours: readonly HourOfDay[]
}

export interface ShapesPerActivity {
  readonly activity: ActivityClass
  readonly peaks: number
  readonly uniform: number
  readonly waves: number
}

export interface Analysis {
  readonly span: WatchedSpan
  readonly days: number
  readonly items: number
  readonly maskedHours: readonly number[]
  readonly sources: readonly AnalyzedSource[]
  readonly activity: readonly ActivityRow[]
  /** Share of the items that the busiest 17 % of the sources publish. */
  readonly itemsOfBusiest17: number
  readonly periodicity: readonly PeriodicityRow[]
  readonly shapes: { readonly strict: readonly ShapesPerActivity[]; readonly byMajority: readonly ShapesPerActivity[] }
  readonly shapeSensitivity: readonly ShapeSensitivityRow[]
  readonly rates: {
    readonly bins: readonly RateBin[]
    readonly fit: PowerLaw | null
    readonly tailExponent: number | null
  }
  /** The first 14 days against the next and against the last; null where the time is too short. */
  readonly stability: { readonly next: Stability; readonly last: Stability } | null
  /** Share of all items in each hour of the day (SCC07 Figure 10), and on each day of the week (Monday first). */
  readonly hours: readonly { readonly hour: number; readonly share: number }[]
  readonly weekdays: readonly number[]
  /** Items of all sources by week, and by two hours over the first four weeks (SCC07 Figure 3). */
  readonly weekly: readonly number[]
  readonly twoHourly: readonly number[]
  readonly windowNeeded: readonly WindowNeededRow[]
  /** Sizes last served, commonest first, and the share of sources that changed theirs; null where they are not known. */
  readonly windowSizes: { readonly rows: readonly WindowSizeRow[]; readonly changing: number } | null
  readonly patterns: readonly {
    readonly pattern: PublicationPattern
    readonly sources: number
    readonly share: number
  }[]
  readonly categories: readonly { readonly category: string; readonly sources: number }[]
}

export interface PeriodicityRow {
  readonly moreThanPerDay: number
  readonly sources: number
  /** Share with CV ≤ 1. */
  readonly periodic: number
  readonly printedPeriodic: number
}

export interface ShapeSensitivityRow extends ShapeThresholds {
  readonly peaks: number
  readonly uniform: number
  readonly waves: number
}

export interface WindowNeededRow {
  readonly everyHours: number
  /** Windows that half, nine in ten and all sources need to lose nothing. */
  readonly median: number
  readonly p90: number
  readonly max: number
  /** Share of sources for which a window of 20 is enough. */
  readonly within20: number
}

export interface AnalyzeOptions {
  /** Hours of the day (UTC) that the collector thinned; left out of everything judged by hours. */
  readonly maskedHours?: readonly number[]
}

/** Everything that chapter 6 and SCC07 section 4 report about a collection; null where nothing was published. */
export function analyze(collection: readonly CollectedSource[], options: AnalyzeOptions = {}): Analysis | null {
  const span = spanOf(collection)
  if (span === null) return null
  const maskedHours = options.maskedHours ?? []
  const sources = collection.map((source) => analyzeSource(source, span, maskedHours))
  const rates = sources.map((source) => source.itemsPerDay)
  const counts = sources.map(({ items }) => items)
  const bins = rateBins(counts)
  return {
    span,
    days: daysOf(span),
    items: counts.reduce((sum, items) => sum + items, 0),
    maskedHours,
    sources,
    activity: activityDistribution(rates),
    itemsOfBusiest17: itemsOfBusiest(rates, 0.17),
    periodicity: [0, 10, 48].map((moreThanPerDay) => periodicityRow(sources, moreThanPerDay)),
    shapes: {
      strict: shapesPerActivity(sources, (source) => source.shape),
      byMajority: shapesPerActivity(sources, (source) => source.shapeByMajority),
    },
    shapeSensitivity: shapeSensitivity(sources),
    rates: { bins, fit: fitPowerLaw(bins), tailExponent: tailExponent(counts, 10) },
    stability: stabilityOf(collection, span),
    hours: pooledHours(sources),
    weekdays: pooledWeekdays(collection),
    weekly: histogram(collection, span, 7 * DAY_MS),
    twoHourly: histogram(collection, { from: span.from, to: Math.min(span.to, span.from + 28 * DAY_MS) }, 2 * HOUR_MS),
    windowNeeded: [1, 6, 24].map((everyHours) => windowNeededRow(collection, everyHours)),
    windowSizes: windowSizesOf(collection),
    patterns: tally(sources.map(({ pattern }) => pattern)).map(([pattern, count]) => ({
      pattern,
      sources: count,
      share: count / sources.length,
    })),
    categories: tally(sources.flatMap(({ categories }) => categories)).map(([category, count]) => ({
      category,
      sources: count,
    })),
  }
}

function analyzeSource(source: CollectedSource, span: WatchedSpan, maskedHours: readonly number[]): AnalyzedSource {
  const rate = itemsPerDay(source.times, span)
  const hours = hoursOfDay(source.times, wholeDays(span) ?? span, maskedHours)
  const means = hours.map(({ mean }) => mean)
  return {
    id: source.id,
    title: source.description?.title ?? null,
    items: countWithin(source.times, span),
    itemsPerDay: rate,
    activity: activityClass(rate),
    cv: coefficientOfVariation(hours),
    printedCv: printedCoefficientOfVariation(hours),
    shape: discoverShape(means),
    shapeByMajority: discoverShape(means, BIG_MAJORITY),
    pattern: publicationPattern(source, span),
    categories: source.description ? categoriesOf(source.description) : [],
    hours,
  }
}

function periodicityRow(sources: readonly AnalyzedSource[], moreThanPerDay: number): PeriodicityRow {
  const measured = sources.filter((source) => source.itemsPerDay > moreThanPerDay && source.cv !== null)
  const share = (periodic: (source: AnalyzedSource) => boolean) =>
    measured.length > 0 ? measured.filter(periodic).length / measured.length : 0
  return {
    moreThanPerDay,
    sources: measured.length,
    periodic: share(({ cv }) => cv! <= PERIODIC_UP_TO),
    printedPeriodic: share(({ printedCv }) => printedCv! <= PERIODIC_UP_TO),
  }
}

function shapesPerActivity(
  sources: readonly AnalyzedSource[],
  shapeOf: (source: AnalyzedSource) => PublicationShape | null,
): readonly ShapesPerActivity[] {
  return ACTIVITY_CLASSES.map(({ id }) => {
    const shapes = sources.filter(({ activity }) => activity === id).map(shapeOf)
    return { activity: id, ...shapeCounts(shapes) }
  })
}

/** How much the thresholds that the thesis leaves open matter, with the 80 % rule. */
function shapeSensitivity(sources: readonly AnalyzedSource[]): readonly ShapeSensitivityRow[] {
  const thresholds: readonly ShapeThresholds[] = [
    { high: 1.25, low: 0.75 },
    { high: 1.5, low: 0.5 },
    { high: 2, low: 0.5 },
    { high: 2, low: 0.25 },
  ]
  return thresholds.map((pair) => {
    const shapes = sources.map(({ hours }) => {
      const means = hours.map(({ mean }) => mean)
      return discoverShape(means, BIG_MAJORITY, pair)
    })
    return { ...pair, ...shapeCounts(shapes) }
  })
}

function shapeCounts(shapes: readonly (PublicationShape | null)[]): { peaks: number; uniform: number; waves: number } {
  const count = (name: PublicationShape) => shapes.filter((shape) => shape === name).length
  return { peaks: count('peaks'), uniform: count('uniform'), waves: count('waves') }
}

function stabilityOf(collection: readonly CollectedSource[], span: WatchedSpan): Analysis['stability'] {
  if (span.to - span.from < 2 * STRETCH_MS) return null
  const first = { from: span.from, to: span.from + STRETCH_MS }
  return {
    next: rateStability(collection, first, { from: first.to, to: first.to + STRETCH_MS }),
    last: rateStability(collection, first, { from: span.to - STRETCH_MS, to: span.to }),
  }
}

function pooledHours(sources: readonly AnalyzedSource[]): Analysis['hours'] {
  const hours = sources[0]?.hours.map(({ hour }) => hour) ?? []
  const sumAt = (index: number) => sources.reduce((sum, source) => sum + entryAt(source.hours, index).mean, 0)
  const pooled = hours.map((hour, index) => ({ hour, mean: sumAt(index), deviation: 0 }))
  const shares = postingPattern(pooled)
  return hours.map((hour, index) => ({ hour, share: shares?.[index] ?? 0 }))
}

function pooledWeekdays(collection: readonly CollectedSource[]): readonly number[] {
  const counts = new Array<number>(7).fill(0)
  let total = 0
  for (const { times } of collection) {
    for (let index = 0; index < times.length; index++) {
      const day = weekdayOf(times[index] ?? 0)
      counts[day] = (counts[day] ?? 0) + 1
      total++
    }
  }
  return counts.map((count) => (total > 0 ? count / total : 0))
}

/** 0 = Monday; the epoch was a Thursday. */
function weekdayOf(at: InstantMs): number {
  return (((Math.floor(at / DAY_MS) + 3) % 7) + 7) % 7
}

function histogram(collection: readonly CollectedSource[], span: WatchedSpan, widthMs: number): readonly number[] {
  const counts = new Array<number>(Math.max(1, Math.ceil((span.to - span.from) / widthMs))).fill(0)
  for (const { times } of collection) {
    for (let index = 0; index < times.length && (times[index] ?? 0) < span.to; index++) {
      const bin = Math.floor(((times[index] ?? 0) - span.from) / widthMs)
      if (bin >= 0) counts[bin] = (counts[bin] ?? 0) + 1
    }
  }
  return counts
}

function windowNeededRow(collection: readonly CollectedSource[], everyHours: number): WindowNeededRow {
  const needed = collection.map(({ times }) => neededWindow(times, everyHours * HOUR_MS)).sort((a, b) => a - b)
  const at = (share: number) => needed[Math.min(needed.length - 1, Math.ceil(share * needed.length) - 1)] ?? 0
  return {
    everyHours,
    median: at(0.5),
    p90: at(0.9),
    max: needed.at(-1)!,
    within20: needed.filter((size) => size <= 20).length / needed.length,
  }
}

function windowSizesOf(collection: readonly CollectedSource[]): Analysis['windowSizes'] {
  const known = collection.map((source) => source.windowSizes ?? []).filter((sizes) => sizes.length > 0)
  if (known.length === 0) return null
  return { rows: windowSizes(known.flatMap((sizes) => sizes.slice(-1))), changing: changingWindows(known) }
}

function tally<Key extends string>(keys: readonly Key[]): [Key, number][] {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
