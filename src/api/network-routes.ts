import type { FastifyInstance } from 'fastify'

/** What this node says of itself, signed; see docs/network.md. */
export type ReadOwnProfile = () => Promise<string>

/** Who asks more often than this gets what they have. */
const MAX_AGE_S = 60

/** Open to all: it names nothing that strangers may not open. */
export function addProfileRoute(app: FastifyInstance, readProfile: ReadOwnProfile): void {
  app.get('/.well-known/headwater', async (_request, reply) => {
    const body = await readProfile()
    return reply
      .headers({ 'cache-control': `max-age=${MAX_AGE_S}`, 'access-control-allow-origin': '*' })
      .type('application/json; charset=utf-8')
      .send(body)
  })
}
