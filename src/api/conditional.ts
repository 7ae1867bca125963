import type { InstantMs } from '../model/index.ts'

export interface ResponseValidators {
  /** With quotes, `W/` in front if weak. */
  readonly etag: string
  readonly lastModified: InstantMs
}

/**
 * Whether a GET or HEAD is answered with 304 (RFC 9110 §13.2.2): If-None-Match decides where present, and
 * If-Modified-Since is then not read.
 */
export function isNotModified(
  headers: { readonly 'if-none-match'?: string | undefined; readonly 'if-modified-since'?: string | undefined },
  validators: ResponseValidators,
): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, validators.etag)
  const since = headers['if-modified-since']
  if (since === undefined) return false
  const sinceMs = parseHttpDate(since)
  return sinceMs !== null && validators.lastModified <= sinceMs
}

/** Weak comparison (§8.8.3.2): `W/` is ignored on both sides. */
function matchesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true
  const opaque = withoutWeakness(etag)
  // An opaque tag may hold commas, so the list is not simply split at them.
  for (const [tag] of list.matchAll(/(?:W\/)?"[\x21\x23-\x7E\x80-\u00FF]*"/g)) {
    if (withoutWeakness(tag) === opaque) return true
  }
  return false
}

function withoutWeakness(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}

const HTTP_DATE = /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )/

/** §5.6.7: all three forms end in GMT or, for asctime, are GMT. Anything else is ignored, as the RFC asks. */
function parseHttpDate(text: string): InstantMs | null {
  const date = text.trim()
  if (!HTTP_DATE.test(date)) return null
  const ms = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
  return Number.isNaN(ms) ? null : ms
}
