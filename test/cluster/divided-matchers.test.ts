import { afterEach, describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { matchSource } from '../../src/query/arrivals.ts'
import { runDividedQueries } from '../../src/query/divided-queries.ts'
import { parseQuery } from '../../src/query/language/parse.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/index.ts'
import type { QueryChange } from '../../src/store/query-feeds.ts'
import { changedItem, hex, record } from '../contract/store.fixture.ts'
import { eventually } from '../support/patience.ts'
import { testDatabase } from '../support/postgres.ts'
import { keyFileOf } from '../support/postgres-adapter.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { HandLeases } from './hand-leases.ts'

const SHARDS = 4
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)
const SEED = 17
const ROUNDS = 40
const WORDS = ['ash', 'bridge', 'cloud', 'delta', 'ember', 'fjord']

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openCluster(): Promise<PostgresStore> {
  const database = await testDatabase()
  ends.push(() => database.drop())
  const opened = await openPostgresStore({ url: database.url, clock: systemClock, keyFile: keyFileOf(database.url) })
  ends.push(() => opened.store.close())
  return opened
}

/** A matcher of this process with leases of its own. */
function startMatcher({ store, buffer, notifier, queryShards, leases }: PostgresStore, owner: string) {
  const own = new HandLeases(leases, { role: 'matcher', owner }, SHARDS)
  const stop = new AbortController()
  const options = { clock: systemClock, review: async () => [], batchSize: 3, lookEveryMs: 5 }
  const running = runDividedQueries({ store, buffer, notifier, queryShards, leases: own, ...options }, stop.signal)
  ends.push(() => {
    stop.abort()
    return running
  })
  return own
}

const save = (name: string, body: string): QueryChange => ({
  kind: 'save-feed',
  name,
  title: null,
  limit: null,
  text: `CREATE FEED ${name} AS ${body};`,
  catchUp: { after: 0 },
})

async function change({ store }: PostgresStore, ...changes: readonly QueryChange[]): Promise<void> {
  while (!(await store.changeQueries(changes, await store.queryRevision(), systemClock.now()))) {
    // A matcher has divided them meanwhile, or another look is needed.
  }
}

const settled = ({ store }: PostgresStore) =>
  eventually(
    async () =>
      (await store.processedUpTo()) === (await store.lastItemSeq()) &&
      (await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null),
  )

async function published({ store }: PostgresStore): Promise<Record<string, number[]>> {
  const feeds = await store.queryFeeds()
  const entries = await Promise.all(
    feeds.map(async ({ id, name }) => {
      const found = await store.publicationsAfter(id, { after: 0, limit: 10_000, withHistory: true })
      return [name, found.map(({ itemSeq }) => itemSeq).sort((a, b) => a - b)] as const
    }),
  )
  return Object.fromEntries(entries)
}

/** What one process, which sees everything in order, would have published. */
async function expected({ store }: PostgresStore): Promise<Record<string, number[]>> {
  const naive = new NaiveEngine()
  const seqs: Record<string, number[]> = {}
  for (const { name, text } of await store.queryFeeds()) {
    const parsed = parseQuery(text)
    if (!parsed.ok) throw new Error(`the query of ${name} is wrong`)
    naive.set(name, parsed.value)
    seqs[name] = []
  }
  const sources = new Map((await store.sources()).map((source) => [source.id, matchSource(source)]))
  for (const item of await store.itemsAfter(0, 10_000)) {
    const source = sources.get(item.sourceId)
    if (source === undefined) continue
    for (const { feed } of naive.process({ item, source })) seqs[feed]?.push(item.seq)
  }
  return seqs
}

describe('matchers that share the queries', () => {
  it(`publish what one would, whatever comes, goes, stalls and changes meanwhile (seed ${SEED})`, async () => {
    const cluster = await openCluster()
    const { store } = cluster
    const random = seededRandom(SEED)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const word = () => pick(WORDS)
    const sources = [await addSource(store, 'https://a.example/feed'), await addSource(store, 'https://b.example/feed')]
    const feeds: { readonly name: string; readonly reads: readonly string[] }[] = []
    let lastFeed = 0
    const addFeed = async () => {
      const name = `q${++lastFeed}`
      const names = feeds.map((feed) => feed.name)
      const reads = names.length > 1 && random() < 0.5 ? [pick(names), pick(names)] : []
      const [first = 'ALL', second = 'ALL'] = reads
      const bodies = [
        `RETURN ${first} AS $v JOIN LAST 6 ITEMS ON ${second} AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.3]`,
        `RETURN ${first} WHERE TITLE CONTAINS "${word()}" DISTINCT BY TITLE LAST 8 ITEMS`,
        `RETURN ${[...new Set([first, second])].join(' | ')} WHERE TITLE CONTAINS "${word()}" OR "${word()}"`,
      ]
      const body = pick(reads.length === 0 ? bodies.slice(1) : bodies)
      await change(cluster, save(name, body))
      feeds.push({ name, reads })
    }
    /** One that nobody reads: what it joined is parted again. */
    const dropLeaf = async () => {
      const leaf = feeds.findLast(({ name }) => !feeds.some(({ reads }) => reads.includes(name)))
      if (leaf === undefined || feeds.length < 5) return
      await change(cluster, { kind: 'drop-feed', name: leaf.name })
      feeds.splice(feeds.indexOf(leaf), 1)
    }
    let count = 0
    const arrive = async () => {
      const items = Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
        title: `${word()} ${word()}`,
        id: `item-${count++}`,
      }))
      await storeItems(store, pick(sources).id, items)
    }

    for (let at = 0; at < 6; at++) await addFeed()
    const matchers = [startMatcher(cluster, 'a'), startMatcher(cluster, 'b')] as const
    await matchers[0].claim(ALL_SHARDS)
    for (let round = 0; round < ROUNDS; round++) {
      await arrive()
      const [one, other] = random() < 0.5 ? matchers : [matchers[1], matchers[0]]
      const what = random()
      if (what < 0.3) {
        const some = [...one.current().keys()].filter(() => random() < 0.5)
        await one.giveBack(some)
        await other.claim(some)
      } else if (what < 0.5) {
        const all = [...one.current().keys()]
        await one.expire()
        await other.claim(all)
        await arrive()
        one.loseAll()
      } else if (what < 0.7) await addFeed()
      else if (what < 0.8) await dropLeaf()
      await systemClock.sleep(random() * 20)
    }
    expect(await settled(cluster)).toBe(true)
    const ought = await expected(cluster)
    expect(Object.values(ought).reduce((sum, seqs) => sum + seqs.length, 0)).toBeGreaterThan(100)
    expect(await published(cluster)).toEqual(ought)
  })

  it('go back for a feed that comes from a shard behind, also for what was edited there', async () => {
    const cluster = await openCluster()
    const { store, queryShards } = cluster
    const source = await addSource(store, 'https://a.example/feed')
    await change(cluster, save('q1', 'RETURN ALL WHERE TITLE CONTAINS "ash"'))
    await change(cluster, save('q2', 'RETURN ALL WHERE TITLE CONTAINS "ember"'))
    const [first, second] = [startMatcher(cluster, 'a'), startMatcher(cluster, 'b')]
    await first.claim([1])
    await second.claim([2])
    const old = { title: 'cloud', key: hex('old'), contentHash: hex('old1') }
    await storeItems(store, source.id, [old])
    expect(await settled(cluster)).toBe(true)
    await second.giveBack([2])

    const edit = changedItem('old', { title: 'ember in the cloud', changedAt: systemClock.now() })
    await store.recordRefresh(record(source, { changedItems: [edit] }))
    await storeItems(store, source.id, [{ title: 'ash' }, { title: 'ember' }])
    const reached = async (shard: number) => (await queryShards.places()).get(shard)?.itemSeq
    expect(await eventually(async () => (await reached(1)) === 3)).toBe(true)
    expect(await reached(2)).toBe(1)
    expect(await published(cluster)).toEqual({ q1: [2], q2: [] })

    await change(cluster, save('q3', 'RETURN q1 | q2'))
    expect(await settled(cluster)).toBe(true)
    expect(await published(cluster)).toEqual({ q1: [2], q2: [1, 3], q3: [1, 2, 3] })
    expect([...(await queryShards.places()).keys()]).toEqual([1])
  })

  it('go on with all their shards once those that came from behind are where the others were', async () => {
    const cluster = await openCluster()
    const { store } = cluster
    const source = await addSource(store, 'https://a.example/feed')
    await change(cluster, save('q1', 'RETURN ALL WHERE TITLE CONTAINS "ash"'))
    await change(cluster, save('q2', 'RETURN ALL WHERE TITLE CONTAINS "ash" OR "ember"'))
    const matcher = startMatcher(cluster, 'a')
    await matcher.claim([2])
    expect(await eventually(async () => (await cluster.queryShards.places()).size === 2)).toBe(true)
    await storeItems(store, source.id, [{ title: 'ash' }, { title: 'ember' }])
    const count = async (name: string) => (await published(cluster))[name]?.length
    expect(await eventually(async () => (await count('q2')) === 2)).toBe(true)
    await matcher.claim([1])
    expect(await eventually(async () => (await count('q1')) === 1)).toBe(true)
    await storeItems(store, source.id, [{ title: 'ash and ember' }])
    expect(await settled(cluster)).toBe(true)
    expect(await published(cluster)).toEqual({ q1: [1, 3], q2: [1, 2, 3] })
  })
})
