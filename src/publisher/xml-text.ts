/**
 * Everything that XML 1.0 §2.2 does not allow in a document, escaped or not: most control characters, U+FFFE, U+FFFF
 * and halves of surrogate pairs. One of them makes every conforming parser refuse the whole feed.
 */
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/gu

export function xmlText(text: string): string {
  return MAYBE_NOT_XML.test(text) ? text.replace(NOT_XML, '') : text
}

/** The same by code unit, and whole surrogate pairs with it: most texts have none of them, and looking takes a fifth. */
const MAYBE_NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/

/** At most so many UTF-16 units, without half a surrogate pair at the end. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

/** For values on one line: titles, names, categories. */
export function oneLine(text: string, maxLength: number): string {
  if (!NOT_PLAIN.test(text)) return truncateText(text.trim(), maxLength).trim()
  return truncateText(xmlText(text).replace(BLANK, ' ').trim(), maxLength).trim()
}

/**
 * White space but for single spaces, control characters, and what is not XML, by code unit: most lines have none of them, and
 * a third of the cost of a list of items went into the properties of Unicode.
 */
const NOT_PLAIN =
  /[\u0000-\u001F\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uD800-\uDFFF\uFEFF\uFFFE\uFFFF]| {2}/

// JavaScript's \s misses U+0085, which Unicode counts as white space; other control characters have no place in a line.
const BLANK = /[\s\p{White_Space}\p{Cc}]+/gu

/** Mostly told by the first character. */
export function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text)
}

const NOT_BLANK = /[^\s\p{White_Space}\p{Cc}]/u

/**
 * Writes a document with one of feedsmith's generators, and undoes two of their habits. They turn every `&apos;` into
 * `'`, also in CDATA, where it changes links and lets a single-quoted attribute end early; U+FFFF, which no text of ours
 * holds, keeps it apart meanwhile. And they indent CDATA sections.
 */
export function writeXml<T>(generate: (document: T) => string, document: T): string {
  return tightenCdata(generate(guardApostrophes(document)).replaceAll('\uFFFF', ''))
}

function guardApostrophes<T>(value: T): T
function guardApostrophes(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('&apos;', '&\uFFFFapos;')
  if (Array.isArray(value)) return value.map((one) => guardApostrophes(one))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, guardApostrophes(one)]))
}

const CDATA_START = '<![CDATA['
const CDATA_END = ']]>'

/**
 * Indented CDATA puts white space around ids, links and titles that contain `&`; an id is compared character by
 * character (RFC 4287 §4.2.6.1). Takes it out again. Outside of CDATA neither mark can occur, since `<` and `>` are
 * escaped there.
 */
function tightenCdata(xml: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf(CDATA_START, at)
    if (start < 0) break
    const end = xml.indexOf(CDATA_END, start)
    parts.push(xml.slice(at, start).trimEnd(), xml.slice(start, end + CDATA_END.length))
    at = end + CDATA_END.length
    while (xml[at] === '\n' || xml[at] === ' ') at++
  }
  parts.push(xml.slice(at))
  return parts.join('')
}
