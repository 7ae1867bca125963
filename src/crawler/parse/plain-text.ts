import type { ProblemList } from './problems.ts'

// Elements that nobody writes about without meaning them: closed ones, breaks, pictures and links.
const CLOSING =
  /<\/(p|div|span|a|b|i|u|s|q|em|strong|small|big|code|pre|kbd|blockquote|cite|abbr|mark|del|ins|ul|ol|li|dl|dt|dd|table|thead|tbody|td|th|tr|h[1-6]|figure|figcaption|picture|video|audio|iframe|article|section|header|footer|aside|details|font|center|sup|sub|strike|tt)\s*>/gi
const ALONE = /<(?:[bh]r\s*\/?>|(?:img|a|iframe|embed|source|video|audio)\s[^<>]*(?:src|href)\s*=)/i
const REFERENCE_OF_HTML =
  /&(?:#\d{2,6}|#x[0-9a-f]{2,6}|nbsp|[lr][sd]quo|[lr]aquo|hellip|[mn]dash|bull|middot|copy|reg|trade|euro|pound|deg|shy|times|[aeiounyc](?:acute|grave|circ|uml|tilde|cedil|ring)|szlig|[ao]elig|oslash|eth|thorn);/i

/** Whether a text that calls itself plain is HTML all the same: many publishers label it so. */
export function looksLikeHtml(text: string): boolean {
  if (!text.includes('<')) return text.includes('&') && REFERENCE_OF_HTML.test(text)
  if (ALONE.test(text)) return true
  let looks = 0
  for (const closing of text.slice(0, LONGEST_LOOK).matchAll(CLOSING)) {
    if (enclosesWords(text.slice(0, closing.index), closing[1] as string)) return true
    if (++looks === MOST_LOOKS) return false
  }
  return false
}

const LONGEST_LOOK = 20_000
const MOST_LOOKS = 20

/** `<b>bold` before `</b>`, unlike `<b> and` or `<b>…`, which are about the tags. */
function enclosesWords(before: string, name: string): boolean {
  const open = before.toLowerCase().lastIndexOf(`<${name.toLowerCase()}`)
  if (open < 0) return false
  const inside = before.slice(before.indexOf('>', open) + 1)
  return /[\p{L}\p{N}<]/u.test(inside) && !BETWEEN_TAGS.test(inside)
}

const BETWEEN_TAGS = /^\s+(?:and|or|to|und|oder|et|ou|y|o|e|en|och|og|i|и)\s+$/i

// What an HTML parser would take for a tag, a comment or a reference. The rest may stand as it is: fewer texts change.
const TAG_OPENING = /<(?=[a-z/!?])/gi
const REFERENCE = /&(?=#|[a-z][a-z0-9]{1,31};|(?:amp|lt|gt|quot|nbsp|copy|reg)(?![a-z0-9]))/gi

/** Plain text as HTML that shows it to the letter. */
function asHtml(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return text.replace(REFERENCE, '&amp;').replace(TAG_OPENING, '&lt;')
}

/** A text labelled as plain: HTML that shows it, or itself where it is HTML under a wrong label; then `isHtml`. */
export function readPlain(text: string, problems: ProblemList): { readonly text: string; readonly isHtml: boolean } {
  if (!looksLikeHtml(text)) return { text: asHtml(text), isHtml: false }
  problems.add('mislabelled-html', null, text)
  return { text, isHtml: true }
}
