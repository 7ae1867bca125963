import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseFeedPath } from '../../publisher/addresses.ts'
import { InvalidInput } from '../problem.ts'
import { pathOf } from '../request-path.ts'

/** Routes that are no operations; those refuse what they do not know by their schemas. The dashboard's pages take what comes. */
const CHECKED = /^\/(feeds|images|opml|health|metrics|live|ready|api\/(docs|openapi\.json)$)/
const MOST_NAMED = 20

/**
 * What others add to addresses that people pass on: marks of campaigns and shares, and numbers against caches. A feed address
 * goes through mails, posts, reader apps and proxies which add them unasked; the subscriber cannot help it, and they mean
 * nothing to anybody here. On addresses of feeds only, and only these: whatever else is not known is a mistake.
 */
const ADDED_BY_OTHERS = /^(utm(_[a-z_]{1,30})?|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_cid|mc_eid|_)$/

export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const url = request.routeOptions.url
    if (url === undefined || !CHECKED.test(url)) return
    const known = url === '/feeds/*' ? ofFeed(request) : () => false
    const names = Object.keys(request.query as object).filter((name) => !known(name))
    if (names.length > 0) throw new InvalidInput(names.slice(0, MOST_NAMED).map(error))
  })
}

/** From the form of the address alone: the answer does not depend on what exists. */
function ofFeed({ url }: FastifyRequest): (name: string) => boolean {
  const isQueryFeed = parseFeedPath(pathOf(url))?.address.kind === 'query'
  return (name) =>
    name === 'token' || ADDED_BY_OTHERS.test(name) || (isQueryFeed && (name === 'after' || name === 'archive'))
}

function error(name: string) {
  return { path: `query.${name.slice(0, 100)}`, message: 'there is no such parameter' }
}
