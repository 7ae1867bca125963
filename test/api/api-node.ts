import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventHub, type EventHub } from '../../src/api/events.ts'
import { createServer } from '../../src/api/server.ts'
import type { Lab } from '../../src/api/services.ts'
import { fetcherFor } from '../../src/app/crawling/crawling.ts'
import { createShareReader } from '../../src/app/crawling/shares.ts'
import { checkStrategy } from '../../src/app/crawling/strategy.ts'
import { type OpenedData, openData } from '../../src/app/data/data.ts'
import { createQualityService } from '../../src/app/quality/quality.ts'
import { createServices } from '../../src/app/services/index.ts'
import { type Config, loadConfig, type SettingOrigin } from '../../src/app/settings/config.ts'
import { followSettings } from '../../src/app/settings/live-settings.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import { createFeedService } from '../../src/publisher/feeds.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { SERVER_PARTS } from '../support/server-parts.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

export interface ApiRequest {
  readonly token?: string | undefined
  readonly cookie?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
  /** Without the header that pages of other sites cannot send. */
  readonly isBare?: boolean
}

export interface ApiNode {
  readonly data: OpenedData
  readonly config: Config
  readonly events: EventHub
  ask(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer>
  listen(): Promise<string>
  /** Every path that the server answers. */
  routes(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ApiNodeOptions {
  readonly clock?: Clock
  readonly lab?: Lab | null
  readonly settingOrigins?: ReadonlyMap<string, SettingOrigin>
  readonly webRoot?: string
  readonly baseUrl?: string
  /** Settings that differ. */
  readonly flags?: Readonly<Record<string, unknown>>
}

/** Everything behind /api as a node has it, on a data folder of its own, but without a crawler. */
export async function openApiNode(options: ApiNodeOptions = {}): Promise<ApiNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-api-'))
  const config = loadConfig(dataDir, { allowRange: 'loopback', logLevel: 'silent', ...options.flags }, {})
  const clock = options.clock ?? systemClock
  const data = await openData(config, clock)
  const fetcher = fetcherFor(config, clock)
  const events = createEventHub()
  const given = options.settingOrigins ?? new Map()
  const settings = await followSettings({
    config,
    given,
    document: data.settings,
    check: checkStrategy,
    clock,
    logger: silentLogger,
  })
  const access = createAccessReader(data.store)
  const shares = createShareReader(data.store)
  const services = createServices({
    data,
    access,
    settings,
    fetcher,
    shares,
    noteRead: () => {},
    slowHostMs: async (url) => (url.includes('slow.example') ? 57_000 : null),
    settingOrigins: given,
    lab: options.lab ?? null,
    baseUrl: 'http://127.0.0.1',
    restart: null,
    spent: () => null,
    clock,
  })
  const server = createServer({
    ...SERVER_PARTS,
    ...data,
    access,
    feeds: createFeedService({
      store: data.store,
      clock,
      baseUrl: options.baseUrl ?? 'http://node.example',
      settingsCheckMs: 0,
    }),
    quality: createQualityService(data.store, clock, null, shares),
    api: { store: data.store, services, events, iconKey: 'key of icons', checkAnswers: true },
    ...(options.webRoot === undefined ? {} : { webRoot: options.webRoot }),
    clock,
    version: '1.2.3',
    onError: (error) => console.error(error),
  })
  return {
    data,
    config,
    events,
    async ask(method, path, { token, cookie, body, headers = {}, remoteAddress, isBare } = {}) {
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
      const answer = await server.app.inject({
        method: method as 'GET',
        url: path,
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
        headers: {
          ...(isBare === true ? {} : { 'x-headwater': '1' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(cookie === undefined ? {} : { cookie }),
          ...(isRaw ? { 'content-type': 'application/octet-stream' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      const text = answer.body
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text,
        body: /json/.test(String(answer.headers['content-type'])) ? JSON.parse(text) : null,
      }
    },
    async routes() {
      await server.app.ready()
      return pathsOf(server.app.printRoutes({ commonPrefix: false }))
    },
    listen: async () => (await server.listen({ host: '127.0.0.1', port: 0 })).url,
    async close() {
      await server.close()
      await fetcher.close()
      await data.store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** From fastify's tree: each line adds a part to that of the line it hangs from. */
function pathsOf(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S+)( \(.+\))?/.exec(line) ?? []
    if (indent === undefined || part === undefined) return []
    parts.length = indent.length / 4
    // It leaves out the slash before a star.
    parts.push(part === '*' ? '/*' : part)
    return methods === undefined ? [] : [parts.join('')]
  })
}

export const PASSWORD = 'correct horse battery'

/** The session cookie of an answer, as the browser sends it back. */
export function cookieOf(answer: ApiAnswer): string {
  return String(answer.headers['set-cookie']).split(';')[0]!
}

export async function claim(node: ApiNode): Promise<string> {
  const answer = await node.ask('POST', '/api/session/owner', { body: { name: 'owner', password: PASSWORD } })
  if (answer.status !== 201) throw new Error(answer.text)
  return cookieOf(answer)
}
