import { z } from 'zod'
import type { PeerDoor } from '../../../api/peer-routes.ts'
import type { Fetcher } from '../../../crawler/fetch/fetcher.ts'
import { type DurationMs, SECOND_MS, type SourceId } from '../../../model/index.ts'
import type { HubSignals } from '../../../refresh/strategies/foresight/hub-signals.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { Layer } from '../../../runtime/supervisor.ts'
import { allSources } from '../../../store/all-sources.ts'
import type { OpenedData } from '../../data/opened-data.ts'
import type { Config } from '../../settings/config.ts'
import { userAgentOf } from '../../settings/user-agent.ts'
import { nodeIdentity } from '../identity.ts'
import { changeNetwork, NETWORK } from '../network-state.ts'
import { SHARING } from '../sharing-state.ts'
import { HeldDocuments } from './documents.ts'
import { createPeerClient } from './peer-client.ts'
import { createPeerDoor, NEWS_PATH, SOURCES_PATH } from './peer-door.ts'
import { isShareable, Roster } from './roster.ts'
import { SharedFetcher } from './shared-fetcher.ts'
import { SharedHistory, type TeachPast } from './shared-history.ts'

export interface SharingDeps {
  readonly config: Config
  readonly data: OpenedData
  readonly clock: Clock
  readonly logger: Logger
}

/** The work that this node shares with those that it trusts. */
export interface Sharing {
  readonly door: PeerDoor
  /** In the place of the fetcher of the crawler. */
  wrap(fetcher: Fetcher): Fetcher
  /**
   * Keeps lists of common sources up to date, and tells of news. `hubs`: peers tell of news as hubs do. `teach`: what they have
   * seen of sources that are new here.
   */
  layer(hubs: Pick<HubSignals, 'follow' | 'unfollow'>, teach: TeachPast): Layer
  close(): Promise<void>
}

const LOOK_EVERY_MS: DurationMs = 2 * SECOND_MS
/** Without anybody to share with. */
const IDLE_MS: DurationMs = 10 * SECOND_MS
const ASK_EVERY_MS: DurationMs = 30 * SECOND_MS
const SAVE_EVERY_MS: DurationMs = 5 * SECOND_MS
const MOST_NAMES = 200_000
const namesOfPeer = z.object({ sources: z.array(z.string().max(30)).max(MOST_NAMES) })

export async function openSharing({ config, data, clock, logger }: SharingDeps): Promise<Sharing> {
  const { store } = data
  const identity = () => nodeIdentity(data)
  const roster = new Roster((await identity()).id)
  const documents = new HeldDocuments()
  const client = createPeerClient({
    identity,
    clock,
    allowRanges: config.allowRange,
    userAgent: userAgentOf(config),
  })
  const history = new SharedHistory({ store, client, roster, clock })
  const changed = new Set<string>()
  const followed = new Map<SourceId, string>()
  /** Whose past was asked for. */
  const remembered = new Set<SourceId>()
  const askedAt = new Map<string, number>()
  let revision = -1
  let believed = -1
  let lookedAt = Number.NEGATIVE_INFINITY
  let savedAt = Number.NEGATIVE_INFINITY
  let news = new AbortController()

  const door = createPeerDoor({ identity, roster, documents, store, clock })

  return {
    door,
    wrap: (fetcher) => new SharedFetcher({ fetcher, roster, documents, client, clock, onNews }),
    layer: (hubs, teach) => ({
      name: 'sharing',
      async run(end) {
        while (!end.aborted) {
          await step(hubs)
          await history.step(teach)
          const woken = AbortSignal.any([end, news.signal])
          if (changed.size === 0) await clock.sleep(roster.peers.length > 0 ? LOOK_EVERY_MS : IDLE_MS, woken)
        }
      },
    }),
    close: () => client.close(),
  }

  function onNews(url: string): void {
    changed.add(url)
    news.abort()
  }

  async function step(hubs: Pick<HubSignals, 'follow' | 'unfollow'>): Promise<void> {
    await tellNews()
    const now = clock.now()
    if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return
    lookedAt = now
    roster.setPeers((await store.state(NETWORK)).peers)
    if (roster.peers.length > 0) {
      await readSources()
      await Promise.all(roster.peers.map((peer) => ask(peer.node)))
    }
    believePeers(hubs)
    if (roster.peers.length === 0 || Math.abs(now - savedAt) < SAVE_EVERY_MS) return
    savedAt = now
    await store.saveState(SHARING, roster.tallies())
    await countStrangers()
  }

  /** Not at once: strangers are not to make this node write. */
  async function countStrangers(): Promise<void> {
    const refused = door.takeRefusals()
    if (refused === 0) return
    await changeNetwork(store, (state) => ({
      ...state,
      refusals: { ...state.refusals, PEER_REFUSED: (state.refusals['PEER_REFUSED'] ?? 0) + refused },
    }))
  }

  async function readSources(): Promise<void> {
    const changes = await store.scheduleChanges(Math.max(0, revision))
    if (revision >= 0 && changes.changed.length === 0 && changes.removed.length === 0) return
    revision = changes.revision
    const shareable = (await allSources(store)).filter(isShareable)
    roster.setSources(new Map(shareable.map(({ url, id }) => [url, id])))
    askedAt.clear()
  }

  async function ask(node: string): Promise<void> {
    const peer = roster.peer(node)
    const now = clock.now()
    const last = askedAt.get(node) ?? Number.NEGATIVE_INFINITY
    if (peer === null || !roster.isDue(node, now) || Math.abs(now - last) < ASK_EVERY_MS) return
    askedAt.set(node, now)
    try {
      const { byName } = roster.names(node)
      const { sources } = namesOfPeer.parse(await client.call(peer, SOURCES_PATH, {}))
      roster.heard(node, new Set(sources.flatMap((name) => byName.get(name) ?? [])))
    } catch (error) {
      askedAt.delete(node)
      roster.failed(node, now)
      logger.debug({ err: error, node }, 'a trusted node does not answer')
    }
  }

  /** A peer that polls for this node is believed like a hub: once it has told of something, there is less to ask. */
  function believePeers(hubs: Pick<HubSignals, 'follow' | 'unfollow'>): void {
    if (believed === roster.version) return
    believed = roster.version
    for (const [url, id] of roster.sources) {
      const [sharer] = remembered.has(id) ? [] : roster.sharersOf(url)
      if (sharer === undefined) continue
      remembered.add(id)
      history.want(id, url, sharer.node)
    }
    const pollers = new Map([...roster.pollers()].map(([url, node]) => [roster.sources.get(url), node]))
    for (const [id, node] of followed) {
      if (pollers.get(id) === node) continue
      hubs.unfollow(id)
      followed.delete(id)
    }
    for (const [id, node] of pollers) {
      if (id === undefined || followed.has(id)) continue
      hubs.follow(id, `node ${node}`, clock.now(), false)
      followed.set(id, node)
    }
  }

  async function tellNews(): Promise<void> {
    if (changed.size === 0) return
    const urls = [...changed]
    changed.clear()
    news = new AbortController()
    await Promise.all(
      roster.peers.map(async (peer) => {
        const names = roster.names(peer.node).byUrl
        const sources = urls
          .filter((url) => roster.sharersOf(url).some(({ node }) => node === peer.node))
          .flatMap((url) => names.get(url) ?? [])
        if (sources.length === 0) return
        // Who does not hear of it looks all the same, when it is time.
        await client.call(peer, NEWS_PATH, { sources }).catch(() => roster.failed(peer.node, clock.now()))
      }),
    )
  }
}

/** For a node that has a process and data of its own: several processes on one store share by its leases. */
export function canShare({
  config,
  data,
  roles,
}: Pick<SharingDeps, 'config' | 'data'> & { readonly roles: ReadonlySet<string> }): boolean {
  return config.network && data.cluster === null && !data.isReadOnly && roles.has('api') && roles.has('crawler')
}
