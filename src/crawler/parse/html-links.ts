import { hasScheme, resolveUrl } from './url.ts'

/** Attributes that hold an address, whatever the element. */
const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'background',
  'cite',
  'classid',
  'codebase',
  'data',
  'formaction',
  'longdesc',
  'poster',
  'profile',
  'usemap',
])

export function isUrlAttribute(name: string): boolean {
  return URL_ATTRIBUTES.has(name.toLowerCase())
}

// Cheap to say "nothing to do" for the many texts whose links are all absolute.
const MAYBE_RELATIVE =
  /\s(?:href|src|action|background|cite|classid|codebase|data|formaction|longdesc|poster|profile|usemap)\s*=\s*(?:"\s*|'\s*)?(?!https?:|mailto:|data:)[^\s"'>]/i

// The bound on the name keeps a tag of a million letters linear.
const ATTRIBUTE = /(?<=[\s"'/])([a-z]{1,16})(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi

/** Makes the links inside an HTML text absolute; leaves everything else as it is. */
export function resolveHtmlLinks(html: string, base: string | null): string {
  if (base === null || !html.includes('<') || !MAYBE_RELATIVE.test(html)) return html
  let out = ''
  let from = 0
  let less = html.indexOf('<')
  while (less >= 0) {
    const end = isLetter(html.charCodeAt(less + 1)) ? endOfTag(html, less + 1) : less
    if (end > less) {
      const tag = html.slice(less, end)
      const resolved = tag.replace(ATTRIBUTE, (whole, name: string, equals: string, double, single, bare) =>
        resolveAttribute(whole, name, equals, double ?? single ?? bare, base),
      )
      if (resolved !== tag) {
        out += html.slice(from, less) + resolved
        from = end
      }
    }
    less = html.indexOf('<', Math.max(end, less + 1))
  }
  return from === 0 ? html : out + html.slice(from)
}

function resolveAttribute(whole: string, name: string, equals: string, value: string, base: string): string {
  if (!isUrlAttribute(name) || hasScheme(value.trim())) return whole
  const url = resolveUrl(value, base)
  const quote = whole.charCodeAt(name.length + equals.length) === 39 ? "'" : '"'
  return `${name}${equals}${quote}${url}${quote}`
}

/** Position after the `>` of a tag, minding quotes; the end of the text if there is none. */
function endOfTag(html: string, start: number): number {
  let quote = 0
  for (let i = start; i < html.length; i++) {
    const code = html.charCodeAt(i)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 62) return i + 1
    else if ((code === 34 || code === 39) && html.charCodeAt(i - 1) === 61) quote = code
  }
  return html.length
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
