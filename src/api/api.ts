import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { createMemoryJobBoard } from '../cluster/memory/job-board.ts'
import { MemoryLogInLimits } from '../cluster/memory/log-in-limits.ts'
import { KnownDevices } from './access/known-device.ts'
import { LogIn } from './access/log-in.ts'
import { PasswordQueues } from './access/password-desk.ts'
import { createAuthenticator } from './access/principal.ts'
import { addAlertRoutes } from './alert-routes.ts'
import type { ApiDeps, ServerDeps } from './deps.ts'
import { docsPage } from './docs-page.ts'
import { createHandlers } from './handlers/index.ts'
import { createSourceDirectory } from './handlers/source-directory.ts'
import { PAGE_POLICY } from './html.ts'
import { addIconRoutes, createIcons } from './icons.ts'
import { createJobs, type JobDeps } from './jobs.ts'
import { openApiOf } from './openapi.ts'
import { ALL_OPERATIONS } from './operations/index.ts'
import { LANGUAGE_VARIES, pageWordsFor } from './page-language.ts'
import { addReaderRoutes } from './reader-routes.ts'
import { createAppDoor } from './readers/app-door.ts'
import { createItemReader } from './readers/shown-items.ts'
import { addOperations } from './routes.ts'

/** The operations of the table, their description, and nothing else. */
export function addApi(app: FastifyInstance, deps: ServerDeps, api: ApiDeps): void {
  const { feeds, clock, version, quality, onError } = deps
  if (quality === undefined) throw new TypeError('the API needs the quality service')
  const { store, services, events } = api
  const devices = new KnownDevices(store)
  const desk = new PasswordQueues()
  const shared = api.shared ?? {
    logIns: new MemoryLogInLimits(() => clock.monotonicMs()),
    jobs: createMemoryJobBoard(() => clock.now()),
  }
  const tellJob: JobDeps['tell'] = (job, userId) => events.tell({ kind: 'job', job }, userId)
  const jobs = createJobs({ clock, board: shared.jobs, tell: tellJob, onError })
  const authenticate = createAuthenticator(store, clock, api.table, api.visitor ?? null)
  addAlertRoutes(app, store, authenticate, feeds.baseUrl)
  const directory = createSourceDirectory(store, services.models, clock)
  const icons = createIcons({ store, clock, key: api.iconKey })
  addIconRoutes(app, icons)
  const handlers = createHandlers({
    store,
    access: deps.access,
    buffer: deps.buffer,
    feeds,
    quality,
    services,
    directory,
    icons,
    events,
    jobs,
    logIn: new LogIn({ passwords: desk, devices, limits: shared.logIns }),
    passwords: desk,
    devices,
    authenticate,
    health: deps.health,
    clock,
    version,
  })
  app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      strictTransportSecurity: feeds.baseUrl.startsWith('https:'),
    })
    await addOperations(scope, handlers, {
      authenticate,
      devices,
      limits: shared.logIns,
      publicUrl: feeds.baseUrl,
      audit: { store, clock, onError },
      checkAnswers: api.checkAnswers === true,
    })
    // Public on purpose: what the API can do is no secret. Made when somebody asks: it takes longer than the rest of the start.
    let description: string | null = null
    scope.get('/api/openapi.json', (_request, reply) => {
      description ??= JSON.stringify(openApiOf(ALL_OPERATIONS, { version, serverUrl: feeds.baseUrl }))
      return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(description)
    })
    scope.get('/api/docs', (request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY, vary: LANGUAGE_VARIES })
        .type('text/html; charset=utf-8')
        .send(docsPage(ALL_OPERATIONS, pageWordsFor(request))),
    )
  })
  const readerParts = { store, access: deps.access, services, feeds, directory, icons, clock }
  const door = createAppDoor({ store, clock, limits: shared.logIns, table: api.table })
  addReaderRoutes(app, { ...readerParts, door, showItems: createItemReader(store, feeds) }, onError)
  app.addHook('preClose', async () => events.close())
  app.addHook('onClose', () => jobs.close())
}
