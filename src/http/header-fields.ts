import type { IncomingHttpHeaders } from 'node:http'

/** The first value of a field, trimmed; null where there is none. */
export function field(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name]
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined || first.trim() === '' ? null : first.trim()
}

/** A list field, its lines joined as RFC 9110 §5.3 has it. */
export function listField(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

/** Content-Length where it can be believed: digits only. */
export function contentLength(headers: IncomingHttpHeaders): number | null {
  const text = field(headers, 'content-length')
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
