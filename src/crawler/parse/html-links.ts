import { hasScheme, resolveUrl } from './url.ts'

/** Attributes that hold an address, whatever the element. */
const URL_ATTRIBUTES = new Set(
  'href src action background cite classid codebase data formaction longdesc poster profile usemap'.split(' '),
)

export function isUrlAttribute(name: string): boolean {
  return URL_ATTRIBUTES.has(name) || (hasCapital(name) && URL_ATTRIBUTES.has(name.toLowerCase()))
}

// Bits by letter: class, width, height, alt, title and most others need not be cut out to be excluded.
let lastLetters = 0
for (const name of URL_ATTRIBUTES) lastLetters |= 1 << (name.charCodeAt(name.length - 1) & 31)

/** By the character before the `=`: a last letter of one of these attributes, or a space, after which anything may stand. */
function mayEndUrlAttribute(last: number): boolean {
  return last <= 32 || ((lastLetters >>> (last & 31)) & 1) === 1
}

function hasCapital(name: string): boolean {
  const first = name.charCodeAt(0)
  const last = name.charCodeAt(name.length - 1)
  return (first >= 65 && first <= 90) || (last >= 65 && last <= 90)
}

/**
 * Makes the links inside an HTML text absolute; leaves everything else as it is, to the letter. Goes from `=` to `=`,
 * because nearly all links are absolute: what follows the sign shows that at once, and only a relative one is worth
 * finding out whether it is in a tag.
 */
export function resolveHtmlLinks(html: string, base: string | null): string {
  if (base === null || !html.includes('<')) return html
  const tags = new TagFinder(html)
  let out = ''
  let from = 0
  for (let at = html.indexOf('='); at >= 0; at = html.indexOf('=', at + 1)) {
    const isSet = isSrcset(html, at)
    if (!isSet && !mayEndUrlAttribute(html.charCodeAt(at - 1))) continue
    const start = startOfValue(html, at + 1)
    if (!isSet && (html.startsWith('http', start) || !isUrlAttribute(nameBefore(html, at)))) continue
    if (!tags.contains(at)) continue
    const quote = html.charCodeAt(start - 1)
    const end =
      quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE ? endOfQuoted(html, start, quote) : endOfBare(html, start)
    const value = html.slice(start, end)
    if (!isSet && hasScheme(value.trim())) continue
    const url = isSet ? resolveSrcset(value, base) : resolveUrl(value, base)
    out += html.slice(from, start) + (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE ? url : `"${url}"`)
    from = end
    at = Math.max(at, end - 1)
  }
  return from === 0 ? html : out + html.slice(from)
}

function isSrcset(html: string, equals: number): boolean {
  const last = html.charCodeAt(equals - 1)
  // `srcset = "…"` is allowed, and rare.
  if (last > 32 && ((last | 0x20) !== 0x74 || (html.charCodeAt(equals - 6) | 0x20) !== 0x73)) return false
  return nameBefore(html, equals).toLowerCase() === 'srcset'
}

/** Candidates of an address and a width or density each (HTML Standard §4.8.4.2.1); commas within an address stay. */
export function resolveSrcset(value: string, base: string | null): string {
  if (base === null) return value
  return value.replace(SRCSET_ADDRESS, (_all, before: string, url: string) => before + resolveUrl(url, base))
}

const SRCSET_ADDRESS = /(^\s*|,\s+|\s[\d.]+[wxh]\s*,\s*)([^\s,][^\s]*[^\s,]|[^\s,])/g

const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const LONGEST_NAME = 16

/** After spaces and the opening quote; spaces within the quotes belong to the value. */
function startOfValue(html: string, afterEquals: number): number {
  let at = afterEquals
  while (html.charCodeAt(at) <= 32) at++
  const code = html.charCodeAt(at)
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE ? at + 1 : at
}

/** The word before a `=`; empty where there is none or it is too long to be an attribute we know. */
function nameBefore(html: string, equals: number): string {
  let end = equals
  while (end > 0 && html.charCodeAt(end - 1) <= 32) end--
  let start = end
  while (start > 0 && end - start <= LONGEST_NAME && isLetter(html.charCodeAt(start - 1))) start--
  return end - start > LONGEST_NAME ? '' : html.slice(start, end)
}

function endOfQuoted(html: string, start: number, quote: number): number {
  const end = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start)
  return end < 0 ? html.length : end
}

function endOfBare(html: string, start: number): number {
  let at = start
  while (at < html.length && html.charCodeAt(at) > 32 && html.charCodeAt(at) !== 62) at++
  return at
}

/** Whether a place is inside a tag. Calls must come in rising order of places. */
class TagFinder {
  private readonly html: string
  private start = -1
  private end = 0

  constructor(html: string) {
    this.html = html
  }

  contains(offset: number): boolean {
    while (this.end <= offset) {
      const less = this.html.indexOf('<', this.end)
      if (less < 0 || less > offset) return false
      this.start = less
      this.end = isLetter(this.html.charCodeAt(less + 1)) ? endOfTag(this.html, less + 1) : less + 1
    }
    return this.start < offset
  }
}

/** Position after the `>` of a tag, minding quotes; the end of the text if there is none. */
function endOfTag(html: string, start: number): number {
  let quote = 0
  for (let i = start; i < html.length; i++) {
    const code = html.charCodeAt(i)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 62) return i + 1
    else if ((code === DOUBLE_QUOTE || code === SINGLE_QUOTE) && html.charCodeAt(i - 1) === 61) quote = code
  }
  return html.length
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
