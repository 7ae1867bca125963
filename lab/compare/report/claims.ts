import { EMPTY_HTML, type ReportHtml, reportHtml } from '../../report/html.ts'
import type { CompareClaim } from '../types.ts'

const SIGNS = {
  holds: { sign: '✓', className: 'holds', words: 'holds' },
  fails: { sign: '✗', className: 'broken', words: 'does not hold' },
  'not measured': { sign: '?', className: 'open', words: 'not measured in this run' },
} as const

/** Each claim with its figures; one that fails is shown as failing. */
export function claimsHtml(claims: readonly CompareClaim[]): ReportHtml {
  if (claims.length === 0) return EMPTY_HTML
  return reportHtml`<section id="claims"><h2>Claims</h2><p class="quiet">${countOf(claims)} Judged by the figures of this page alone; intervals are 95 % over sources.</p><ul class="claims">${claims.map(claimHtml)}</ul></section>`
}

function countOf(claims: readonly CompareClaim[]): string {
  const holding = claims.filter(({ verdict }) => verdict === 'holds').length
  const open = claims.filter(({ verdict }) => verdict === 'not measured').length
  return `${holding} of ${claims.length} hold${open > 0 ? `, ${open} not measured` : ''}.`
}

function claimHtml({ text, verdict, figures }: CompareClaim): ReportHtml {
  const { sign, className, words } = SIGNS[verdict]
  const list = Object.entries(figures).map(([name, value]) => reportHtml`<li>${name} <b>${value}</b></li>`)
  return reportHtml`<li class="${className}"><span class="verdict" title="${words}">${sign}</span><span>${text}</span>${list.length > 0 ? reportHtml`<ul class="figures">${list}</ul>` : EMPTY_HTML}</li>`
}
