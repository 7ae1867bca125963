import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Series, Table } from '../../lab/report/types.ts'
import { ROOT } from './outline.ts'

interface Expected {
  readonly tables?: readonly Table[]
  readonly series?: readonly Series[]
}

/**
 * `<!-- chart: EXPERIMENT, FIGURE -->` in a document becomes a chart of the figures that are committed with the experiment, and
 * `<!-- table: EXPERIMENT, TITLE -->` a table; both by the beginning of their name. No figure is written by hand.
 */
export function withFigures(html: string): string {
  return html.replace(/<!-- (chart|table): ([\w.-]+), (.+?) -->/g, (_, kind: string, id: string, name: string) =>
    kind === 'chart' ? chartOf(id, name) : tableOf(id, name),
  )
}

function expectedOf(id: string): Expected {
  const path = join(ROOT, 'lab/experiments', id, 'expected.json')
  if (!existsSync(path)) throw new Error(`no figures of an experiment ${id}`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

function chartOf(id: string, name: string): string {
  const series = (expectedOf(id).series ?? []).filter(({ figure }) => figure.startsWith(name))
  const [first] = series
  if (first === undefined) throw new Error(`no figure "${name}" in the experiment ${id}`)
  const curves = series.map(({ name, x, y }) => ({ name, x, y }))
  const isLog = { x: first.log?.includes('x') ?? false, y: first.log?.includes('y') ?? false }
  return chartFigure(
    { title: first.figure, xLabel: first.xLabel, yLabel: first.yLabel, isLog, curves },
    `headwater lab run ${id}`,
  )
}

interface SiteChart {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly isLog: { readonly x: boolean; readonly y: boolean }
  readonly curves: readonly { readonly name: string; readonly x: readonly number[]; readonly y: readonly number[] }[]
}

/** Drawn in the page (site.js), with values under the pointer; without scripts its figures are in a table. */
function chartFigure(chart: SiteChart, command: string): string {
  const data = JSON.stringify(chart).replaceAll('<', '\\u003c')
  const columns = [chart.xLabel, ...chart.curves.map(({ name }) => name)]
  const xs = [...new Set(chart.curves.flatMap(({ x }) => x))].sort((a, b) => a - b)
  const rows = xs.map((x) => [x, ...chart.curves.map((curve) => curve.y[curve.x.indexOf(x)] ?? '–')])
  return `<figure class="chart"><figcaption>${words(chart.title)}</figcaption><div class="plot"></div>
<script type="application/json">${data}</script>
<details><summary>The figures</summary>${tableHtmlOf(columns, rows)}</details>
<p class="from">From <code>${words(command)}</code></p></figure>`
}

function tableOf(id: string, name: string): string {
  const table = (expectedOf(id).tables ?? []).find(({ title }) => title.startsWith(name))
  if (table === undefined) throw new Error(`no table "${name}" in the experiment ${id}`)
  return `<figure><figcaption>${words(table.title)}</figcaption>${tableHtmlOf(table.columns, table.rows)}
<p class="from">From <code>headwater lab run ${id}</code></p></figure>`
}

export function tableHtmlOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const head = columns.map((column) => `<th scope="col">${words(column)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${words(String(cell))}</td>`).join('')}</tr>`).join('\n')
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

function words(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
