import type { Frame, LineChartProps } from './chart.ts'
import { logTicks, timeTicks, valueTicks } from './ticks.ts'

const TOP_PX = 12
const BOTTOM_PX = 26
const X_LABEL_PX = 18
const RIGHT_PX = 12
const CHARACTER_PX = 6.6
const X_TICK_PX = 64
const MINUTE_MS = 60_000
/** Of the most: a curve along the top is not blown up to a mountain range. */
const NARROWEST = 0.05

export function frameOf(props: LineChartProps, width: number, height: number): Frame {
  const yTicks = yTicksOf(props)
  const widest = Math.max(...yTicks.map((tick) => props.format(tick).length))
  const left = Math.ceil(widest * CHARACTER_PX) + 12
  const right = width - RIGHT_PX
  const bottom = height - BOTTOM_PX - (props.xLabel === undefined ? 0 : X_LABEL_PX)
  const [low = 0, high = 1] = [yTicks[0], yTicks.at(-1)]
  const yOf = (value: number) => bottom - ((value - low) / (high - low || 1)) * (bottom - TOP_PX)
  const { xOf, xTicks } = xAxis(props, left, right)
  return { width, height, left, right, top: TOP_PX, bottom, xOf, yOf, xTicks, yTicks }
}

function xAxis({ x, xKind, lines }: LineChartProps, left: number, right: number): Pick<Frame, 'xOf' | 'xTicks'> {
  const from = x[0] ?? 0
  const to = x.at(-1) ?? 1
  const most = Math.max(2, Math.floor((right - left) / X_TICK_PX))
  if (xKind === 'log') {
    const span = Math.log(to / from) || 1
    return { xOf: (value) => left + (Math.log(value / from) / span) * (right - left), xTicks: logTicks(from, to, most) }
  }
  // A bar is as wide as its step: the first and the last need half of it beside the axis.
  const half = lines.some(({ form }) => form === 'bars') && x.length > 1 ? (to - from) / (x.length - 1) / 2 : 0
  const span = to - from + 2 * half || 1
  const xOf = (value: number) => left + ((value - from + half) / span) * (right - left)
  if (xKind === 'time') return { xOf, xTicks: timeTicks(from, to, most, offsetAt(from)) }
  return { xOf, xTicks: valueTicks(from, to, 'number', most).filter((tick) => tick >= from && tick <= to) }
}

function offsetAt(at: number): number {
  return -new Date(at).getTimezoneOffset() * MINUTE_MS
}

function yTicksOf(props: LineChartProps): number[] {
  const { band, lines, max, narrowest, kind = 'number' } = props
  const known = [...lines.map(({ values }) => values), ...(band ? [band.low, band.high] : [])]
    .flat()
    .filter((value) => value !== null)
  const least = Math.min(...known)
  const low = props.min ?? (max === undefined ? least : Math.min(least, max - NARROWEST * max))
  const high = max ?? Math.max(...known, low + (narrowest ?? Number.EPSILON))
  const ticks = valueTicks(low, high, kind)
  return max === undefined ? ticks : ticks.filter((tick) => tick <= max * (1 + 1e-9))
}
