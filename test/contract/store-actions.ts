import fc from 'fast-check'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import { DAY_MS, dayOf, type Item, NO_COUNTS, type PublishedEntry } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { addOneSource } from '../../src/store/add-one-source.ts'
import { type CatchUpStart, QUERY_READER } from '../../src/store/query-feeds.ts'
import type { Numbering } from './numbering.ts'
import {
  ALL,
  changedItem,
  hex,
  newItem,
  type OpenStore,
  observation,
  record,
  START,
  settings,
  windowOf,
} from './store.fixture.ts'

/** A store, and which of its numbers stand for which of another. */
export interface Side extends OpenStore {
  readonly numbers: Numbering
}

/** One thing that can be done to a store; whatever it answers must be the same from every adapter. */
export type Action = (side: Side) => Promise<unknown>

const url = fc.constantFrom('http://a/', 'http://b/', 'http://c/', 'http://me:secret@c/')
const id = fc.integer({ min: 1, max: 5 })
const name = fc.constantFrom('one', 'two', 'three', 'four', 'five')
const reader = fc.constantFrom('r1', 'r2', QUERY_READER)
/** Ordered by code points the last comes last, by UTF-16 units before the one in front of it. */
const feedName = fc.oneof(
  { weight: 5, arbitrary: fc.constant('f') },
  { weight: 3, arbitrary: fc.constantFrom('g', '\uff46', '\u{1f30a}') },
)
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

function action<T>(name: string, input: fc.Arbitrary<T>, run: (side: Side, input: T) => Promise<unknown>) {
  return input.map((value) => {
    const apply: Action = (side) => run(side, value)
    return Object.assign(apply, { [fc.toStringMethod]: () => `${name}(${JSON.stringify(value)})` })
  })
}

/** What is done to query feeds. */
export const feedActions = [
  action('save feed', fc.tuple(feedName, fc.constantFrom('no' as const, 'from now' as const, { after: 0 })), saveFeed),
  action('drop feed', feedName, async ({ store }, one) =>
    store.changeQueries([{ kind: 'drop-feed', name: one }], await store.queryRevision(), START),
  ),
  action('clear feed', feedName, async ({ store }, one) =>
    store.changeQueries([{ kind: 'clear-feed', name: one, without: ['x'] }], await store.queryRevision(), START),
  ),
  action('change several', fc.tuple(id, url, url, feedName), changeSeveral),
  action('subscribe', feedName, async ({ store }, feed) => {
    const output = { kind: 'file', path: '/x' } as const
    const change = { kind: 'subscribe', feed, output, everyMs: null, secret: 's' } as const
    return store.changeQueries([change], await store.queryRevision(), START)
  }),
  action('publish', fc.tuple(feedName, fc.array(fc.nat(8), { maxLength: 4 }), fc.nat(20)), publish),
  // Often, because only one after the other shows what happens where two stretches meet.
  ...Array.from({ length: 4 }, () =>
    action('catch up', fc.tuple(feedName, fc.array(fc.nat(8), { maxLength: 6 }), fc.nat(4)), catchUp),
  ),
  action('deliver', fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(9)), deliver),
  action('give up', fc.tuple(fc.integer({ min: 1, max: 3 }), fc.uniqueArray(fc.nat(5), { maxLength: 3 })), giveUp),
]

export const anAction = fc.oneof(
  action('add', fc.tuple(url, categories), ({ store }, [one, folders]) =>
    store.addSources([settings(one, { categories: folders })], START),
  ),
  action(
    'update',
    fc.record({ id, patch: fc.oneof(fc.record({ url }), fc.record({ categories })) }),
    ({ store, numbers }, input) => store.updateSource(numbers.at('source', input.id), input.patch),
  ),
  action('remove', id, ({ store, numbers }, one) => store.removeSource(numbers.at('source', one))),
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
  action('page', fc.tuple(fc.boolean(), content, day), page),
  action(
    'prune',
    fc.record({ age: fc.option(day), count: fc.option(fc.integer({ min: 0, max: 3 })), now: day }),
    prune,
  ),
  action('request', fc.array(id, { maxLength: 3 }), ({ store, numbers }, ids) =>
    store.requestRefresh(
      ids.map((one) => numbers.at('source', one)),
      START,
    ),
  ),
  action('take', fc.constant(null), ({ store }) => store.takeRefreshRequests()),
  action('register', fc.tuple(reader, fc.constantFrom('start' as const, 'end' as const)), ({ buffer }, [one, from]) =>
    buffer.register(one, { from, ...NODE_READER }),
  ),
  action('unregister', reader, ({ buffer }, one) => buffer.unregister(one)),
  action('acknowledge', fc.tuple(reader, fc.nat(20)), async (side, [one, nth]) =>
    side.buffer.acknowledge(one, await cursorAt(side, one, nth)),
  ),
  action('drop', fc.tuple(reader, fc.nat(4)), ({ buffer }, [one, keep]) => buffer.drop(one, keep)),
  ...feedActions,
  action('mark', fc.tuple(fc.nat(8), fc.option(fc.boolean()), fc.boolean()), ({ store }, [seq, isRead, isStarred]) =>
    store.markItems(1, [seq], isRead === null ? { isStarred } : { isRead }),
  ),
  action('mark all', fc.tuple(fc.constantFrom('all', 'News', 'one', 'f'), fc.nat(8)), markAll),
  action('audit', fc.tuple(fc.boolean(), fc.option(fc.constantFrom(1, 2)), fc.nat(900)), audit),
  action('quality', fc.tuple(day, day), quality),
  action('search', fc.record({ words, limit: fc.integer({ min: 1, max: 4 }), days: fc.tuple(day, day) }), search),
)

/** Of the nth entry that a reader has not acknowledged; beyond them all, a number that no entry has yet. */
async function cursorAt({ buffer }: OpenStore, name: string, nth: number): Promise<number> {
  const entries = await buffer.read(name, 50)
  return nth === 0 ? 0 : (entries[nth - 1]?.cursor ?? Number.MAX_SAFE_INTEGER)
}

/** What a subscription has still to deliver. */
async function pending({ store }: Pick<OpenStore, 'store'>, id: number): Promise<readonly PublishedEntry[]> {
  const found = (await store.subscriptions()).find((one) => one.id === id)
  return found === undefined ? [] : store.publicationsAfter(found.feedId, { after: found.deliveredSeq, limit: 50 })
}

async function deliver(side: Side, [place, nth]: [number, number]): Promise<unknown> {
  const id = side.numbers.at('subscription', place)
  const upTo = (await pending(side, id))[nth]?.seq
  if (nth === 8) return side.store.recordDelivery(id, { kind: 'failed', error: 'no answer', nextAttemptAt: START })
  return upTo === undefined ? null : side.store.recordDelivery(id, { kind: 'delivered', upTo, at: START })
}

async function giveUp(side: Side, [place, nths]: [number, number[]]): Promise<unknown> {
  const id = side.numbers.at('subscription', place)
  const entries = await pending(side, id)
  const publications = nths.flatMap((nth) => entries[nth]?.seq ?? [])
  return side.store.recordDelivery(id, { kind: 'dead', publications, reason: 'refused', at: START })
}

/** What was found of the page that is longest due. */
async function page({ store }: Side, [isFound, article, days]: [boolean, string | null, number]): Promise<unknown> {
  const at = START + days * DAY_MS
  const pages = await store.duePages(at, { limit: 3 })
  const due = pages.map(({ seq, url, shard, attempts }) => [seq, url, shard, attempts])
  const [first] = pages
  if (first === undefined) return due
  const { seq, attempts } = first
  const held = await store.holdForPages(pages.map((one, k) => ({ seq: one.seq, until: at + k * DAY_MS })))
  const page = { finalUrl: 'http://x/', contentType: 'text/html', etag: '"1"', lastModified: null, facts: null }
  const found = isFound
    ? { dueAt: null, status: 200, failure: null, found: { ...page, body: Buffer.from('x'), article } }
    : { dueAt: at + DAY_MS, status: null, failure: 'FETCH_DNS', found: null }
  const isWritten = await store.recordPage({ seq, attempts: attempts + 1, fetchedAt: at, ...found })
  const { sourceId: _, ...stored } = (await store.itemPage(seq)) ?? { sourceId: 0 }
  const again = days % 2 === 0 ? await store.askAgain([seq, seq + 1], at + DAY_MS) : 0
  const bodies = (await store.storedPages({ after: 0, limit: 5 })).map((one) => one.seq)
  return [due, [...held], isWritten, stored, again, bodies, await store.endHolds(at)]
}

async function refresh(
  { store, numbers }: Side,
  input: {
    id: number
    added: [string, number, string | null][]
    changed: [string, number, string | null][]
    renamed: [string, string][]
    window: string[]
    movedTo: string | null
    at: number
  },
): Promise<unknown> {
  const source = (await store.source(numbers.at('source', input.id))) ?? (await store.source(numbers.at('source', 1)))
  if (source === null) return null
  const at = (days: number) => START + days * DAY_MS
  return store.recordRefresh({
    ...(input.at % 2 === 0 && { fetchesPages: true }),
    sourceId: source.id,
    state: { ...source.state, status: 'active', lastCheckAt: at(input.at), window: windowOf(...input.window) },
    movedTo: input.movedTo,
    observation: observation(source.id, at(input.at), { newItems: input.added.length }),
    renamedItems: input.renamed.map(([from, to]) => ({ from: hex(from), to: hex(to) })),
    newItems: input.added.map(([one, days, text]) =>
      newItem(one, { content: text, sortAt: at(days), firstSeenAt: at(input.at), link: `http://${one}.example/` }),
    ),
    changedItems: input.changed.map(([one, days, text]) =>
      changedItem(one, { content: text, changedAt: at(days), contentHash: hex(`${one}${days}`) }),
    ),
    intake: {
      day: dayOf(at(input.at)),
      taken: input.added.length,
      repaired: input.renamed.length,
      refused: input.changed.length,
    },
    quality: {
      ...NO_COUNTS,
      requests: 1,
      items: input.added.length,
      staleMs: input.at,
      delays: input.added.map((_, index) => ({ bucket: index, items: input.at + 1 })),
    },
  })
}

async function quality({ store, numbers }: Side, [from, to]: [number, number]): Promise<unknown> {
  const [since, until] = [START + from * DAY_MS, START + to * DAY_MS]
  const ids = (places: readonly number[]) => places.map((place) => numbers.at('source', place))
  const many = Array.from({ length: 60 }, (_, index) => index + 1)
  return Promise.all([
    store.quality({ kind: 'node' }, since, until),
    store.quality({ kind: 'category', category: 'News' }, since, until),
    store.quality({ kind: 'sources', ids: ids([1, 3]) }, since, until),
    store.quality({ kind: 'sources', ids: [...new Set(ids(many))] }, since, until),
    store.qualityEver(),
  ])
}

function prune(
  { store }: OpenStore,
  input: { age: number | null; count: number | null; now: number },
): Promise<unknown> {
  const age = input.age === null ? null : input.age * DAY_MS
  const policy = { maxAgeMs: age, maxItemsPerSource: input.count, maxObservationAgeMs: age }
  return store.prune(policy, START + input.now * DAY_MS)
}

async function saveFeed({ store }: OpenStore, [name, from]: [string, CatchUpStart]): Promise<unknown> {
  const feed = { kind: 'save-feed', name, title: null, limit: 2, text: name, catchUp: from } as const
  return store.changeQueries([feed], await store.queryRevision(), START)
}

async function publish(side: Side, [name, seqs, nth]: [string, number[], number]): Promise<unknown> {
  const { store, numbers } = side
  const feed = await store.queryFeed(name)
  if (feed === null) return null
  const cursor = await cursorAt(side, QUERY_READER, nth).catch(() => 0)
  const sourceId = numbers.at('source', 1)
  return store.publish({
    cursor,
    publications: seqs.map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [] })),
    itemCounts: new Map([[sourceId, 3]]),
    matches: [{ feedId: feed.id, version: feed.version, sourceId, items: 1 }],
    at: START,
  })
}

async function catchUp({ store }: OpenStore, [name, seqs, length]: [string, number[], number]): Promise<unknown> {
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

/** All or nothing, whichever of them cannot be. */
async function changeSeveral(
  side: Side,
  [place, added, altered, name]: [number, string, string, string],
): Promise<unknown> {
  const { store, numbers } = side
  const changes = [
    { kind: 'add-source', settings: settings(added, { name: `source ${name}` }), by: null },
    { kind: 'alter-source', sourceId: numbers.at('source', place), patch: { url: altered } },
    { kind: 'remove-source', sourceId: numbers.at('source', place + 1) },
    { kind: 'weigh-feed', name, weight: place },
  ] as const
  return store.changeQueries(changes, await store.queryRevision(), START)
}

async function markAll({ store, numbers }: Side, [what, upTo]: [string, number]): Promise<unknown> {
  const feed = what === 'f' ? await store.queryFeed('f') : null
  if (feed !== null) return store.markAllRead(1, { kind: 'feed', id: feed.id }, upTo)
  if (what === 'News') return store.markAllRead(1, { kind: 'category', category: what }, upTo)
  if (what === 'one') return store.markAllRead(1, { kind: 'source', sourceId: numbers.at('source', 1) }, upTo)
  return store.markAllRead(1, ALL, upTo)
}

/** Moments some seconds or some months apart, so that attempts share a minute and old entries go. */
async function audit(
  { store }: OpenStore,
  [isFailed, userId, step]: [boolean, number | null, number],
): Promise<unknown> {
  const at = START + (step < 300 ? step * 1_000 : step * DAY_MS)
  const action = isFailed ? 'log-in-failed' : 'source-removed'
  return store.recordAudit([{ at, userId, userName: 'ann', address: null, action, subject: 's' }], at)
}

async function search(
  { store, numbers }: Side,
  input: { words: string; limit: number; days: [number, number] },
): Promise<unknown> {
  const [since, until] = input.days.map((days) => START + days * DAY_MS) as [number, number]
  const query = { limit: input.limit, text: input.words, since, until }
  return Promise.all([
    store.items({ ...query, scope: ALL }),
    store.arrivals({ kind: 'category', category: 'News' }, query.limit),
    store.mixedArrivals({ kind: 'category', category: 'News' }, query.limit),
    store.mixedArrivals(ALL, query.limit),
    store.items({ ...query, scope: { kind: 'category', category: 'News' } }),
    store.items({ ...query, scope: { kind: 'source', sourceId: numbers.at('source', 1) } }),
  ])
}

/** Everything that can be seen of a store. */
export async function everything({ store, buffer }: Side, since: number): Promise<unknown> {
  const sources = await store.sources()
  const items = await store.items({ scope: ALL, limit: 100 })
  return {
    sources,
    items,
    pages: await inPages({ store }, 2),
    sport: await store.items({ scope: { kind: 'category', category: 'Sport' }, limit: 3 }),
    categories: await store.categories(),
    schedule: await store.scheduleChanges(0),
    since: await store.scheduleChanges(since),
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
      (await store.queryFeeds()).map(async (feed) => {
        const newest = await store.publications(feed.id, { limit: 3 })
        const after = newest.at(-1)?.seq ?? 0
        const news = await store.publicationsAfter(feed.id, { after, limit: 3 })
        return { feed, newest, news, state: await store.publicationState(feed.id) }
      }),
    ),
    lastInNews: await store.arrivedSeqs({ kind: 'category', category: 'News' }, { upTo: 5, limit: 2 }),
    publishedIn: [...(await store.publishedIn([1, 2, 3, 4, 5, 6]))].map(([seq, feedIds]) => ({ seq, feedIds })),
    selectivities: await store.selectivities(),
    subscriptions: await Promise.all(
      (await store.subscriptions()).map(async (one) => [one, await pending({ store }, one.id)]),
    ),
    letters: await store.deadLetters({ limit: 9 }),
    inOrder: await store.itemsAfter(2, 5),
    labels: await store.itemsAfter(1, 3, 'labels'),
    newestPlaces: [
      await store.itemPositions({ scope: ALL, limit: 4 }),
      await store.itemPositions({ scope: ALL, limit: 3, since: START, until: START + 9 * DAY_MS }),
      await store.itemPositions({ scope: ALL, limit: 0 }),
    ],
    places: [
      await store.lastItemSeq(),
      await store.itemSeqBefore(START + 9 * DAY_MS),
      await store.itemSeqBeforeLast(3),
    ],
    names: await store.sourceNames(),
    marks: await store.marks(1, [1, 2, 3, 4, 5, 6, 7, 8]),
    starred: await store.starred(1, { limit: 9 }),
    toRead: [
      await store.seqsToRead(1, { scope: ALL, isRead: false, limit: 5 }),
      await store.seqsToRead(1, { scope: { kind: 'category', category: 'News' }, oldestFirst: true, limit: 5 }),
    ],
    unread: [...(await store.unread(1, 5))].map(([sourceId, count]) => ({ sourceId, count })),
    audit: (await store.audit({ limit: 50 })).map(({ id: _, ...entry }) => entry),
    buffer: await buffer.state(),
    entries: await Promise.all(['r1', 'r2', QUERY_READER].map((one) => answerOf(() => buffer.read(one, 50)))),
  }
}

async function inPages({ store }: Pick<OpenStore, 'store'>, limit: number): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const after = all.at(-1)
    const page = await store.items({ scope: ALL, limit, ...(after && { after }) })
    all.push(...page)
    if (page.length < limit) return all
  }
}

export async function answerOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return error instanceof HeadwaterError ? error.code : String(error)
  }
}

/** A source with some items, and a query feed that begins with them. */
export const withArchive: Action = async (side) => {
  const { store } = side
  const { source } = await addOneSource(store, settings('http://a/'), START)
  const names = ['one', 'two', 'three', 'four', 'five']
  await store.recordRefresh(record(source, { newItems: names.map((one) => newItem(one)) }))
  return saveFeed(side, ['f', { after: 0 }])
}
