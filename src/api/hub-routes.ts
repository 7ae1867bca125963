import type { FastifyInstance } from 'fastify'
import { HeadwaterError } from '../runtime/errors.ts'
import { addressGroup } from './access/address-group.ts'
import { problemOf } from './problem.ts'
import type { RefusedCalls } from './refused-calls.ts'

/** Subscribers that call the hub of this node. */
export interface HubDoor {
  /** Asked before a body is read, of an address or the /64 of one; throws HUB_TOO_MANY. */
  admit(address: string): void
  /** Takes a request, which is verified later; throws what is wrong with it. */
  request(form: URLSearchParams): Promise<void>
}

const FORM = 'application/x-www-form-urlencoded'
/** Limits are of a minute, and verifications take less. */
const PAUSE_S = 60
/** Two addresses of 2,000 characters, percent-encoded, and a secret. */
const MOST_BODY_BYTES = 16 * 1024

/** Open to all, as feeds are: the topic says who may have it. */
export function addHubRoutes(app: FastifyInstance, door: HubDoor, refused: RefusedCalls): void {
  app.register(async (scope) => {
    refused.watch(scope, 'hub')
    scope.addHook('onError', async (_request, reply, error) => {
      if (problemOf(error).code === 'HUB_TOO_MANY') reply.header('retry-after', String(PAUSE_S))
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post('/hub', {
      bodyLimit: MOST_BODY_BYTES,
      onRequest: async ({ ip }) => door.admit(addressGroup(ip)),
      handler: async ({ body }, reply) => {
        if (typeof body !== 'string') throw new HeadwaterError('HUB_REQUEST_INVALID', `send a form: ${FORM}`)
        await door.request(new URLSearchParams(body))
        return reply.code(202).send()
      },
    })
  })
}
