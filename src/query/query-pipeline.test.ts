import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import {
  changedItem,
  memoryAdapter,
  newItem,
  type OpenStore,
  record,
  START,
  settings,
  sqliteAdapter,
} from '../../test/contract/store.fixture.ts'
import { arrival } from '../../test/support/arrival-arbitrary.ts'
import { joinedQuery } from '../../test/support/query-arbitrary.ts'
import { MINUTE_MS, type ParsedItem, type Source } from '../model/index.ts'
import { systemClock } from '../runtime/clock.ts'
import { type CatchUpStart, QUERY_READER, type QueryChange } from '../store/query-feeds.ts'
import type { Store } from '../store/store.ts'
import { MOST_TEXT_CHARS } from '../store/text-limit.ts'
import { matchSource } from './arrivals.ts'
import type { FeedQuery } from './language/ast.ts'
import { parseQuery } from './language/parse.ts'
import { printQuery, printStatement } from './language/print.ts'
import { runQueries } from './query-pipeline.ts'

const AT = { start: 0, end: 0 }
const detect = (text: string) => (text.includes('iceland') ? 'is' : text.length % 2 === 0 ? 'en' : '')

/** A node's query side on some store: items arrive, queries are changed, the pipeline is stopped and killed. */
class House {
  readonly opened: OpenStore
  sources: Source[] = []
  private running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null
  private itemNumber = 0
  readonly reported = new Set<string>()

  constructor(opened: OpenStore) {
    this.opened = opened
  }

  get store(): Store {
    return this.opened.store
  }

  async begin(): Promise<void> {
    const added = await this.store.addSources(
      [
        settings('https://a.org/feed', { name: 'alpha', categories: ['News/Science'] }),
        settings('https://b.org/feed', { categories: ['Other'] }),
      ],
      START,
    )
    this.sources = added.map(({ source }) => source)
  }

  run(store: Store = this.store): void {
    if (this.running !== null) return
    const stop = new AbortController()
    const onPublished = (feeds: readonly { name: string }[]) => {
      for (const { name } of feeds) this.reported.add(name)
    }
    const { buffer, notifier } = this.opened
    const deps = { store, buffer, notifier, clock: systemClock, review: async () => [], onPublished }
    const done = runQueries({ ...deps, loadDetector: async () => detect, batchSize: 3, lookEveryMs: 1 }, stop.signal)
    done.catch(() => {})
    this.running = { stop, done }
  }

  async stop(): Promise<void> {
    this.running?.stop.abort()
    await this.running?.done.catch(() => {})
    this.running = null
  }

  /** Dies at the nth time that something is published: before it is written, or just after. */
  async runUntilKilled(nth: number, after: boolean): Promise<void> {
    await this.stop()
    let calls = 0
    const dying =
      <T>(write: (record: T) => Promise<unknown>) =>
      async (input: T) => {
        const last = ++calls >= nth
        if (last && !after) throw new Error('killed')
        const result = await write(input)
        if (last) throw new Error('killed')
        return result
      }
    const { publish, publishCatchUp } = this.store
    const store = { ...this.store, publish: dying(publish), publishCatchUp: dying(publishCatchUp) } as Store
    this.run(store)
    await Promise.race([this.running!.done.catch(() => {}), this.settle()])
    await this.stop()
  }

  async change(...changes: QueryChange[]): Promise<void> {
    expect(await this.store.changeQueries(changes, await this.store.queryRevision(), START)).toBe(true)
  }

  async save(name: string, query: FeedQuery | string, catchUp: CatchUpStart = 'from now'): Promise<void> {
    const statement = { kind: 'create', feed: { name, at: AT }, title: null, limit: null } as const
    const text = typeof query === 'string' ? `CREATE FEED ${name} AS ${query}` : printStatement({ ...statement, query })
    await this.change({ kind: 'save-feed', name, title: null, limit: null, text, catchUp })
  }

  async arrive(source: number, items: readonly Partial<ParsedItem>[], at = START): Promise<void> {
    const newItems = items.map((item) => newItem(`${++this.itemNumber}`, { ...item, firstSeenAt: at, sortAt: at }))
    await this.store.recordRefresh(record(this.sources[source]!, { newItems }))
  }

  /** By its number in the order of arrival. */
  async edit(number: number, title: string): Promise<void> {
    await this.store.recordRefresh(record(this.sources[0]!, { changedItems: [changedItem(`${number}`, { title })] }))
  }

  async settle(): Promise<void> {
    const { store, opened } = this
    for (;;) {
      const feeds = await store.queryFeeds()
      if (feeds.length === 0) return
      const isWaiting = feeds.some(({ catchUpAfter }) => catchUpAfter !== null)
      const unread = isWaiting ? [] : await opened.buffer.read(QUERY_READER, 1).catch(() => ['not registered'])
      if (!isWaiting && unread.length === 0) return
      await systemClock.sleep(1)
    }
  }

  async holds(name: string): Promise<number[]> {
    const feed = (await this.store.queryFeed(name))!
    const entries = await this.store.publicationsAfter(feed.id, { after: 0, limit: 1_000, withHistory: true })
    return entries.map(({ itemSeq }) => itemSeq)
  }
}

async function house(adapter = memoryAdapter): Promise<House> {
  const built = new House(await adapter.open())
  await built.begin()
  return built
}

const words = (...titles: string[]) => titles.map((title) => ({ title }))

describe('query feeds in a running node', () => {
  it('publish what arrives and fits, and notify the publisher', async () => {
    const node = await house()
    node.run()
    await node.save('ice', 'RETURN ALL WHERE TITLE CONTAINS ice')
    await node.save('none', 'RETURN ALL WHERE TITLE CONTAINS fire')
    await node.settle()
    await node.arrive(0, words('ice', 'sea', 'more ice'))
    await node.settle()
    expect(await node.holds('ice')).toEqual([1, 3])
    expect(node.reported).toEqual(new Set(['ice']))
    await node.stop()
  })

  it.each([
    ['memory', memoryAdapter],
    ['sqlite', sqliteAdapter],
  ])('go on reading a source by the address that it has moved from (%s)', async (_, adapter) => {
    const node = await house(adapter)
    node.run()
    await node.save('named', 'RETURN "https://a.org/feed"')
    await node.save('asked', 'RETURN ALL WHERE SOURCE = "https://A.org/feed#latest"')
    await node.save('echo', 'RETURN ALL JOIN LAST 1 ITEMS ON "https://a.org/feed" AS $w WITH TITLE = $w.TITLE')
    await node.arrive(0, words('before'))
    await node.settle()
    await node.store.recordRefresh(record(node.sources[0]!, { movedTo: 'https://moved.org/feed' }))
    await node.arrive(0, words('after'))
    await node.settle()
    await node.stop()
    node.run()
    await node.arrive(1, words('after', 'elsewhere'))
    await node.settle()
    expect(await node.holds('named')).toEqual([1, 2])
    expect(await node.holds('asked')).toEqual([1, 2])
    expect(await node.holds('echo')).toEqual([3])
    await node.stop()
    await node.store.close()
  })

  it('begin with what comes by default, and then with the archive in its order', async () => {
    const node = await house()
    await node.arrive(0, words('ice', 'ice', 'ice', 'sea', 'ice'))
    await node.save('new', 'RETURN ALL WHERE TITLE CONTAINS ice')
    await node.save('some', 'RETURN ALL WHERE TITLE CONTAINS ice', { after: 2 })
    await node.save('whole', 'RETURN ALL WHERE TITLE CONTAINS ice', { after: 0 })
    await node.arrive(0, words('ice'))
    node.run()
    await node.settle()
    expect(await node.holds('new')).toEqual([6])
    expect(await node.holds('some')).toEqual([3, 5, 6])
    expect(await node.holds('whole')).toEqual([1, 2, 3, 5, 6])
    const { id } = (await node.store.queryFeed('whole'))!
    expect((await node.store.publicationsAfter(id, { after: 0, limit: 9 })).map(({ itemSeq }) => itemSeq)).toEqual([6])
    await node.stop()
  })

  it('very long items are passed by no query that catches up', async () => {
    const node = await house()
    const content = 'x'.repeat(MOST_TEXT_CHARS + 1)
    await node.arrive(0, [
      { title: 'ice', content },
      { title: 'ice', content },
      { title: 'ice', content },
      { title: 'ice', content },
    ])
    await node.save('whole', 'RETURN ALL WHERE TITLE CONTAINS ice', { after: 0 })
    node.run()
    await node.settle()
    expect(await node.holds('whole')).toEqual([1, 2, 3, 4])
    await node.stop()
  })

  it('an altered query withdraws, in the stretch that it is evaluated on again, what it no longer keeps', async () => {
    const node = await house()
    node.run()
    await node.save('f', 'RETURN ALL WHERE TITLE CONTAINS ice', { after: 0 })
    await node.arrive(0, words('ice', 'sea', 'ice sea', 'ice'))
    await node.settle()
    await node.save('f', 'RETURN ALL WHERE TITLE CONTAINS sea', { after: 1 })
    await node.settle()
    expect(await node.holds('f')).toEqual([1, 3, 2])
    await node.save('f', 'RETURN ALL WHERE TITLE CONTAINS ice')
    await node.arrive(0, words('ice', 'sea'))
    await node.settle()
    expect(await node.holds('f')).toEqual([1, 3, 2, 5])
    await node.stop()
  })

  it('an edit that makes an item fit publishes it once; one that makes it unfit leaves it', async () => {
    const node = await house()
    node.run()
    await node.save('ice', 'RETURN ALL WHERE TITLE CONTAINS ice')
    await node.arrive(0, words('sea', 'ice'))
    await node.settle()
    await node.edit(1, 'ice after all')
    await node.edit(2, 'sea after all')
    await node.settle()
    expect(await node.holds('ice')).toEqual([2, 1])
    await node.stop()
  })

  it('a dropped query publishes no more, and the last one to go takes the reader of the buffer with it', async () => {
    const node = await house()
    node.run()
    await node.save('f', 'RETURN ALL')
    await node.settle()
    await node.change({ kind: 'drop-feed', name: 'f' })
    await expect.poll(() => node.opened.buffer.read(QUERY_READER, 1).catch(() => 'nobody reads')).toBe('nobody reads')
    await node.arrive(0, words('a', 'b'))
    await node.save('g', 'RETURN ALL', { after: 1 })
    await node.settle()
    expect(await node.holds('g')).toEqual([2])
    await node.stop()
  })

  it('measures which share of a source each query keeps', async () => {
    const node = await house()
    node.run()
    await node.save('half', 'RETURN ALL WHERE TITLE CONTAINS ice')
    await node.settle()
    for (let i = 0; i < 60; i++) await node.arrive(0, words('ice', 'sea', 'ice', 'sea'))
    await node.arrive(1, words('sea'))
    await node.settle()
    const [only, ...more] = await node.store.selectivities()
    expect(more).toEqual([])
    expect(only!.sourceId).toBe(node.sources[0]!.id)
    expect(only!.share).toBeGreaterThan(0.4)
    expect(only!.share).toBeLessThan(0.6)
    await node.stop()
  })

  it('counts shares exactly, from what a new query found in the archive on, whenever it begins', {
    timeout: 120_000,
  }, async () => {
    const QUERIES = ['RETURN ALL', 'RETURN ALL WHERE TITLE CONTAINS ice', 'RETURN alpha WHERE TITLE CONTAINS sea']
    const arrival = fc.record({
      source: fc.integer({ min: 0, max: 1 }),
      titles: fc.array(fc.constantFrom('ice', 'sea', 'ice sea', 'fire'), { minLength: 1, maxLength: 7 }),
    })
    const begin = fc.record({ query: fc.constantFrom(...QUERIES), isBackFilled: fc.boolean() })
    const adapters = fc.constantFrom(memoryAdapter, sqliteAdapter)
    await fc.assert(
      fc.asyncProperty(
        adapters,
        fc.array(fc.oneof(arrival, arrival, begin), { maxLength: 14 }),
        async (adapter, steps) => {
          const node = await house(adapter)
          node.run()
          const startSeqs = new Map<string, number>()
          for (const step of steps) {
            if ('titles' in step) await node.arrive(step.source, words(...step.titles))
            else {
              const name = `f${startSeqs.size}`
              await node.settle()
              startSeqs.set(name, step.isBackFilled ? 0 : await node.store.lastItemSeq())
              await node.save(name, step.query, step.isBackFilled ? { after: 0 } : 'from now')
              await node.settle()
            }
          }
          await node.settle()
          const items = await node.store.items({ scope: { kind: 'all' }, limit: 1_000 })
          for (const { feedId, sourceId, share } of await node.store.selectivities()) {
            const { name, text } = (await node.store.queryFeeds()).find(({ id }) => id === feedId)!
            const expectedItems = items.filter((item) => item.sourceId === sourceId && item.seq > startSeqs.get(name)!)
            const publications = new Set(await node.holds(name))
            expect(share, text).toBeCloseTo(
              expectedItems.filter(({ seq }) => publications.has(seq)).length / expectedItems.length,
              9,
            )
            if (text.endsWith('RETURN ALL')) expect(share).toBe(1)
          }
          await node.stop()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('leaves a feed alone whose query it cannot read', async () => {
    const node = await house()
    node.run()
    const text = 'CREATE FEED f AS SOMETHING FROM THE FUTURE'
    await node.change({ kind: 'save-feed', name: 'f', title: null, limit: null, text, catchUp: 'from now' })
    await node.save('g', 'RETURN ALL')
    await node.arrive(0, words('a'))
    await expect.poll(() => node.holds('g')).toEqual([1])
    expect(await node.holds('f')).toEqual([])
    await node.stop()
  })
})

const FEEDS = 5
/** As their texts say: some have none, for example those with two joins of the same variable. */
const queryOf = (i: number) =>
  joinedQuery(['alpha', ...Array.from({ length: i }, (_, j) => `f${j}`)])
    .map((query) => parseQuery(printQuery(query)))
    .filter((parsed) => parsed.ok)
    .map(({ value }) => value)
type Step =
  | { readonly kind: 'save'; readonly query: FeedQuery }
  | { readonly kind: 'items'; readonly source: number; readonly items: readonly ParsedItem[]; readonly minutes: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'kill'; readonly nth: number; readonly after: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(1), fc.array(arrival, { minLength: 1, maxLength: 5 }), fc.nat(50))
      .map(([source, arrivals, minutes]) => ({
        kind: 'items' as const,
        source,
        items: arrivals.map(({ item }) => item),
        minutes,
      })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stop' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      nth: fc.integer({ min: 1, max: 4 }),
      after: fc.boolean(),
    }),
  },
)
/** All queries, each at its place among the other steps. */
const story = fc
  .tuple(
    fc.tuple(...Array.from({ length: FEEDS }, (_, i) => queryOf(i))),
    fc.array(step, { minLength: 4, maxLength: 20 }),
    fc.array(fc.nat(20), { minLength: FEEDS, maxLength: FEEDS }),
  )
  .map(([queries, steps, positions]) => {
    const sorted = [...positions].sort((a, b) => a - b)
    return steps.flatMap((one, at): Step[] => [
      ...queries.filter((_, i) => sorted[i] === at).map((query) => ({ kind: 'save' as const, query })),
      one,
    ])
  })

describe('query feeds whose queries begin with the archive hold what the specification says', () => {
  for (const [adapter, numRuns] of [
    [memoryAdapter, 30],
    [sqliteAdapter, 8],
  ] as const) {
    it(`whatever comes first, and however often the pipeline is stopped and killed: ${adapter.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(story, async (steps) => {
          const opening = await adapter.open()
          const node = new House(opening)
          try {
            await node.begin()
            const queries = await tell(node, steps)
            await expectSpecified(node, queries)
          } finally {
            await node.stop()
            await opening.end()
          }
        }),
        { numRuns },
      )
    })
  }
})

async function tell(node: House, steps: readonly Step[]): Promise<Map<string, FeedQuery>> {
  const queries = new Map<string, FeedQuery>()
  let now = START
  for (const one of steps) {
    switch (one.kind) {
      case 'save':
        await node.save(`f${queries.size}`, one.query, { after: 0 })
        queries.set(`f${queries.size}`, one.query)
        break
      case 'items':
        now += one.minutes * MINUTE_MS
        node.run()
        await node.arrive(one.source, one.items, now)
        break
      case 'settle':
        node.run()
        await node.settle()
        break
      case 'stop':
        await node.stop()
        break
      case 'kill':
        await node.runUntilKilled(one.nth, one.after)
    }
  }
  node.run()
  await node.settle()
  return queries
}

async function expectSpecified(node: House, queries: ReadonlyMap<string, FeedQuery>): Promise<void> {
  const naive = new NaiveEngine(detect)
  for (const [name, query] of queries) naive.set(name, query)
  const expected = new Map<string, [number, readonly number[]][]>([...queries.keys()].map((name) => [name, []]))
  for (const item of await node.store.itemsAfter(0, 10_000)) {
    const source = matchSource((await node.store.source(item.sourceId))!)
    for (const { feed, joined } of naive.process({ item, source })) expected.get(feed)!.push([item.seq, joined])
  }
  for (const feed of await node.store.queryFeeds()) {
    const entries = await node.store.publicationsAfter(feed.id, { after: 0, limit: 10_000, withHistory: true })
    expect(entries.map(({ itemSeq, joined }) => [itemSeq, joined])).toEqual(expected.get(feed.name))
  }
}
