import { xmlText } from './xml-text.ts'

// Schemes a reader may be sent to. `javascript:` and `data:` are code; unknown ones open who knows what.
const LINK_SCHEMES = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'gemini:', 'gopher:', 'magnet:', 'mailto:', 'news:'])
const PLAIN_URI = /^[!#-;=?-[\]_a-z~]+$/
const MAX_LENGTH = 4_000

/** An absolute address that may be published, or null. Kept as written where that is a valid URI. */
export function webAddress(address: string | null, base: string | null = null): string | null {
  if (address === null) return null
  const written = xmlText(address).trim()
  if (written === '' || written.length > MAX_LENGTH) return null
  const absolute = parse(written)
  const url = absolute ?? (base === null ? null : parse(written, base))
  if (url === null || !LINK_SCHEMES.has(url.protocol)) return null
  return absolute !== null && PLAIN_URI.test(written) && /^[a-z]+:/i.test(written) ? written : url.href
}

/** Without user name and password. */
export function withoutCredentials(address: string): string {
  if (!address.includes('@')) return address
  const url = parse(address)
  if (url === null || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}

function parse(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
