import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './charts.css'
import { clockTime, dayOf, exactTime } from '../format/words.ts'
import type { Line, LineChartProps } from './chart.ts'

/** Up to so many values each has its dot: then also those between gaps are seen. */
const MOST_DOTS = 60

const HEIGHT_PX = 180
const X_AXIS_PX = 32
/** The last label of the axis is half beyond it. */
const RIGHT_PX = 28
const DAY_S = 86_400
const FEW_MINUTES_S = 300
/** Of the most: a curve along the top is not blown up to a mountain range. */
const NARROWEST = 0.05

export function makePlot(props: LineChartProps, element: HTMLElement): uPlot {
  const color = colorsOf(element)
  const isTime = props.xKind === 'time'
  const options: uPlot.Options = {
    width: Math.max(element.clientWidth, 100),
    height: props.heightPx ?? HEIGHT_PX,
    legend: { show: false },
    padding: [null, RIGHT_PX, null, null],
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: isTime, distr: props.xKind === 'log' ? 3 : 1 },
      y: { range: (_plot, low, high) => rangeOf(props, low, high) },
    },
    axes: axesOf(props, color),
    series: [{}, ...props.lines.map((line) => seriesOf(line, color, props.x.length))],
  }
  const x = isTime ? props.x.map((at) => at / 1_000) : [...props.x]
  return new uPlot(options, [x, ...props.lines.map(({ values }) => [...values])], element)
}

function axesOf(props: LineChartProps, color: (name: string) => string): uPlot.Axis[] {
  const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } }
  return [
    {
      ...axis,
      size: X_AXIS_PX,
      ...(props.xLabel === undefined ? {} : { label: props.xLabel, labelSize: 20 }),
      values: (_plot, splits) => splits.map((split) => xLabel(props, split, splits)),
    },
    { ...axis, size: 64, values: (_plot, splits) => splits.map((split) => props.format(split)) },
  ]
}

function seriesOf(line: Line, color: (name: string) => string, points: number): uPlot.Series {
  const stroke = color(`--series-${line.color}`)
  return {
    label: line.label,
    stroke,
    width: line.pointsOnly ? 0 : 2,
    points: {
      show: line.isDashed !== true && (line.pointsOnly === true || points <= MOST_DOTS),
      size: line.pointsOnly ? 14 : 5,
      fill: stroke,
    },
    spanGaps: false,
    ...(line.isDashed ? { dash: [6, 5] } : {}),
    ...(line.pointsOnly ? { paths: () => null } : {}),
  }
}

/** The canvas takes no custom properties, so they are read when it is drawn. */
function colorsOf(element: HTMLElement): (name: string) => string {
  const style = getComputedStyle(element)
  return (name) => style.getPropertyValue(name).trim()
}

function rangeOf(props: LineChartProps, low: number | null, high: number | null): [number, number] {
  // Where all is at the most there can be, there is still something to see below it.
  const least = props.max === undefined ? (low ?? 0) : Math.min(low ?? 0, props.max - NARROWEST * props.max)
  const min = props.min ?? least
  const max = props.max ?? Math.max((high ?? 1) * 1.08, min + (props.narrowest ?? Number.EPSILON))
  return [min, max > min ? max : min + (props.narrowest ?? 1)]
}

function xLabel(props: LineChartProps, split: number | null, splits: readonly number[]): string {
  if (split === null) return ''
  if (props.xKind !== 'time') return String(Number(split.toPrecision(3)))
  const spanS = (splits.at(-1) ?? split) - (splits[0] ?? split)
  if (spanS > 2 * DAY_S) return dayOf(split * 1_000)
  return spanS < FEW_MINUTES_S ? exactTime(split * 1_000) : clockTime(split * 1_000)
}
