import type { FastifyInstance } from 'fastify'
import { HeadwaterError } from '../runtime/errors.ts'
import type { PushVerdict } from '../store/pushes.ts'
import type { RefusedCalls } from './refused-calls.ts'

/** What a hub has sent. */
export interface PushMessage {
  /** X-Hub-Signature. */
  readonly signature: string | undefined
  readonly body: Buffer
}

/** Hubs that call this node. */
export interface PushDoor {
  /** Asked before a body is read; throws PUSH_UNKNOWN, or PUSH_TOO_MANY. */
  admit(key: string): Promise<void>
  /** The challenge to give back; throws PUSH_UNWANTED. */
  verify(key: string, query: Readonly<Record<string, unknown>>): Promise<string>
  receive(key: string, message: PushMessage): Promise<PushVerdict>
}

/** Hubs send whole feeds. More is not read. */
const MOST_BODY_BYTES = 5 * 1024 ** 2

/** The key in the path is the secret of the two: these routes ask for no other right. */
export function addPushRoutes(app: FastifyInstance, door: PushDoor, refused: RefusedCalls): void {
  app.register(async (scope) => {
    refused.watch(scope, 'push')
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.get<{ Params: { key: string }; Querystring: Readonly<Record<string, unknown>> }>(
      '/push/:key',
      async ({ params, query }, reply) => {
        const challenge = await door.verify(params.key, query)
        return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(challenge)
      },
    )
    scope.post<{ Params: { key: string } }>('/push/:key', {
      bodyLimit: MOST_BODY_BYTES,
      onRequest: async ({ params }) => door.admit(params.key),
      handler: async ({ params, headers, body }, reply) => {
        const signature = headers['x-hub-signature']
        if (Array.isArray(signature)) throw new HeadwaterError('REQUEST_INVALID', 'two signatures')
        const message = { signature, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }
        const verdict = await door.receive(params.key, message)
        if (verdict === 'refused') refused.note('push', 'forged')
        if (verdict === 'repeated') refused.note('push', verdict)
        // Whether it was signed right is not said: nobody is to try signatures.
        return reply.code(202).send()
      },
    })
  })
}
