import type { AddressGuard } from './address-guard.ts'
import { FetchFailure } from './failure.ts'

export interface Credentials {
  readonly user: string
  readonly password: string
}

/**
 * Ports of other protocols, which a line of HTTP could be made to speak to: the "bad ports" of the Fetch standard
 * (§2.9), which browsers refuse too.
 */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Reads and checks an address before anything is sent; credentials in it are taken out. Throws a FetchFailure. */
export function readTarget(
  text: string | URL,
  guard: AddressGuard,
): { readonly url: URL; readonly credentials: Credentials | null } {
  const url = parseUrl(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFailure('FETCH_BAD_URL', `the scheme ${url.protocol.slice(0, -1)} is not http or https`)
  }
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port))) {
    throw new FetchFailure('FETCH_BAD_URL', `port ${url.port} belongs to another protocol`)
  }
  // The parser has already turned 2130706433, 0x7f.1 and the like into 127.0.0.1.
  if (guard.refusesHost(url.hostname)) throw new FetchFailure('FETCH_ADDRESS_REFUSED', url.hostname)
  const credentials = takeCredentials(url)
  url.hash = ''
  return { url, credentials }
}

function parseUrl(text: string | URL): URL {
  try {
    return new URL(text)
  } catch {
    // Without the text: it may hold a password.
    throw new FetchFailure('FETCH_BAD_URL', 'it cannot be read')
  }
}

/** User and password of a URL, decoded, and removed from it. */
export function takeCredentials(url: URL): Credentials | null {
  if (url.username === '' && url.password === '') return null
  const credentials = { user: percentDecoded(url.username), password: percentDecoded(url.password) }
  url.username = ''
  url.password = ''
  return credentials
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}
