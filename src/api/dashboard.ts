import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomSecret } from '../runtime/random.ts'
import { basePathFor } from './base-path.ts'
import { pathOf } from './request-path.ts'

/** The built web application, as it is served. */
export interface Dashboard {
  /** Its page, whatever its own router makes of the address. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** Whether a person's browser asks for a page that only the application may know. */
  isPageOf(request: FastifyRequest): boolean
}

/** In the page: stands for a number that styles made by scripts must carry. */
const NONCE_MARK = '__CSP_NONCE__'
/** Likewise: below which path of its host the node is. Its own parts are written as `./…` by the build. */
const BASE_MARK = '__BASE__'
const NOT_PAGES = /^\/(api|feeds|assets|metrics|health|ready|opml)(\/|\.|$)/

/** null: it was not built. */
export function addDashboard(app: FastifyInstance, folder: string, publicUrl: string): Dashboard | null {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return null
  const page = readFileSync(index, 'utf8')
  app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/index.html', '**/*.br', '**/*.gz'],
    setHeaders: (response, path) => {
      // Names of assets carry a hash of their content.
      const isAsset = path.includes(`${sep}assets${sep}`)
      response.setHeader('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return {
    send({ host }, reply) {
      const base = basePathFor(host, publicUrl)
      const nonce = randomSecret()
      return reply
        .headers({
          'cache-control': 'no-cache',
          'content-security-policy': policyWith(nonce),
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
          'x-frame-options': 'DENY',
        })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(NONCE_MARK, nonce).replaceAll(BASE_MARK, base).replaceAll('="./', `="${base}/`))
    },
    isPageOf({ method, url, headers }) {
      const wantsPage = (headers.accept ?? '').includes('text/html')
      return (method === 'GET' || method === 'HEAD') && wantsPage && !NOT_PAGES.test(pathOf(url))
    },
  }
}

/** Scripts and styles of our own only; pictures and sound from wherever items have them. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: http: https:",
    'media-src http: https:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
