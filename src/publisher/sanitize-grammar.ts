import { maybeOfPixel } from './pixel.ts'
import { attributesOf, isSafeStyle, VOID_TAGS } from './sanitize-policy.ts'

const GT = 0x3e
const SLASH = 0x2f
const EQUALS = 0x3d
const MOST_NESTED = 64

/**
 * Whether HTML is harmless exactly as it stands. A grammar far narrower than HTML, in one pass: allowed lower-case
 * tags, properly nested; allowed attributes, quoted, without angle brackets; addresses that spell out a safe scheme.
 * No comments, declarations or character data sections, and no sign that two parsers could read differently. A yes is
 * certain; a no only means that the sanitiser has to look.
 */
export function isPlainlyHarmless(html: string, relativeAllowed: boolean): boolean {
  const open: string[] = []
  let at = html.indexOf('<')
  while (at !== -1) {
    const end =
      html.charCodeAt(at + 1) === SLASH
        ? closingTag(html, at + 2, open)
        : openingTag(html, at + 1, open, relativeAllowed)
    if (end < 0) return false
    at = html.indexOf('<', end)
  }
  // NUL is the one character whose reading in text differs between parsers.
  return open.length === 0 && !html.includes('\0')
}

/** Index after the tag; −1 where the grammar is left. */
function closingTag(html: string, from: number, open: string[]): number {
  const end = nameEnd(html, from)
  if (html.charCodeAt(end) !== GT || open.pop() !== html.slice(from, end)) return -1
  return end + 1
}

function openingTag(html: string, from: number, open: string[], relativeAllowed: boolean): number {
  const end = nameEnd(html, from)
  const tag = html.slice(from, end)
  const attributes = attributesOf(tag)
  if (attributes === undefined) return -1
  let at = end
  for (;;) {
    const next = skipSpace(html, at)
    const code = html.charCodeAt(next)
    if (code === GT) {
      if (!VOID_TAGS.has(tag) && open.push(tag) > MOST_NESTED) return -1
      return next + 1
    }
    if (code === SLASH) return html.charCodeAt(next + 1) === GT && VOID_TAGS.has(tag) ? next + 2 : -1
    if (next === at) return -1
    at = attribute(html, next, attributes, relativeAllowed, tag === 'img')
    if (at < 0) return -1
  }
}

function attribute(
  html: string,
  from: number,
  attributes: ReadonlyMap<string, string>,
  relativeAllowed: boolean,
  isPicture: boolean,
): number {
  const end = nameEnd(html, from)
  const name = html.slice(from, end)
  const kind = attributes.get(name)
  if (kind === undefined) return -1
  if (html.charCodeAt(end) !== EQUALS) return kind === 'simple' ? end : -1
  const quote = html[end + 1]
  if (quote !== '"' && quote !== "'") return -1
  const close = html.indexOf(quote, end + 2)
  if (close < 0) return -1
  const value = html.slice(end + 2, close)
  if (!isHarmlessValue(kind, value, relativeAllowed) || (isPicture && maybeOfPixel(name, value))) return -1
  return close + 1
}

/** Signs that end a value, a tag or a line for some parser of some age. */
const NEVER_IN_VALUE = /[<>`\x00-\x08\x0b-\x1f\x7f]/
const SIMPLE = /^[A-Za-z0-9 _.,:;%#+*/()!?@-]*$/
const WEB = /^(?:https?:\/\/|mailto:)[^\s\\]/
const NO_SCHEME = /^[/#?](?![/\\])/
const SRCSET =
  /^https?:\/\/[^\s,\\]+(?: \d{1,6}(?:\.\d{1,4})?[wx])?(?:, ?https?:\/\/[^\s,\\]+(?: \d{1,6}(?:\.\d{1,4})?[wx])?)*$/

function isHarmlessValue(kind: string, value: string, relativeAllowed: boolean): boolean {
  if (NEVER_IN_VALUE.test(value)) return false
  switch (kind) {
    case 'text':
      return true
    case 'simple':
      return SIMPLE.test(value)
    case 'url':
    case 'image':
      // The scheme is spelt out before any character reference could hide one.
      return WEB.test(value) || (relativeAllowed && NO_SCHEME.test(value))
    case 'srcset':
      return SRCSET.test(value)
    case 'style':
      return isSafeStyle(value)
    case 'target':
      return value === '_blank' || value === '_self'
    default:
      return false
  }
}

/** Lower-case letters and digits: no allowed tag or attribute holds anything else. */
function nameEnd(html: string, from: number): number {
  let at = from
  for (;;) {
    const code = html.charCodeAt(at)
    if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return at
    at += 1
  }
}

function skipSpace(html: string, from: number): number {
  let at = from
  for (;;) {
    const code = html.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) return at
    at += 1
  }
}
