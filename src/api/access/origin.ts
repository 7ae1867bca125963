import type { FastifyRequest } from 'fastify'
import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'

/** No page of another site can send it without a preflight, which is never answered here. */
const OWN_HEADER = 'x-headwater'

/**
 * For writes that a browser's cookie could carry. Defence in depth beside SameSite=Lax: a header of our own, and where the
 * browser says where a request comes from (Origin, Fetch Metadata) it must be here.
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (request.headers[OWN_HEADER] === undefined) throw new HeadwaterError('ORIGIN_REFUSED', 'no X-Headwater header')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new HeadwaterError('ORIGIN_REFUSED')
  if (origin === undefined) return
  const from = hostOf(origin)
  if (from === null || (from !== host && from !== hostOf(publicUrl))) throw new HeadwaterError('ORIGIN_REFUSED', origin)
}

/**
 * Becoming the owner needs no password, so it must be a person at the machine: by a loopback address, not through a proxy,
 * and under a name that a foreign page cannot have rebound to us.
 */
export function isAtTheMachine(request: FastifyRequest): boolean {
  const { host, forwarded } = request.headers
  const isForwarded = forwarded !== undefined || request.headers['x-forwarded-for'] !== undefined
  return !isForwarded && isLoopback(request.ip) && /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host ?? '')
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

function hostOf(url: string): string | null {
  return parseUrl(url)?.host ?? null
}
