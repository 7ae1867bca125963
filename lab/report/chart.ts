import { entryAt } from '../../src/model/entry-at.ts'
import { type Axis, axisFor } from './axes.ts'
import { EMPTY_HTML, type ReportHtml, raw, reportHtml } from './html.ts'
import { drawnPoints, type PlotPoint, runs } from './points.ts'
import type { Series } from './types.ts'

/** Colours of the style sheet; beyond them lines are dashed, so that every curve keeps a look of its own. */
const COLOURS = 8
const DASHES = ['', '6 3', '2 3', '8 3 2 3']

/** Small enough that its letters stay readable when a phone shrinks it to its width. */
const WIDTH = 480
const HEIGHT = 300
const BOX = { left: 58, right: 14, top: 12, bottom: 44 }
/** Points are marked and show their values as long as they can be distinguished. */
const MOST_MARKS = 40

/** All series of one figure as one plot with axes and legend. */
export function chart(title: string, series: readonly Series[]): ReportHtml {
  const isGraph = series.every(({ style }) => style === 'segments')
  const height = isGraph ? WIDTH - BOX.left - BOX.right + BOX.top + BOX.bottom : HEIGHT
  const floor = height - BOX.bottom
  const x = axisFor(series, 'x', BOX.left, WIDTH - BOX.right)
  const y = axisFor(series, 'y', floor, BOX.top)
  const [first] = series
  return reportHtml`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
${grid(x, y, floor)}
${series.map((each, index) => curve(each, index, x, y))}
<text class="label" x="${(BOX.left + WIDTH - BOX.right) / 2}" y="${height - 8}" text-anchor="middle">${first?.xLabel ?? ''}${scaleWord(x)}</text>
<text class="label" transform="rotate(-90)" x="${-(BOX.top + floor) / 2}" y="13" text-anchor="middle">${first?.yLabel ?? ''}${scaleWord(y)}</text>
</svg>
${series.length > 1 ? legend(series) : EMPTY_HTML}
</figure>`
}

function scaleWord({ kind }: Axis): string {
  return kind === 'log' ? ' (log)' : ''
}

function grid(x: Axis, y: Axis, floor: number): ReportHtml {
  const right = WIDTH - BOX.right
  return reportHtml`${y.labels.map(
    ({ at, text }) =>
      reportHtml`<line class="grid" x1="${BOX.left}" x2="${right}" y1="${short(at)}" y2="${short(at)}"/><text x="${BOX.left - 7}" y="${short(at + 4)}" text-anchor="end">${text}</text>`,
  )}
${x.labels.map(
  ({ at, text }) =>
    reportHtml`<line class="tick" x1="${short(at)}" x2="${short(at)}" y1="${floor}" y2="${floor + 4}"/><text x="${short(at)}" y="${floor + 17}" text-anchor="middle">${text}</text>`,
)}
<line class="axis" x1="${BOX.left}" x2="${right}" y1="${floor}" y2="${floor}"/>`
}

function curve(series: Series, index: number, x: Axis, y: Axis): ReportHtml {
  const colour = `c${index % COLOURS}`
  const placed = drawnPoints(series, x, y)
  if (series.style === 'segments') return reportHtml`<path class="edges ${colour}" d="${segmentsPath(placed)}"/>`
  const marks =
    series.style === 'points' || placed.length <= MOST_MARKS ? placed.map((p) => mark(p, series, colour)) : []
  if (series.style === 'points') return reportHtml`<g class="dots">${marks}</g>`
  const dash = entryAt(DASHES, Math.floor(index / COLOURS) % DASHES.length)
  const dashed = dash === '' ? EMPTY_HTML : reportHtml` stroke-dasharray="${dash}"`
  return reportHtml`<path class="curve ${colour}" d="${linePath(placed)}"${dashed}/>${marks}`
}

function mark({ px, py, x, y }: PlotPoint, series: Series, colour: string): ReportHtml {
  if (!Number.isFinite(px) || !Number.isFinite(py)) return EMPTY_HTML
  const tip = `${series.name}: ${precise(y)} at ${series.xLabel} ${precise(x)}`
  return reportHtml`<circle class="mark ${colour}" cx="${short(px)}" cy="${short(py)}" r="2.6"><title>${tip}</title></circle>`
}

function linePath(points: readonly PlotPoint[]): string {
  return runs(points)
    .map((run) => `M${run.map(({ px, py }) => `${short(px)} ${short(py)}`).join('L')}`)
    .join('')
}

function segmentsPath(points: readonly PlotPoint[]): string {
  const segments: string[] = []
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [from, to] = [entryAt(points, k), entryAt(points, k + 1)]
    if (runs([from, to]).length === 1) {
      segments.push(`M${short(from.px)} ${short(from.py)}L${short(to.px)} ${short(to.py)}`)
    }
  }
  return segments.join('')
}

function legend(series: readonly Series[]): ReportHtml {
  return reportHtml`<ul class="legend">${series.map(({ name }, index) => {
    const dash = entryAt(DASHES, Math.floor(index / COLOURS) % DASHES.length)
    const line = raw(`<line x1="0" x2="22" y1="5" y2="5"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/>`)
    return reportHtml`<li><svg class="key c${index % COLOURS}" viewBox="0 0 22 10" aria-hidden="true">${line}</svg>${name}</li>`
  })}</ul>`
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function precise(value: number): string {
  return String(Number(value.toPrecision(4)))
}
