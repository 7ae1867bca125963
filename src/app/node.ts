import { setMaxListeners } from 'node:events'
import type { Lab } from '../api/services.ts'
import type { PageReader } from '../articles/visit-page.ts'
import type { SourceRefresh } from '../crawler/pipeline.ts'
import { checkStrategy } from './crawling/strategy.ts'
import type { Data, openData } from './data/data.ts'
import { ROLE_NAMES, type RoleName } from './data/role-names.ts'
import type { Environment } from './environment.ts'
import { apiRole } from './roles/api.ts'
import { crawlerRole } from './roles/crawler.ts'
import { type OpenedGround, openGround } from './roles/ground.ts'
import { matcherRole } from './roles/matcher.ts'
import { publisherRole } from './roles/publisher.ts'
import type { NodeRole } from './roles/role.ts'
import type { Config, SettingOrigin } from './settings/config.ts'
import { ensureOwner } from './users/owner.ts'

export interface RunningNode {
  /** Where it serves, as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Where it takes letters; null: it takes none. */
  readonly smtpPort: number | null
  readonly data: Data
  /** Rejects with what the node cannot serve at all after; never resolves. */
  readonly failed: Promise<never>
  /** For the operator: an error that nothing in this process caught. */
  readonly surprise: (error: unknown) => void
  stop(): Promise<void>
}

export interface NodeOptions {
  /** Those of this process; usually all. */
  readonly roles?: readonly RoleName[]
  readonly onRefreshed?: (refreshed: SourceRefresh) => void
  /** Settings that were given elsewhere than in the document. */
  readonly origins?: ReadonlyMap<string, SettingOrigin>
  /** For a node without an owner. */
  readonly ownerPassword?: string | undefined
  /** Called to have the process end the node and start it again; absent: nobody does. */
  readonly onRestart?: () => void
  /** Whoever sits at the machine is this user, without a password: for a demo alone. */
  readonly visitor?: string
  /** Tries strategies on this node's history; made by lab/, which src/ does not know. */
  readonly lab?: ((config: Config) => Lab) | null
  /** Opens the data; another for tests, whose store fails. */
  readonly open?: typeof openData
  /** Takes articles out of their pages; another for tests. */
  readonly openExtractor?: () => Promise<PageReader>
}

/**
 * Starts roles in this process: the crawler fills the item buffer, the matcher and the publisher follow it, the API shows the
 * feeds. Everything that must last, and everything that roles send each other, is in the data: so starting again after any
 * end goes on from there, and each role may be in a process of its own.
 */
export async function startNode(
  config: Config,
  nodeEnvironment: Environment,
  options: NodeOptions = {},
): Promise<RunningNode> {
  // Unknown names are refused before anything begins.
  checkStrategy(config)
  const ground = await openGround(config, nodeEnvironment, {
    roles: options.roles ?? ROLE_NAMES,
    given: options.origins,
    open: options.open,
  })
  const { data, health, wires } = ground
  const roles: NodeRole[] = []
  const close = async () => {
    for (const role of roles) await role.close()
    await ground.close()
  }
  try {
    await ensureOwner(options.ownerPassword, data.store, ground.environment.clock)
    if (options.onRefreshed !== undefined) wires.refreshed.listen(options.onRefreshed)
    // Each in front of those before it: who stops first must find the others.
    for (const name of ROLE_NAMES) if (ground.roles.has(name)) roles.unshift(await START[name](ground, options))
  } catch (error) {
    await close()
    throw error
  }
  const stopping = new AbortController()
  // Every layer listens to it; that is no leak.
  setMaxListeners(0, stopping.signal)
  const layers = [...ground.layers, ...roles.flatMap((role) => role.layers)]
  const running = layers.map((layer) => health.supervisor.run(layer, stopping.signal).catch(health.fail))

  return {
    url: ground.baseUrl.replace(/\/+$/, ''),
    port: ground.port,
    smtpPort: roles.find(({ smtpPort }) => smtpPort !== undefined)?.smtpPort ?? null,
    data,
    failed: health.failed,
    surprise: health.surprise,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await close()
    },
  }
}

type StartRole = (ground: OpenedGround, options: NodeOptions) => Promise<NodeRole> | NodeRole

const START: Readonly<Record<RoleName, StartRole>> = {
  crawler: (ground, { onRestart = null, openExtractor = openThreads }) =>
    crawlerRole(ground, { restart: onRestart, openExtractor }),
  matcher: matcherRole,
  publisher: publisherRole,
  api: (ground, { origins: given = new Map(), lab, onRestart = null, visitor = null }) =>
    apiRole(ground, { settingOrigins: given, lab: lab?.(ground.config) ?? null, restart: onRestart, visitor }),
}

/** The threads are loaded when the first page is there. */
async function openThreads(): Promise<PageReader> {
  const { createExtractor } = await import('../articles/threads/extractor.ts')
  return createExtractor()
}
