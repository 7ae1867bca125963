import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, dayOf, type Item, NO_COUNTS } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { type CatchUp, QUERY_READER } from '../../src/store/query-feeds.ts'
import {
  ALL,
  changedItem,
  hex,
  newItem,
  type Opened,
  observation,
  START,
  STORE_ADAPTERS,
  settings,
  windowOf,
} from './store.fixture.ts'

/** One thing that can be done to a store; whatever it answers must be the same from every adapter. */
type Action = (opened: Opened) => Promise<unknown>

const url = fc.constantFrom('http://a/', 'http://b/', 'http://c/')
const id = fc.integer({ min: 1, max: 5 })
const name = fc.constantFrom('one', 'two', 'three', 'four', 'five')
const reader = fc.constantFrom('r1', 'r2', QUERY_READER)
const feedName = fc.constantFrom('f', 'g')
const categories = fc.subarray(['News', 'News/Science', 'Sport', 'Sport/Ball/Foot'])
const day = fc.integer({ min: 0, max: 20 })
const words = fc.constantFrom(
  'one',
  'two',
  'Früh',
  'fruh',
  'spät abends',
  '"spät abends"',
  '-one',
  'fr*',
  '東京',
  '-"two b"',
  '…',
)
const content = fc.constantFrom(
  null,
  '<p>Früh am Morgen</p>',
  'spät abends',
  'abends spät',
  '東京 two b',
  'a two &amp; b',
)

function action<T>(name: string, input: fc.Arbitrary<T>, run: (opened: Opened, input: T) => Promise<unknown>) {
  return input.map((given) => {
    const apply: Action = (opened) => run(opened, given)
    return Object.assign(apply, { [fc.toStringMethod]: () => `${name}(${JSON.stringify(given)})` })
  })
}

const anAction = fc.oneof(
  action('add', fc.tuple(url, categories), ({ store }, [one, folders]) =>
    store.addSources([settings(one, { categories: folders })], START),
  ),
  action(
    'update',
    fc.record({ id, patch: fc.oneof(fc.record({ url }), fc.record({ categories })) }),
    ({ store }, given) => store.updateSource(given.id, given.patch),
  ),
  action('remove', id, ({ store }, one) => store.removeSource(one)),
  ...Array.from({ length: 4 }, () =>
    action(
      'refresh',
      fc.record({
        id,
        added: fc.uniqueArray(fc.tuple(name, day, content), { selector: ([one]) => one, maxLength: 3 }),
        changed: fc.uniqueArray(fc.tuple(name, day, content), { selector: ([one]) => one, maxLength: 2 }),
        renamed: fc.array(fc.tuple(name, name), { maxLength: 1 }),
        window: fc.subarray(['one', 'two', 'three']),
        movedTo: fc.option(url, { freq: 8 }),
        at: day,
      }),
      refresh,
    ),
  ),
  action(
    'prune',
    fc.record({ age: fc.option(day), count: fc.option(fc.integer({ min: 0, max: 3 })), now: day }),
    prune,
  ),
  action('request', fc.array(id, { maxLength: 3 }), ({ store }, ids) => store.requestRefresh(ids, START)),
  action('take', fc.constant(null), ({ store }) => store.takeRefreshRequests()),
  action('register', fc.tuple(reader, fc.constantFrom('start' as const, 'end' as const)), ({ buffer }, [one, from]) =>
    buffer.register(one, from),
  ),
  action('unregister', reader, ({ buffer }, one) => buffer.unregister(one)),
  action('acknowledge', fc.tuple(reader, fc.nat(20)), ({ buffer }, [one, cursor]) => buffer.acknowledge(one, cursor)),
  action('shed', fc.tuple(reader, fc.nat(4)), ({ buffer }, [one, keep]) => buffer.shed(one, keep)),
  action('save feed', fc.tuple(feedName, fc.constantFrom('no' as const, 'from now' as const, { after: 0 })), saveFeed),
  action('drop feed', feedName, async ({ store }, one) =>
    store.changeQueries([{ kind: 'drop-feed', name: one }], await store.queryRevision(), START),
  ),
  action('subscribe', feedName, async ({ store }, feed) => {
    const output = { kind: 'file', path: '/x' } as const
    const change = { kind: 'subscribe', feed, output, everyMs: null, secret: 's' } as const
    return store.changeQueries([change], await store.queryRevision(), START)
  }),
  action('publish', fc.tuple(feedName, fc.array(fc.nat(8), { maxLength: 4 }), fc.nat(20)), publish),
  action('catch up', fc.tuple(feedName, fc.array(fc.nat(8), { maxLength: 4 }), fc.nat(8)), catchUp),
  action('deliver', fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(9)), ({ store }, [one, upTo]) =>
    store.recordDelivery(one, { kind: 'delivered', upTo, at: START }),
  ),
  action('quality', fc.tuple(day, day), quality),
  action('search', fc.record({ words, limit: fc.integer({ min: 1, max: 4 }), days: fc.tuple(day, day) }), search),
)

async function refresh(
  { store }: Opened,
  given: {
    id: number
    added: [string, number, string | null][]
    changed: [string, number, string | null][]
    renamed: [string, string][]
    window: string[]
    movedTo: string | null
    at: number
  },
): Promise<unknown> {
  const source = (await store.source(given.id)) ?? (await store.source(1))
  if (source === null) return null
  const at = (days: number) => START + days * DAY_MS
  return store.recordRefresh({
    sourceId: source.id,
    state: { ...source.state, status: 'active', lastCheckAt: at(given.at), window: windowOf(...given.window) },
    movedTo: given.movedTo,
    observation: observation(source.id, at(given.at), { newItems: given.added.length }),
    renamedItems: given.renamed.map(([from, to]) => ({ from: hex(from), to: hex(to) })),
    newItems: given.added.map(([one, days, text]) =>
      newItem(one, { content: text, sortAt: at(days), firstSeenAt: at(given.at) }),
    ),
    changedItems: given.changed.map(([one, days, text]) =>
      changedItem(one, { content: text, changedAt: at(days), contentHash: hex(`${one}${days}`) }),
    ),
    intake: {
      day: dayOf(at(given.at)),
      taken: given.added.length,
      repaired: given.renamed.length,
      refused: given.changed.length,
    },
    quality: {
      ...NO_COUNTS,
      requests: 1,
      items: given.added.length,
      staleMs: given.at,
      delays: given.added.map((_, index) => ({ bucket: index, items: given.at + 1 })),
    },
  })
}

async function quality({ store }: Opened, [from, to]: [number, number]): Promise<unknown> {
  const [since, until] = [START + from * DAY_MS, START + to * DAY_MS]
  const many = Array.from({ length: 60 }, (_, index) => index + 1)
  return Promise.all([
    store.quality({ kind: 'node' }, since, until),
    store.quality({ kind: 'category', category: 'News' }, since, until),
    store.quality({ kind: 'sources', ids: [1, 3] }, since, until),
    store.quality({ kind: 'sources', ids: many }, since, until),
    store.qualityEver(),
  ])
}

function prune({ store }: Opened, given: { age: number | null; count: number | null; now: number }): Promise<unknown> {
  const age = given.age === null ? null : given.age * DAY_MS
  const policy = { maxAgeMs: age, maxItemsPerSource: given.count, maxObservationAgeMs: age }
  return store.prune(policy, START + given.now * DAY_MS)
}

async function saveFeed({ store }: Opened, [name, from]: [string, CatchUp]): Promise<unknown> {
  const feed = { kind: 'save-feed', name, title: null, limit: 2, text: name, catchUp: from } as const
  return store.changeQueries([feed], await store.queryRevision(), START)
}

async function publish({ store }: Opened, [name, seqs, cursor]: [string, number[], number]): Promise<unknown> {
  const feed = await store.queryFeed(name)
  if (feed === null) return null
  return store.publish({
    cursor,
    publications: seqs.map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [] })),
    looked: new Map([[1, 3]]),
    kept: [{ feedId: feed.id, version: feed.version, sourceId: 1, items: 1 }],
    at: START,
  })
}

async function catchUp({ store }: Opened, [name, seqs, length]: [string, number[], number]): Promise<unknown> {
  const feed = await store.queryFeed(name)
  if (feed === null || feed.catchUpAfter === null) return null
  const upTo = feed.catchUpAfter + length
  return store.publishCatchUp({
    feeds: [{ feedId: feed.id, version: feed.version }],
    after: feed.catchUpAfter,
    upTo,
    isEnd: length === 3,
    publications: seqs
      .filter((seq) => seq > feed.catchUpAfter! && seq <= upTo)
      .map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [1] })),
    at: START,
  })
}

async function search(
  { store }: Opened,
  given: { words: string; limit: number; days: [number, number] },
): Promise<unknown> {
  const [since, until] = given.days.map((days) => START + days * DAY_MS) as [number, number]
  const query = { limit: given.limit, text: given.words, since, until }
  return Promise.all([
    store.items({ ...query, scope: ALL }),
    store.arrivals({ kind: 'category', category: 'News' }, query.limit),
    store.mixedArrivals({ kind: 'category', category: 'News' }, query.limit),
    store.mixedArrivals(ALL, query.limit),
    store.items({ ...query, scope: { kind: 'category', category: 'News' } }),
    store.items({ ...query, scope: { kind: 'source', sourceId: 1 } }),
  ])
}

/** Everything that can be seen of a store. */
async function everything({ store, buffer }: Opened): Promise<unknown> {
  const sources = await store.sources()
  const items = await store.items({ scope: ALL, limit: 100 })
  return {
    sources,
    items,
    pages: await inPages({ store, buffer }, 2),
    sport: await store.items({ scope: { kind: 'category', category: 'Sport' }, limit: 3 }),
    categories: await store.categories(),
    schedule: await store.scheduleChanges(0),
    since: await store.scheduleChanges(2),
    counts: await store.counts(),
    each: await Promise.all(
      sources.map(async ({ id: one }) => ({
        count: await store.itemCount(one),
        observations: await store.observations(one, { limit: 50 }),
        days: await store.intake(one, { from: 0, to: dayOf(START) + 1_000 }),
        known: await store.knownItems(one, ['one', 'two', 'three', 'four', 'five'].map(hex)),
      })),
    ),
    feeds: await Promise.all(
      (await store.queryFeeds()).map(async (feed) => ({
        feed,
        newest: await store.publications(feed.id, { limit: 3 }),
        news: await store.publicationsAfter(feed.id, { after: 1, limit: 3 }),
        state: await store.publicationState(feed.id),
      })),
    ),
    lastInNews: await store.arrivedSeqs({ kind: 'category', category: 'News' }, { upTo: 5, limit: 2 }),
    publishedIn: await store.publishedIn([1, 2, 3, 4, 5, 6]),
    selectivities: await store.selectivities(),
    subscriptions: await store.subscriptions(),
    inOrder: await store.itemsAfter(2, 5),
    labels: await store.itemsAfter(1, 3, 'labels'),
    newestPlaces: [
      await store.itemPlaces({ scope: ALL, limit: 4 }),
      await store.itemPlaces({ scope: ALL, limit: 3, since: START, until: START + 9 * DAY_MS }),
      await store.itemPlaces({ scope: ALL, limit: 0 }),
    ],
    places: [
      await store.lastItemSeq(),
      await store.itemSeqBefore(START + 9 * DAY_MS),
      await store.itemSeqBeforeLast(3),
    ],
    buffer: await buffer.state(),
    entries: await Promise.all(['r1', 'r2', QUERY_READER].map((one) => answerOf(() => buffer.read(one, 50)))),
  }
}

async function inPages({ store }: Opened, limit: number): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const after = all.at(-1)
    const page = await store.items({ scope: ALL, limit, ...(after && { after }) })
    all.push(...page)
    if (page.length < limit) return all
  }
}

async function answerOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return error instanceof HeadwaterError ? error.code : String(error)
  }
}

const [model, ...others] = STORE_ADAPTERS

describe.each(others)('$name store and memory store', (adapter) => {
  it.skipIf(adapter.skipReason !== undefined)(
    'answer alike whatever is done to them, also over a restart',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anAction, { maxLength: 30 }), fc.nat(30), async (actions, restartAt) => {
          const expected = await model.open({ bufferCapacity: 4 })
          const opening = await adapter.open({ bufferCapacity: 4 })
          let present: Opened = opening
          try {
            for (const [at, apply] of actions.entries()) {
              if (at === restartAt) {
                await present.store.close()
                present = await opening.again()
              }
              const answer = await answerOf(() => apply(expected))
              expect(await answerOf(() => apply(present))).toEqual(answer)
            }
            expect(await everything(present)).toEqual(await everything(expected))
          } finally {
            await opening.end()
          }
        }),
        { numRuns: 60 },
      )
    },
  )
})
