import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServeProcess, startProcess } from '../../lab/attack/node-process.ts'
import { drawTopology } from '../../lab/simulator/draw-topology.ts'
import { poissonTimes } from '../../lab/simulator/poisson.ts'
import { sourceRandom } from '../../lab/simulator/priced-run.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { type DurationMs, type InstantMs, SECOND_MS } from '../../src/model/index.ts'
import type { FeedNumber, SubscriptionGraph } from '../../src/network/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'
import { type NodeAddresses, nodeAddresses } from './node-addresses.ts'

export interface NetworkPlan {
  readonly nodes: number
  readonly sources: number
  readonly alpha: number
  readonly seed: number
  /** Node k reads each of its inputs every so long: no two alike, so that none keeps its phase to another. */
  readonly intervalMs: (node: number) => DurationMs
  readonly itemsPerSecond: number
  readonly lastsMs: DurationMs
  readonly sourceWindow: number
  readonly feedWindow: number
  /** Older pages that a node reads where the window of another shows nothing that it knows. */
  readonly repairPages: number
}

/** An item in the feed of a node. */
export interface NetworkItem {
  readonly source: number
  readonly item: number
  readonly fetchedAt: InstantMs
  readonly at: InstantMs
}

/** What came of it, by feeds of the graph: sources first, then the nodes. */
export interface NetworkRun {
  readonly how: NodeAddresses['how']
  readonly graph: SubscriptionGraph
  readonly startMs: InstantMs
  readonly endMs: InstantMs
  /** Of the items of each source. */
  readonly times: readonly Float64Array[]
  /** When each node has published which items of which source, as often as it did. */
  readonly published: readonly (readonly NetworkItem[])[]
  /** When each node read each input. */
  readonly polls: readonly ReadonlyMap<FeedNumber, readonly InstantMs[]>[]
}

/** Each node a process with an address of its own; sites and clocks are real. */
export async function runNetwork(plan: NetworkPlan): Promise<NetworkRun> {
  const graph = drawTopology(plan)
  const times = Array.from({ length: plan.sources }, (_, source) =>
    poissonTimes(plan.itemsPerSecond / SECOND_MS, 0, plan.lastsMs, sourceRandom(plan.seed, source)),
  )
  let startMs = Number.POSITIVE_INFINITY
  const addresses = await nodeAddresses()
  const site = await startSite(addresses.siteHost, ({ url = '' }, response) => {
    const source = Number(url.slice(2))
    const shown = entryAt(times, source).filter((at) => startMs + at <= systemClock.now()).length
    const last = Array.from({ length: Math.min(shown, plan.sourceWindow) }, (_, k) => `${source}-${shown - 1 - k}`)
    response.end(rss('', last))
  })
  const members: NetworkMember[] = []
  try {
    for (const feed of graph.order) {
      if (graph.kinds[feed] === 'query')
        members.push(await startMember({ plan, graph, site, addresses, members }, feed))
    }
    startMs = systemClock.now()
    const endMs = startMs + plan.lastsMs
    await systemClock.sleep(plan.lastsMs)
    for (const { process } of members) process.signal('SIGTERM')
    for (const { process } of members) await process.exit
    const sorted = members.toSorted((a, b) => a.feed - b.feed)
    const read = await Promise.all(sorted.map((member) => outcomeOf(member)))
    const { how } = addresses
    return { how, graph, startMs, endMs, times: times.map((all) => all.map((at) => startMs + at)), ...transposed(read) }
  } finally {
    for (const { process } of members) if (process.isRunning()) process.signal('SIGKILL')
    for (const { process, folder } of members) {
      await process.exit
      rmSync(folder, { recursive: true, force: true })
    }
    await site.close()
    await addresses.close()
  }
}

async function startSite(host: string, listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path: string) => `http://${host}:${port}${path}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface NetworkStart {
  readonly plan: NetworkPlan
  readonly graph: SubscriptionGraph
  readonly site: Awaited<ReturnType<typeof startSite>>
  readonly addresses: NodeAddresses
  readonly members: readonly NetworkMember[]
}

interface NetworkMember {
  readonly feed: FeedNumber
  readonly url: string
  readonly folder: string
  readonly process: ServeProcess
  readonly inputs: readonly { readonly feed: FeedNumber; readonly url: string }[]
}

async function startMember(
  { plan, graph, site, addresses, members }: NetworkStart,
  feed: FeedNumber,
): Promise<NetworkMember> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-network-'))
  const node = feed - plan.sources
  const { host, prefix } = await addresses.open(node)
  const url = `http://${host}:${PORT}`
  const inputs = entryAt(graph.inputs, feed).map((input) => ({
    feed: input,
    url: input < plan.sources ? site.url(`/s${input}`) : `${urlOf(members, input)}/feeds/f.atom`,
  }))
  // Push would leave nothing to measure.
  writeFileSync(
    join(folder, 'headwater.json'),
    JSON.stringify({ push: false, hub: false, repairPages: plan.repairPages }),
  )
  await fill(folder, inputs, plan.intervalMs(node), plan.feedWindow)
  const flags = ['--data', folder, '--host', host, '--port', String(PORT), '--allow-range', addresses.allowRange]
  const pace = ['--min-interval', '1s', '--host-spacing', '0s', '--budget', '20/s', '--log-level', 'error']
  const process = startProcess({ flags: [...flags, ...pace], env: {}, nodeArgs: [], prefix })
  const answers = async () => (await fetch(`${url}/feeds/f.json`).catch(() => null))?.status === 200
  // One that has ended says why; nobody waits for it.
  if (!(await eventually(async () => !process.isRunning() || (await answers()))) || !process.isRunning())
    throw new Error(`node ${node} does not answer: ${process.output()}`)
  return { feed, url, folder, process, inputs }
}

/** Every node has an address of its own, so all have the same. */
const PORT = 18_642

function urlOf(members: readonly NetworkMember[], feed: FeedNumber): string {
  const found = members.find((member) => member.feed === feed)
  if (found === undefined) throw new Error(`feed ${feed} is not served yet`)
  return found.url
}

async function fill(
  folder: string,
  inputs: readonly { readonly url: string }[],
  intervalMs: DurationMs,
  feedWindow: number,
): Promise<void> {
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const sources = inputs.map(({ url }) => ({ ...withSourceDefaults({ url }), intervalMs }))
  await store.addSources(sources, systemClock.now())
  const all = inputs.map(({ url }) => `"${url}"`).join(' | ')
  const text = `CREATE FEED f LIMIT ${feedWindow} AS RETURN ${all} AS $s;`
  const feed = { kind: 'save-feed', name: 'f', title: null, limit: feedWindow, text, catchUp: { after: 0 } } as const
  await store.changeQueries([feed], await store.queryRevision(), systemClock.now())
  await store.close()
}

async function outcomeOf({ folder, inputs }: NetworkMember) {
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const feed = await store.queryFeed('f')
  const entries = await store.publications(feed?.id ?? 0, { limit: 100_000 })
  const polls = new Map<FeedNumber, readonly InstantMs[]>()
  for (const source of await store.sources({ limit: 100 })) {
    const input = inputs.find(({ url }) => url === source.url)
    const seen = await store.observations(source.id, { limit: 100_000 })
    if (input !== undefined) polls.set(input.feed, seen.map(({ at }) => at).reverse())
  }
  await store.close()
  const published = entries.map(({ item, publishedAt }) => {
    const [source = 0, number = 0] = (item.title ?? '').split('-').map(Number)
    return { source, item: number, fetchedAt: item.firstSeenAt, at: publishedAt }
  })
  return { published, polls }
}

function transposed(read: readonly Awaited<ReturnType<typeof outcomeOf>>[]): Pick<NetworkRun, 'published' | 'polls'> {
  return { published: read.map(({ published }) => published), polls: read.map(({ polls }) => polls) }
}
