import { entryAt } from '../../../src/model/entry-at.ts'
import {
  ACTIVITY_CLASSES,
  type ActivityClass,
  activityClass,
  activityDistribution,
  BIG_MAJORITY,
  coefficientOfVariation,
  discoverShape,
  type HourOfDay,
  hoursOfDay,
  itemsPerDay,
  PERIODIC_UP_TO,
  type PublicationShape,
  printedCoefficientOfVariation,
  type ShapeThresholds,
  type WatchedSpan,
} from '../../analysis/index.ts'
import type { TraceSet } from '../../traces/trace-set.ts'
import type { Trace } from '../../worlds/trace.ts'
import { activeWithin } from '../traces/days.ts'

/** One source over the days of a span, as chapter 6 sees it. */
export interface SourceMeasures {
  readonly id: string
  readonly itemsPerDay: number
  readonly activity: ActivityClass
  readonly hours: readonly HourOfDay[]
  /** 6.3, over the hours with items; and divided by 24, as printed. */
  readonly cv: number | null
  readonly printedCv: number | null
}

export function measureSources(
  trace: Trace,
  span: WatchedSpan,
  maskedHours: readonly number[],
): readonly SourceMeasures[] {
  return activeWithin(trace, span).map(({ id, times }) => {
    const rate = itemsPerDay(times, span)
    const hours = hoursOfDay(times, span, maskedHours)
    return {
      id,
      itemsPerDay: rate,
      activity: activityClass(rate),
      hours,
      cv: coefficientOfVariation(hours),
      printedCv: printedCoefficientOfVariation(hours),
    }
  })
}

export interface ShapeRule {
  /** Share of the hours that must agree: 1 is Algorithm 6.1 as printed, 0.8 the less restrictive form. */
  readonly majority: number
  readonly thresholds?: ShapeThresholds
}

export const STRICT: ShapeRule = { majority: 1 }
export const BY_MAJORITY: ShapeRule = { majority: BIG_MAJORITY }

export function shapeOf({ hours }: SourceMeasures, { majority, thresholds }: ShapeRule): PublicationShape | null {
  return discoverShape(
    hours.map(({ mean }) => mean),
    majority,
    thresholds,
  )
}

export type ShapeCounts = Readonly<Record<PublicationShape, number>>

export function shapeCounts(sources: readonly SourceMeasures[], rule: ShapeRule): ShapeCounts {
  const counts = { peaks: 0, uniform: 0, waves: 0 }
  for (const source of sources) {
    const shape = shapeOf(source, rule)
    if (shape !== null) counts[shape]++
  }
  return counts
}

/** Figures 6.6 and 6.7: shapes within each activity class. */
export function shapesPerActivity(
  sources: readonly SourceMeasures[],
  rule: ShapeRule,
): readonly { readonly activity: ActivityClass; readonly counts: ShapeCounts }[] {
  return ACTIVITY_CLASSES.map(({ id }) => ({
    activity: id,
    counts: shapeCounts(
      sources.filter(({ activity }) => activity === id),
      rule,
    ),
  }))
}

export function shareOfShape(counts: ShapeCounts, shape: PublicationShape): number {
  const all = counts.peaks + counts.uniform + counts.waves
  return all > 0 ? counts[shape] / all : 0
}

/** Share of the sources above a rate that are periodic (CV ≤ 1), and with the formula as printed. */
export function periodicAbove(sources: readonly SourceMeasures[], moreThanPerDay: number) {
  const measured = sources.filter((source) => source.itemsPerDay > moreThanPerDay && source.cv !== null)
  const share = (cvOf: (source: SourceMeasures) => number | null) =>
    measured.length > 0 ? measured.filter((source) => cvOf(source)! <= PERIODIC_UP_TO).length / measured.length : 0
  return { sources: measured.length, periodic: share(({ cv }) => cv), printed: share(({ printedCv }) => printedCv) }
}

/** The source that shows something most clearly: the one with the least (or the greatest) coefficient of variation. */
export function clearest(sources: readonly SourceMeasures[], which: 'least' | 'greatest'): SourceMeasures | null {
  const sorted = sources.filter(({ cv }) => cv !== null).toSorted((a, b) => a.cv! - b.cv!)
  return (which === 'least' ? sorted[0] : sorted.at(-1)) ?? null
}

/** A trace set as chapter 6 sees it. */
export interface Collection {
  readonly set: TraceSet
  /** The first four weeks, and the whole trace. */
  readonly weeks: readonly SourceMeasures[]
  readonly whole: readonly SourceMeasures[]
}

export const SHAPES: readonly PublicationShape[] = ['peaks', 'uniform', 'waves']

/** Shares of sources below 1, from 1 to 10 and above 10 items a day, and what the last publish. */
export function activityShares(sources: readonly SourceMeasures[]) {
  const rows = activityDistribution(sources.map(({ itemsPerDay }) => itemsPerDay))
  const above = rows.filter(({ fromPerDay }) => fromPerDay >= 10)
  return {
    rows,
    shares: [
      entryAt(rows, 0).shareOfSources,
      entryAt(rows, 1).shareOfSources,
      sum(above.map((row) => row.shareOfSources)),
    ],
    itemsAbove: sum(above.map((row) => row.shareOfItems)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
