import { entryAt } from '../../src/model/entry-at.ts'
import type { Axis } from './axes.ts'
import type { Series } from './types.ts'

/** A value and its place in the plot. */
export interface PlotPoint {
  readonly x: number
  readonly y: number
  readonly px: number
  readonly py: number
}

/** More points than this cannot be seen in a plot of 400 pixels. */
const MOST_POINTS = 1_200

/** The points to draw: all of them, or of long lines the least and the greatest of each pixel column. */
export function drawnPoints(series: Series, x: Axis, y: Axis): PlotPoint[] {
  const points = series.x.map((value, index): PlotPoint => {
    const other = series.y[index] ?? Number.NaN
    return { x: value, y: other, px: at(x, value), py: at(y, other) }
  })
  return series.style === undefined || series.style === 'line' ? thinPoints(points) : points
}

/** A logarithmic axis has no place for 0 and less; JSON gives null for what is not finite. */
function at(axis: Axis, value: number | null): number {
  if (value === null || !Number.isFinite(value) || (axis.kind === 'log' && value <= 0)) return Number.NaN
  return axis.position(value)
}

function thinPoints(points: PlotPoint[]): PlotPoint[] {
  if (points.length <= MOST_POINTS) return points
  const chosenPoints: PlotPoint[] = []
  for (let from = 0; from < points.length; ) {
    const column = Math.round(entryAt(points, from).px)
    let to = from + 1
    while (to < points.length && Math.round(entryAt(points, to).px) === column) to++
    chosenPoints.push(...extremes(points, from, to))
    from = to
  }
  return chosenPoints
}

/** First and last of a column and the outermost between, in their order. */
function extremes(points: readonly PlotPoint[], from: number, to: number): PlotPoint[] {
  let low = from
  let high = from
  for (let k = from; k < to; k++) {
    if (entryAt(points, k).py < entryAt(points, low).py) low = k
    if (entryAt(points, k).py > entryAt(points, high).py) high = k
  }
  return [...new Set([from, low, high, to - 1])].sort((a, b) => a - b).map((k) => entryAt(points, k))
}

/** Parts without a gap. */
export function runs(points: readonly PlotPoint[]): PlotPoint[][] {
  const parts: PlotPoint[][] = []
  let open: PlotPoint[] = []
  for (const point of points) {
    if (Number.isFinite(point.px) && Number.isFinite(point.py)) open.push(point)
    else if (open.length > 0) {
      parts.push(open)
      open = []
    }
  }
  return open.length > 0 ? [...parts, open] : parts
}
