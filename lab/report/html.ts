import { entryAt, propertyAt } from '../../src/model/entry-at.ts'
/** Text that is already HTML. Only `html` and `raw` make it, so that what an experiment names cannot become markup. */
export interface ReportHtml {
  readonly markup: string
}

type Part = ReportHtml | readonly ReportHtml[] | string | number

/** A template whose values are escaped unless they are HTML themselves; lists are joined with line ends. */
export function reportHtml(strings: TemplateStringsArray, ...parts: readonly Part[]): ReportHtml {
  return { markup: strings.reduce((text, string, index) => text + markupOf(entryAt(parts, index - 1)) + string) }
}

/** Markup from our own code. */
export function raw(markup: string): ReportHtml {
  return { markup }
}

export const EMPTY_HTML = raw('')

function markupOf(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  // Control characters are not allowed in HTML, not even as references.
  return text
    .replace(/[&<>"']/g, (sign) => propertyAt(ENTITIES, sign))
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
}
