import { type ReportHtml, reportHtml } from './html.ts'
import { cellText } from './table.ts'

export interface Bar {
  readonly name: string
  readonly value: number
  /** Drawn in another colour: a limit, a baseline. */
  readonly marked?: boolean
}

/** Bars that lie, one line each: readable with many names and on a phone. */
export function barsHtml(title: string, bars: readonly Bar[]): ReportHtml {
  const most = bars.reduce((high, { value }) => Math.max(high, value), 0)
  const lines = bars.map(({ name, value, marked }) => {
    const width = most > 0 ? Math.round((700 * Math.max(0, value)) / most) / 10 : 0
    return reportHtml`<div class="name">${name}</div><div class="bar${marked ? ' marked' : ''}"><i style="width:${width}%"></i><span>${cellText(value)}</span></div>`
  })
  return reportHtml`<figure><figcaption>${title}</figcaption><div class="bars">${lines}</div></figure>`
}
