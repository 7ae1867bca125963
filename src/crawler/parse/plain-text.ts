import type { ProblemList } from './problems.ts'

// Elements that nobody writes about without meaning them: closed ones, breaks, pictures and links.
const CLOSING =
  /<\/(p|div|span|a|b|i|u|em|strong|small|code|pre|blockquote|ul|ol|li|table|td|tr|h[1-6]|figure|font|center|sup|sub)\s*>/i
const ALONE = /<(?:[bh]r\s*\/?>|(?:img|a|iframe|embed)\s[^<>]*(?:src|href)\s*=)/i

/** Whether a text that calls itself plain is HTML all the same: many publishers label it so. */
export function looksLikeHtml(text: string): boolean {
  if (!text.includes('<')) return false
  if (ALONE.test(text)) return true
  const closing = CLOSING.exec(text)
  return closing !== null && text.slice(0, closing.index).toLowerCase().includes(`<${closing[1]?.toLowerCase()}`)
}

// What an HTML parser would take for a tag, a comment or a reference. The rest may stand as it is: fewer texts change.
const TAG_OPENING = /<(?=[a-z/!?])/gi
const REFERENCE = /&(?=#|[a-z][a-z0-9]{1,31};|(?:amp|lt|gt|quot|nbsp|copy|reg)(?![a-z0-9]))/gi

/** Plain text as HTML that shows it to the letter. */
export function asHtml(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return text.replace(REFERENCE, '&amp;').replace(TAG_OPENING, '&lt;')
}

/** A text labelled as plain: HTML that shows it, or itself where it is HTML under a wrong label; then `isHtml`. */
export function readPlain(text: string, problems: ProblemList): { readonly text: string; readonly isHtml: boolean } {
  if (!looksLikeHtml(text)) return { text: asHtml(text), isHtml: false }
  problems.add('mislabelled-html', null, text)
  return { text, isHtml: true }
}
