import { entryAt } from '../../src/model/entry-at.ts'
import { chart } from '../report/chart.ts'
import { EMPTY_HTML, type ReportHtml, reportHtml } from '../report/html.ts'
import { reportPage } from '../report/page.ts'
import { cellText, tableHtml } from '../report/table.ts'
import type { Series } from '../report/types.ts'
import type { Experiment, ExperimentResult, PaperClaim } from './experiment.ts'

export interface ReportedResult {
  readonly experiment: Pick<Experiment, 'id' | 'title' | 'paper'>
  readonly result: ExperimentResult
  readonly seeds?: number
}

/** All results as one HTML file that can be opened, sent and kept as it is. */
export function renderReport(results: readonly ReportedResult[]): string {
  const claims = results.flatMap(({ result }) => result.claims)
  const holding = claims.filter(({ holds }) => holds).length
  const title = results.length === 1 ? entryAt(results, 0).experiment.title : 'Headwater lab report'
  const summary = reportHtml`<header>
<p class="quiet">Headwater lab</p>
<h1>${title}</h1>
<p>${results.length === 1 ? '' : `${results.length} experiments, `}${holding} of ${claims.length} claims hold.</p>
${results.length > 1 ? reportHtml`<ul class="contents">${results.map(contentsLine)}</ul>` : EMPTY_HTML}
</header>`
  return reportPage(title, reportHtml`${summary}\n<main>\n${results.map(articleHtml)}\n</main>`)
}

function contentsLine({ experiment, result }: ReportedResult): ReportHtml {
  const broken = result.claims.filter(({ holds }) => !holds).length
  const words = broken === 0 ? `${result.claims.length} ✓` : `${broken} of ${result.claims.length} ✗`
  return reportHtml`<li><a href="#${experiment.id}">${experiment.title}</a><span class="quiet">${experiment.paper}</span><span class="verdict${broken > 0 ? ' broken' : ''}">${words}</span></li>`
}

function articleHtml({ experiment, result, seeds }: ReportedResult): ReportHtml {
  const seedWords = seeds === undefined ? '' : ` · ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`
  return reportHtml`<article id="${experiment.id}">
<h2>${experiment.title}</h2>
<p class="quiet">${experiment.paper} · <code>headwater lab run ${experiment.id}</code>${seedWords}</p>
<ul class="claims">${result.claims.map(claimHtml)}</ul>
${plots(result.series)}
${result.tables.map((table) => tableHtml(table))}
${deviations(result.deviations ?? [])}
</article>`
}

function claimHtml({ text, holds, figures }: PaperClaim): ReportHtml {
  const list = Object.entries(figures).map(([name, value]) => reportHtml`<li>${name} <b>${cellText(value)}</b></li>`)
  return reportHtml`<li class="${holds ? 'holds' : 'broken'}"><span class="verdict" title="${holds ? 'holds' : 'does not hold'}">${holds ? '✓' : '✗'}</span><span>${text}</span>${list.length > 0 ? reportHtml`<ul class="figures">${list}</ul>` : EMPTY_HTML}</li>`
}

function plots(series: readonly Series[]): ReportHtml {
  if (series.length === 0) return EMPTY_HTML
  const byFigure = grouped(series)
  const charts = [...byFigure].map(([figure, group]) => chart(titled(figure), group))
  return reportHtml`<h3>Figures</h3>\n<div class="plots">\n${charts}\n</div>`
}

function grouped(series: readonly Series[]): Map<string, Series[]> {
  const groups = new Map<string, Series[]>()
  for (const each of series) {
    const group = groups.get(each.figure)
    if (group) group.push(each)
    else groups.set(each.figure, [each])
  }
  return groups
}

/** A figure that begins with its number in the paper says so. */
function titled(figure: string): string {
  return /^\d/.test(figure) ? `Figure ${figure}` : figure
}

function deviations(words: readonly string[]): ReportHtml {
  if (words.length === 0) return EMPTY_HTML
  return reportHtml`<h3>Where ours differs</h3>\n<ul class="deviations">${words.map((text) => reportHtml`<li>${text}</li>`)}</ul>`
}
