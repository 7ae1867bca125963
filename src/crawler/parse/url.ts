/**
 * Joins a reference to its base as RFC 3986 §5.2 says, on strings: IRIs stay as they were written, and nothing is
 * made for the usual case, a reference that is absolute already.
 */
export function resolveUrl(reference: string, base: string | null): string {
  if (ABSOLUTE.test(reference)) return reference
  const ref = trimUrl(reference)
  // A scheme alone is what a template makes of an empty variable: no address at all.
  if (ref.startsWith('http://') || ref.startsWith('https://')) return ref.length <= 8 && ref.endsWith('//') ? '' : ref
  if (ref.startsWith('www.')) return `${base?.startsWith('https:') ? 'https' : 'http'}://${ref}`
  if (base === null || hasScheme(ref)) return ref
  const parts = splitBase(base)
  if (parts === null) return ref
  const { scheme, authority, path, query } = parts
  if (ref === '') return `${scheme}${authority}${path}${query}`
  if (ref.startsWith('//')) return scheme + ref
  const first = ref.charCodeAt(0)
  if (first === 63) return `${scheme}${authority}${path}${ref}`
  if (first === 35) return `${scheme}${authority}${path}${query}${ref}`
  const tailAt = ref.search(/[?#]/)
  const refPath = tailAt < 0 ? ref : ref.slice(0, tailAt)
  const tail = tailAt < 0 ? '' : ref.slice(tailAt)
  const merged = first === 47 ? refPath : path.slice(0, path.lastIndexOf('/') + 1) + refPath
  return scheme + authority + removeDots(merged.startsWith('/') ? merged : `/${merged}`) + tail
}

/** Nearly all: nothing to trim, nothing to repair. */
const ABSOLUTE = /^https?:\/\/[^\s/]\S*$/

const SCHEME = /^[a-z][a-z0-9+.-]*:/i

export function hasScheme(url: string): boolean {
  return SCHEME.test(url)
}

/** The new base where an element has xml:base; one that is not http(s) is ignored (it would only make links unsafe). */
export function resolveBase(reference: string, base: string | null): string | null {
  // `http:///host/` is what a careless template makes of an empty variable.
  const url = resolveUrl(reference.replace(/^(https?:)\/{3,}/i, '$1//'), base)
  return /^(?:https?|ftp):\/\/[^/]/i.test(url) ? url : base
}

/** White space around and line breaks within are never part of an address. */
function trimUrl(url: string): string {
  const trimmed = url.trim()
  return /[\t\r\n]/.test(trimmed) ? trimmed.replace(/[\t\r\n]+/g, '') : trimmed
}

interface BaseParts {
  /** With colon. */
  readonly scheme: string
  /** With slashes. */
  readonly authority: string
  readonly path: string
  readonly query: string
}

const BASE = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i

// A document has one or two bases and a thousand links.
let lastBase = ''
let lastParts: BaseParts | null = null

function splitBase(base: string): BaseParts | null {
  if (base === lastBase) return lastParts
  lastBase = base
  lastParts = partsOf(base)
  return lastParts
}

function partsOf(base: string): BaseParts | null {
  const [, scheme, authority, path, query = ''] = BASE.exec(base) ?? []
  if (scheme === undefined || authority === undefined) return null
  return { scheme, authority, path: path || '/', query }
}

/** RFC 3986 §5.2.4. */
function removeDots(path: string): string {
  if (!path.includes('/.')) return path
  const out: string[] = []
  const segments = path.split('/')
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1
    if (segment === '..') {
      if (out.length > 1) out.pop()
      if (last) out.push('')
    } else if (segment === '.') {
      if (last) out.push('')
    } else {
      out.push(segment)
    }
  }
  return out.join('/')
}
