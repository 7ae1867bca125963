import type { FastifyRequest } from 'fastify'
import type { ClientOrigin } from '../../model/index.ts'

/** The first that fits: most browsers say that they are others, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome without a window'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const LONGEST = 60

/** A user agent (RFC 9110 §10.1.5) as people know it: the browser and its system, else the first product that it names. */
export function clientWords(userAgent: string | undefined): string | null {
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const product = /^[\w!#$%&'*+.^`|~/-]+/.exec(userAgent ?? '')?.[0]
  return product === undefined ? null : product.slice(0, LONGEST)
}

export function originOf({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): ClientOrigin {
  return { client: clientWords(headers['user-agent']), address: ip }
}
