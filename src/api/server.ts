import fastify, { type FastifyInstance } from 'fastify'
import { createAccessCheck } from '../publisher/feed-access.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { isLoopback } from './access/origin.ts'
import { addApi } from './api.ts'
import { addDashboard } from './dashboard.ts'
import type { ServerDeps } from './deps.ts'
import { watchBodies } from './doors/body-time.ts'
import { Connections } from './doors/connections.ts'
import { refuseUnknownParameters } from './doors/parameters.ts'
import { addFeedRoutes } from './feed-routes.ts'
import { addHubRoutes } from './hub-routes.ts'
import { addImageRoutes } from './image-routes.ts'
import { addListRoutes } from './list-routes.ts'
import { addProfileRoute } from './network-routes.ts'
import { addPeerRoutes } from './peer-routes.ts'
import { problemOf, sendProblem, TryLater } from './problem.ts'
import { addPushRoutes } from './push-routes.ts'
import { addQualityRoutes } from './quality-routes.ts'
import { RefusedCalls } from './refused-calls.ts'
import { pathOf } from './request-path.ts'
import { addStatusRoutes } from './status-routes.ts'

export interface Server {
  readonly app: FastifyInstance
  /** Resolves with the address it listens on; throws PORT_IN_USE. Port 0: any free one. */
  listen(options: {
    readonly host: string
    readonly port: number
  }): Promise<{ readonly url: string; readonly port: number }>
  /** Ends when the requests under way are answered. */
  close(): Promise<void>
}

const HEADER_MS = 30_000
const SILENCE_MS = 120_000

export function createServer(deps: ServerDeps): Server {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    // Bodies have times of their own (doors/body-time.ts).
    http: { headersTimeout: HEADER_MS, requestTimeout: 0, connectionsCheckingInterval: HEADER_MS / 10 },
    // A client that neither reads nor writes, and to whom nothing is written.
    connectionTimeout: SILENCE_MS,
    trustProxy: deps.doors?.isProxy ?? false,
    routerOptions: { maxParamLength: 8_192 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // A path that cannot be decoded never reaches a route.
    frameworkErrors: (error, _request, reply) => {
      const { code, detail, params } = problemOf(error)
      sendProblem(reply, code, detail, { params })
    },
  })
  openDoors(app, deps)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })
  refuseUnknownParameters(app)
  app.setErrorHandler((error, _request, reply) => {
    const { code, detail, ...parts } = problemOf(error)
    if (error instanceof TryLater) reply.header('retry-after', String(error.retryAfterS))
    if (code === 'INTERNAL' || code.startsWith('STORE_')) deps.onError(error)
    return sendProblem(reply, code, detail, parts)
  })
  const dashboard = deps.webRoot === undefined ? null : addDashboard(app, deps.webRoot, deps.feeds.baseUrl)
  app.setNotFoundHandler((request, reply) => {
    if (dashboard?.isPageOf(request)) return dashboard.send(request, reply)
    const path = pathOf(request.url)
    if (request.method === 'GET' || request.method === 'HEAD') return sendProblem(reply, 'ADDRESS_NOT_FOUND', path)
    return sendProblem(reply.header('allow', 'GET, HEAD'), 'METHOD_NOT_ALLOWED', `${request.method} ${path}`)
  })
  addFeedRoutes(
    app,
    deps.feeds,
    createAccessCheck(deps.store, deps.access, () => deps.clock.now()),
    deps.access,
  )
  if (deps.images !== undefined) addImageRoutes(app, deps.images)
  const refused = deps.refused ?? new RefusedCalls()
  if (deps.pushes !== undefined) addPushRoutes(app, deps.pushes, refused)
  if (deps.hub !== undefined) addHubRoutes(app, deps.hub, refused)
  if (deps.profile !== undefined) addProfileRoute(app, deps.profile)
  if (deps.peers !== undefined) addPeerRoutes(app, deps.peers, refused)
  addListRoutes(app, deps)
  addStatusRoutes(app, deps, dashboard)
  if (deps.api !== undefined) addApi(app, deps, deps.api)
  if (deps.quality !== undefined) addQualityRoutes(app, deps, deps.quality)
  return { app, listen: (options) => listen(app, options), close: () => app.close() }
}

/** Operations read and write by schemas of their own (routes.ts). The framework's compilers are a hundred files, read at every start. */
function noSchemas(): never {
  throw new Error('no route has a schema of the framework')
}

function openDoors({ server }: FastifyInstance, { doors, clock }: ServerDeps): void {
  watchBodies(server)
  if (doors === null) return
  const isShared = (address: string) => isLoopback(address) || doors.isProxy(address)
  const limits = { most: doors.maxConnections, mostPerAddress: doors.maxConnectionsPerAddress, isShared }
  new Connections(limits, () => clock.monotonicMs()).attach(server)
}

async function listen(app: FastifyInstance, { host, port }: { readonly host: string; readonly port: number }) {
  try {
    const url = await app.listen({ host, port })
    const address = app.server.address()
    return { url, port: typeof address === 'object' && address ? address.port : port }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new HeadwaterError('PORT_IN_USE', `${host}:${port}`, { cause: error })
    }
    throw error
  }
}
