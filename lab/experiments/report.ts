import { entryAt } from '../../src/model/entry-at.ts'
import { chart } from '../report/chart.ts'
import { type Html, html, NOTHING } from '../report/html.ts'
import { page } from '../report/page.ts'
import { cellText, tableHtml } from '../report/table.ts'
import type { Series } from '../report/types.ts'
import type { Claim, Experiment, ExperimentResult } from './experiment.ts'

export interface Reported {
  readonly experiment: Pick<Experiment, 'id' | 'title' | 'paper'>
  readonly result: ExperimentResult
  readonly seeds?: number
}

/** All results as one HTML file that can be opened, sent and kept as it is. */
export function renderReport(results: readonly Reported[]): string {
  const claims = results.flatMap(({ result }) => result.claims)
  const holding = claims.filter(({ holds }) => holds).length
  const title = results.length === 1 ? entryAt(results, 0).experiment.title : 'Headwater lab report'
  const summary = html`<header>
<p class="quiet">Headwater lab</p>
<h1>${title}</h1>
<p>${results.length === 1 ? '' : `${results.length} experiments, `}${holding} of ${claims.length} claims hold.</p>
${results.length > 1 ? html`<ul class="contents">${results.map(contentsLine)}</ul>` : NOTHING}
</header>`
  return page(title, html`${summary}\n<main>\n${results.map(articleHtml)}\n</main>`)
}

function contentsLine({ experiment, result }: Reported): Html {
  const broken = result.claims.filter(({ holds }) => !holds).length
  const words = broken === 0 ? `${result.claims.length} ✓` : `${broken} of ${result.claims.length} ✗`
  return html`<li><a href="#${experiment.id}">${experiment.title}</a><span class="quiet">${experiment.paper}</span><span class="verdict${broken > 0 ? ' broken' : ''}">${words}</span></li>`
}

function articleHtml({ experiment, result, seeds }: Reported): Html {
  const seedWords = seeds === undefined ? '' : ` · ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`
  return html`<article id="${experiment.id}">
<h2>${experiment.title}</h2>
<p class="quiet">${experiment.paper} · <code>headwater lab run ${experiment.id}</code>${seedWords}</p>
<ul class="claims">${result.claims.map(claimHtml)}</ul>
${plots(result.series)}
${result.tables.map((table) => tableHtml(table))}
${deviations(result.deviations ?? [])}
</article>`
}

function claimHtml({ text, holds, figures }: Claim): Html {
  const list = Object.entries(figures).map(([name, value]) => html`<li>${name} <b>${cellText(value)}</b></li>`)
  return html`<li class="${holds ? 'holds' : 'broken'}"><span class="verdict" title="${holds ? 'holds' : 'does not hold'}">${holds ? '✓' : '✗'}</span><span>${text}</span>${list.length > 0 ? html`<ul class="figures">${list}</ul>` : NOTHING}</li>`
}

function plots(series: readonly Series[]): Html {
  if (series.length === 0) return NOTHING
  const byFigure = grouped(series)
  const charts = [...byFigure].map(([figure, group]) => chart(titled(figure), group))
  return html`<h3>Figures</h3>\n<div class="plots">\n${charts}\n</div>`
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

function deviations(words: readonly string[]): Html {
  if (words.length === 0) return NOTHING
  return html`<h3>Where ours differs</h3>\n<ul class="deviations">${words.map((text) => html`<li>${text}</li>`)}</ul>`
}
