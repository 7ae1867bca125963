import { linearScale, logScale, type Scale, shortNumber } from './scale.ts'

/** Plots as inline SVG: no script, no outside file. Colours are classes (c0, c1 …) that the page's style sheet fills. */
export interface Axes {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
}

const WIDTH = 480
const HEIGHT = 260
const LEFT = 62
const RIGHT = 24
const TOP = 10
const BOTTOM = 46
const FLOOR = HEIGHT - BOTTOM

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** One bar per label; several series are stacked. */
export function barChart(
  axes: Axes,
  labels: readonly string[],
  series: readonly {
    readonly name: string
    readonly values: readonly number[]
    readonly deviations?: readonly number[]
  }[],
): string {
  const totals = labels.map((_, index) =>
    series.reduce((sum, { values, deviations }) => sum + (values[index] ?? 0) + (deviations?.[index] ?? 0), 0),
  )
  const y = linearScale(0, Math.max(...totals, 1e-12), FLOOR, TOP)
  const slot = (WIDTH - LEFT - RIGHT) / labels.length
  const bars = labels.map((label, index) => {
    const x = LEFT + index * slot + slot * 0.1
    let below = 0
    return series.map(({ name, values, deviations }, seriesIndex) => {
      const value = values[index] ?? 0
      const top = y.position(below + value)
      const height = y.position(below) - top
      const tip = `${label}${series.length > 1 ? `, ${name}` : ''}: ${shortNumber(value)}`
      below += value
      const bar = rectangle(x, top, slot * 0.8, height, `c${seriesIndex}`, tip)
      return bar + deviationBar(x + slot * 0.4, value, deviations?.[index], y)
    })
  })
  const every = Math.ceil(labels.length / 12)
  const names = labels.map((label, index) =>
    index % every === 0 ? text(LEFT + (index + 0.5) * slot, FLOOR + 14, label, 'middle') : '',
  )
  const body = [yAxis(y), ...bars.flat(), ...names].join('')
  return plot(axes, body, series.length > 1 ? series.map(({ name }) => name) : [])
}

export interface Dots {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly tip?: string }[]
  /** Joined by a line instead of drawn as dots. */
  readonly line?: boolean
}

export function scatterChart(axes: Axes, groups: readonly Dots[], scales: 'linear' | 'log' = 'linear'): string {
  const points = groups.flatMap((group) => group.points)
  const [x, y] = [
    axis(
      points.map((point) => point.x),
      LEFT,
      WIDTH - RIGHT,
      scales,
    ),
    axis(
      points.map((point) => point.y),
      FLOOR,
      TOP,
      scales,
    ),
  ]
  const marks = groups.map(({ points: own, line }, index) =>
    line
      ? polyline(own, x, y, index)
      : own.map((point) => dot(x.position(point.x), y.position(point.y), index, point.tip)).join(''),
  )
  return plot(axes, yAxis(y) + xAxis(x) + marks.join(''), groups.length > 1 ? groups.map(({ name }) => name) : [])
}

function axis(values: readonly number[], start: number, end: number, kind: 'linear' | 'log'): Scale {
  if (kind === 'linear') return linearScale(Math.min(0, ...values), Math.max(...values, 1e-12), start, end)
  const positive = values.filter((value) => value > 0)
  return logScale(Math.min(...positive, 1), Math.max(...positive, 1), start, end)
}

function plot(axes: Axes, body: string, legend: readonly string[]): string {
  const keys = legend.map((name, index) => `<span class="key c${index}">${escapeText(name)}</span>`).join('')
  const labels =
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, axes.xLabel, 'middle') +
    `<text transform="rotate(-90)" x="${-(TOP + FLOOR) / 2}" y="12" text-anchor="middle">${escapeText(axes.yLabel)}</text>`
  return (
    `<figure><figcaption>${escapeText(axes.title)}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(axes.title)}">${body}${labels}</svg>` +
    `${keys === '' ? '' : `<div class="legend">${keys}</div>`}</figure>`
  )
}

function yAxis(scale: Scale): string {
  return scale.ticks
    .map((tick) => {
      const y = scale.position(tick)
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${coordinate(y)}" y2="${coordinate(y)}"/>${text(LEFT - 6, y + 4, shortNumber(tick), 'end')}`
    })
    .join('')
}

function xAxis(scale: Scale): string {
  return scale.ticks.map((tick) => text(scale.position(tick), FLOOR + 14, shortNumber(tick), 'middle')).join('')
}

function rectangle(x: number, y: number, width: number, height: number, colour: string, tip: string): string {
  return `<rect class="${colour}" x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}" height="${coordinate(Math.max(0, height))}"><title>${escapeText(tip)}</title></rect>`
}

/** A standard deviation as a vertical line, as Figures 6.3 and 6.4 draw it. */
function deviationBar(x: number, value: number, deviation: number | undefined, y: Scale): string {
  if (deviation === undefined) return ''
  const [from, to] = [y.position(Math.max(0, value - deviation)), y.position(value + deviation)]
  return `<line class="spread" x1="${coordinate(x)}" x2="${coordinate(x)}" y1="${coordinate(from)}" y2="${coordinate(to)}"/>`
}

function dot(x: number, y: number, colour: number, tip: string | undefined): string {
  const title = tip === undefined ? '' : `<title>${escapeText(tip)}</title>`
  return `<circle class="c${colour}" cx="${coordinate(x)}" cy="${coordinate(y)}" r="2.5">${title}</circle>`
}

function polyline(points: readonly { x: number; y: number }[], x: Scale, y: Scale, colour: number): string {
  const path = points.map((point) => `${coordinate(x.position(point.x))},${coordinate(y.position(point.y))}`).join(' ')
  return `<polyline class="line c${colour}" points="${path}"/>`
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}">${escapeText(content)}</text>`
}

function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10)
}
