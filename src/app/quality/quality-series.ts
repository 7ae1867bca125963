import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { type MeasuredPeriod, measureQuality, periodUntil, type QualityMeasures } from '../../quality/live.ts'
import type { RecentQuality } from './recent-quality.ts'

export interface QualityPoint extends QualityMeasures {
  readonly from: InstantMs
  readonly to: InstantMs
}

export interface QualitySeries {
  readonly stepMs: DurationMs
  /** Oldest first. */
  readonly points: readonly QualityPoint[]
}

interface Division {
  readonly stepMs: DurationMs
  readonly count: number
}

/** How a period is divided for a curve; an hour alone says little, so those before it go with it. */
const DIVISIONS: Readonly<Record<MeasuredPeriod, Division>> = {
  hour: { stepMs: HOUR_MS, count: 6 },
  day: { stepMs: HOUR_MS, count: 24 },
  week: { stepMs: DAY_MS, count: 7 },
}

/** Where days say too little. */
const FINER_WEEK: Division = { stepMs: HOUR_MS, count: 48 }
const FEW_DAYS = 2

interface Finer {
  readonly spanMs: DurationMs
  readonly stepMs: DurationMs
}

/** Of what the node remembers: the first in which most of enough steps have something to show is taken. */
const inSteps = (spanMs: DurationMs, ...minutes: number[]): readonly Finer[] =>
  minutes.map((count) => ({ spanMs, stepMs: count * MINUTE_MS }))
const FIRST_MINUTES: Finer = { spanMs: 20 * MINUTE_MS, stepMs: 10 * SECOND_MS }
const OF_AN_HOUR = [...inSteps(HOUR_MS, 1, 5, 10), FIRST_MINUTES]
const OF_A_DAY = inSteps(DAY_MS, 10, 30)
/** However long the period is: a node that began two hours ago has nothing else to show. */
const OF_A_YOUNG_NODE = [...inSteps(2 * HOUR_MS, 1, 5, 10), FIRST_MINUTES]
const FEW_HOURS = 2
const MOST_STEPS = 0.7
/** So many make a curve; where none has, the longest is taken. */
const A_CURVE = 12

export type ReadMeasures = (since: InstantMs, until: InstantMs) => Promise<QualityMeasures>

/** In whole hours as the store keeps them, up to and with the one under way. */
export async function seriesOf(over: MeasuredPeriod, now: InstantMs, read: ReadMeasures): Promise<QualitySeries> {
  const points = await divided(DIVISIONS[over], over, now, read)
  const isYoung = over === 'week' && filledCount(points) > 0 && filledCount(points) <= FEW_DAYS
  if (!isYoung) return { stepMs: DIVISIONS[over].stepMs, points }
  const finer = await divided(FINER_WEEK, over, now, read)
  return { stepMs: FINER_WEEK.stepMs, points: fromFirst(finer) }
}

/** The same of the node itself: where hours are few, by the minute. */
export async function seriesOfNode(
  over: MeasuredPeriod,
  now: InstantMs,
  read: ReadMeasures,
  recent: Pick<RecentQuality, 'steps'>,
): Promise<QualitySeries> {
  const hour = over === 'hour' ? finest(OF_AN_HOUR, now, recent) : null
  if (hour !== null) return hour
  const series = await seriesOf(over, now, read)
  const isYoung = series.stepMs === HOUR_MS && filledCount(series.points) <= FEW_HOURS
  const finer = isYoung ? finest(OF_A_YOUNG_NODE, now, recent) : over === 'day' ? finest(OF_A_DAY, now, recent) : null
  // After a long pause the hours before it are more to look at than the minutes since.
  return finer !== null && filledCount(finer.points) > filledCount(series.points) ? finer : series
}

function finest(choices: readonly Finer[], now: InstantMs, recent: Pick<RecentQuality, 'steps'>): QualitySeries | null {
  const series = choices.map(({ spanMs, stepMs }): QualitySeries => {
    const steps = recent.steps(spanMs, stepMs, now)
    return { stepMs, points: steps.map(({ from, to, tally }) => ({ from, to, ...measureQuality(tally) })) }
  })
  const dense = series.filter(({ points }) => points.length >= 2 && filledCount(points) >= MOST_STEPS * points.length)
  const longest = dense.toSorted((a, b) => filledCount(b.points) - filledCount(a.points))[0]
  return dense.find(({ points }) => points.length >= A_CURVE) ?? longest ?? null
}

async function divided(
  { stepMs, count }: Division,
  over: MeasuredPeriod,
  now: InstantMs,
  read: ReadMeasures,
): Promise<QualityPoint[]> {
  const { until } = periodUntil(over, now)
  const points: QualityPoint[] = []
  for (let remaining = count; remaining > 0; remaining--) {
    const [from, to] = [until - remaining * stepMs, until - (remaining - 1) * stepMs]
    points.push({ from, to: Math.min(to, Math.max(now, from + 1)), ...(await read(from, to)) })
  }
  return points
}

function filledCount(points: readonly QualityPoint[]): number {
  return points.filter(({ requests }) => requests > 0).length
}

function fromFirst(points: readonly QualityPoint[]): readonly QualityPoint[] {
  const first = points.findIndex(({ requests }) => requests > 0)
  return first === -1 ? points : points.slice(first)
}
