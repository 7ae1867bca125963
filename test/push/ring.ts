import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { type DurationMs, MINUTE_MS } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { fastClock } from '../support/fast-clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'

/** A real node over loopback HTTP, with a site of its own. */
interface Member {
  readonly node: RunningNode
  readonly site: LocalServer
  readonly guids: string[]
  readonly dataDir: string
}

export interface RingOutcome {
  /** Items that the sites have published. */
  readonly items: number
  /** What each node's feed has published, by title. */
  readonly published: readonly (readonly string[])[]
}

const SPEED = 120

/**
 * Nodes in a circle: the feed of each holds its own site and the feed of the one before it. Their sites publish for so long of
 * speeded-up time; then everybody gets the time to hear of the rest.
 */
export async function runRing(nodes: number, lastsMs: DurationMs, ids: (guid: string) => string): Promise<RingOutcome> {
  const clock = fastClock(SPEED)
  const members: Member[] = []
  try {
    for (let k = 0; k < nodes; k++) members.push(await open(clock, k, ids))
    for (const [k, member] of members.entries()) await follow(member, members.at(k - 1) ?? member, clock)
    const endMs = clock.monotonicMs() + lastsMs
    for (let n = 1; clock.monotonicMs() < endMs; n++) {
      for (const [k, { guids }] of members.entries()) guids.unshift(`site-${k}-${n}`)
      await clock.sleep(2 * MINUTE_MS)
    }
    const items = members.reduce((sum, { guids }) => sum + guids.length, 0)
    await eventually(async () => (await titlesOf(members)).every((titles) => new Set(titles).size === items))
    return { items, published: await titlesOf(members) }
  } finally {
    for (const { node, site, dataDir } of members) {
      await node.stop()
      await site.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

async function open(clock: Clock, k: number, ids: (guid: string) => string): Promise<Member> {
  const guids = [`site-${k}-0`]
  const site = await startServer((_request, response) => response.end(rss('', guids, ids)))
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-ring-'))
  const flags = { port: 0, allowRange: 'loopback', hostSpacing: 0, budget: '4/m' }
  const environment = { clock, random: seededRandom(k), logger: silentLogger }
  const node = await startNode(loadConfig(dataDir, flags, {}), environment, { ownerPassword: 'correct horse battery' })
  return { node, site, guids, dataDir }
}

async function follow({ node, site }: Member, before: Member, clock: Clock): Promise<void> {
  const { store } = node.data
  const urls = [site.url('/feed'), `${before.node.url}/feeds/f.atom`]
  await store.addSources(
    urls.map((url) => withSourceDefaults({ url })),
    clock.now(),
  )
  const text = `CREATE FEED f LIMIT 1000 AS RETURN ${urls.map((url) => `"${url}"`).join(' | ')} AS $s;`
  const feed = { kind: 'save-feed', name: 'f', title: null, limit: 1000, text, catchUp: { after: 0 } } as const
  await store.changeQueries([feed], await store.queryRevision(), clock.now())
}

function titlesOf(members: readonly Member[]): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    members.map(async ({ node: { data } }) => {
      const feed = await data.store.queryFeed('f')
      const entries = await data.store.publications(feed?.id ?? 0, { limit: 10_000 })
      return entries.map(({ item }) => item.title ?? '')
    }),
  )
}
