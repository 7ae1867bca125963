import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../model/index.ts'
import { isNotModified } from './conditional.ts'

/** A picture of another site, as it is passed on. */
export interface ProxiedImage {
  readonly type: string
  readonly body: Buffer
  /** Strong, with quotes. */
  readonly etag: string
}

/** Fetches pictures for those who read here, so that the sites that have them learn nothing of the readers. */
export interface ImageProxy {
  /** Throws IMAGE_NOT_FOUND for an address that the node has not signed, IMAGE_UNUSABLE, and what fetching fails with. */
  get(signature: string, address: string): Promise<ProxiedImage>
}

const MAX_AGE_S = DAY_MS / 1_000

/** Nothing in it may run or load, should a browser ever take it for a document. */
export const PICTURE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'content-disposition': 'inline',
}

export function addImageRoutes(app: FastifyInstance, images: ImageProxy): void {
  app.get<{ Params: { signature: string; address: string } }>('/images/:signature/:address', async (request, reply) => {
    const { signature, address } = request.params
    const { type, body, etag } = await images.get(signature, address)
    reply.headers({ ...PICTURE_HEADERS, 'cache-control': `public, max-age=${MAX_AGE_S}`, etag })
    const validators = { 'if-none-match': request.headers['if-none-match'] }
    if (isNotModified(validators, { etag, lastModified: 0 })) return reply.code(304).send()
    return reply.type(type).send(body)
  })
}
