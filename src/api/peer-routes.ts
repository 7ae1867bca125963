import type { FastifyInstance } from 'fastify'
import type { RefusedCalls } from './refused-calls.ts'

/** What another node asks. */
export interface PeerRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

export interface PeerAnswer {
  readonly body: string
  readonly signature: string
}

/** Nodes that are trusted here. */
export interface PeerDoor {
  /** Throws PEER_REFUSED, PEER_TOO_MANY, REQUEST_INVALID. */
  answer(request: PeerRequest): Promise<PeerAnswer>
}

const PATHS = ['/peer/sources', '/peer/document', '/peer/history', '/peer/news'] as const
const MOST_BODY_BYTES = 512 * 1024

/** The signature of a trusted node opens these routes, and nothing else does. */
export function addPeerRoutes(app: FastifyInstance, door: PeerDoor, refused: RefusedCalls): void {
  app.register(async (scope) => {
    refused.watch(scope, 'peer')
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    for (const path of PATHS) {
      scope.post(path, { bodyLimit: MOST_BODY_BYTES }, async ({ headers, body }, reply) => {
        const text = typeof body === 'string' ? body : ''
        const answer = await door.answer({ path, authorization: headers.authorization, body: text })
        return reply
          .headers({ 'cache-control': 'no-store', 'x-headwater-signature': answer.signature })
          .type('application/json; charset=utf-8')
          .send(answer.body)
      })
    }
  })
}
