import { NODE_READER } from '../../src/buffer/buffer.ts'
import { NO_COUNTS } from '../../src/model/index.ts'
import { NO_ORIGIN } from '../../src/store/accounts.ts'
import { builtInFeedId } from '../../src/store/hub.ts'
import { QUERY_READER } from '../../src/store/query-feeds.ts'
import {
  ALL,
  addOne,
  changedItem,
  hex,
  newItem,
  type OpenStore,
  observation,
  record,
  START,
  windowOf,
} from '../contract/store.fixture.ts'
import { rawState } from './raw-state.ts'

const HOUR_MS = 3_600_000
const OUTPUT = { kind: 'webhook', url: 'https://hook.example/' } as const

/** Something of everything that a store keeps, and what is hard to keep: odd hashes, NUL, sealed log-ins, removed things. */
export async function fillStore({ store, buffer }: OpenStore, items = 5): Promise<void> {
  const owner = await store.addUser({ name: 'Ann', role: 'owner', passwordHash: 'x', invitation: null }, START)
  const member = await store.addUser(
    { name: 'Bob', role: 'member', passwordHash: null, invitation: { hash: 'inv', endsAt: START + HOUR_MS } },
    START,
  )
  if (owner === null || member === null) throw new Error('nobody was there before')
  const a = await addOne(store, 'http://a/', {
    name: 'A "quoted" \\ name',
    categories: ['News', 'Sport/Ball, "round"'],
    headers: { 'x-key': 'secret' },
    basicAuth: { user: 'me', password: 'pass' },
    dailyAllowance: 'off',
    pages: 'fetch',
  })
  const b = await addOne(store, 'http://b/')
  const gone = await addOne(store, 'http://gone/')
  await store.addSources([{ ...b, url: 'http://adder/' }], START, member.id)
  await buffer.register('reader', { from: 'start', ...NODE_READER })
  await buffer.register(QUERY_READER, { from: 'start', ...NODE_READER })
  await store.recordRefresh(
    record(a, {
      state: { ...a.state, status: 'active', etag: '"e"', bodyHash: 'odd', window: windowOf('old', 'i1') },
      observation: observation(a.id, START, { newItems: 2, itemTimes: [START, START + 1] }),
      decision: { cause: 'worth', price: 0.1, expected: 1.5, at: START },
      newItems: [
        newItem('old', { firstSeenAt: START - 9 * HOUR_MS }),
        newItem('odd', {
          key: 'an odd key',
          contentHash: 'and hash',
          title: 'NUL \u0000 here',
          content: 'found in text',
        }),
        ...Array.from({ length: items }, (_, index) => newItem(`i${index}`, { sortAt: START + index })),
      ],
      quality: { ...NO_COUNTS, requests: 1, lost: 0.1, delayMs: 0.7, delays: [{ bucket: 3, items: 2 }] },
      intake: { day: 19_723, taken: 2, repaired: 0, refused: 1 },
    }),
  )
  await store.recordRefresh(
    record(b, {
      state: {
        ...b.state,
        status: 'active',
        title: 'B',
        window: [{ key: 'k', contentHash: 'c', alias: 'x', published: 1 }],
      },
      observation: observation(b.id, START + 1),
      movedTo: 'http://moved/',
      newItems: [
        newItem('b1', { link: 'http://b/1', categories: ['x'], authors: [{ name: 'Eve', email: null, url: null }] }),
        newItem('b2', { link: 'http://b/2' }),
      ],
      fetchesPages: true,
      quality: { ...NO_COUNTS, requests: 1, lost: 0.2, delays: [] },
    }),
  )
  await fillPage(store)
  const push = { kind: 'websub', hub: 'https://hub.example/', topic: 'http://a/', key: 'k', secret: 'push' } as const
  await store.savePush({ sourceId: a.id, ...push, nextAt: START }, START)
  await store.wantIcons([a.id], START)
  const icon = { type: 'image/png', hash: 'icon', body: Buffer.from([0, 255]) }
  const look = { at: START + 5, dueAt: START + HOUR_MS, attempts: 2, failure: null }
  await store.recordIcon({ sourceId: a.id, ...look, found: icon })
  await store.recordPush('k', { at: START, digest: 'd', isGenuine: true })
  await store.recordRefresh(record(gone, { newItems: [newItem('g1')] }))
  await store.removeSource(gone.id)
  await store.recordRefresh(record(b, { changedItems: [changedItem('b1')], newItems: [newItem('b3')] }))
  await store.prune({ maxAgeMs: 8 * HOUR_MS, maxItemsPerSource: null, maxObservationAgeMs: null }, START)
  await store.changeQueries(
    [
      { kind: 'save-feed', name: 'f', title: 'F', limit: 3, text: 'FROM all', catchUp: { after: 0 } },
      { kind: 'save-feed', name: 'dropped', title: null, limit: null, text: 'FROM all', catchUp: 'from now' },
      { kind: 'subscribe', feed: 'f', output: OUTPUT, everyMs: 5, secret: 'sign' },
    ],
    await store.queryRevision(),
    START,
  )
  const feed = await store.queryFeed('f')
  const dropped = await store.queryFeed('dropped')
  if (feed === null || dropped === null) throw new Error('the feeds were saved')
  await store.publish({
    cursor: 2,
    publications: [feed, dropped].flatMap(({ id, version }) => [
      { feedId: id, version, itemSeq: 2, joined: [] },
      { feedId: id, version, itemSeq: 3, joined: [2, 3], origin: { id: 'o', isClaimed: true } },
    ]),
    itemCounts: new Map([[a.id, 3]]),
    matches: [{ feedId: feed.id, version: feed.version, sourceId: a.id, items: 1 }],
    at: START,
  })
  await store.changeQueries([{ kind: 'drop-feed', name: 'dropped' }], await store.queryRevision(), START)
  const [subscription] = await store.subscriptions()
  const [entry] = await store.publications(feed.id, { limit: 1 })
  if (subscription === undefined || entry === undefined) throw new Error('both were made')
  await store.recordDelivery(subscription.id, { kind: 'dead', publications: [entry.seq], reason: 'no', at: START })
  const callback = { kind: 'websub', url: 'https://reader.example/cb', format: 'atom' } as const
  await store.saveHubSubscription({ feedId: feed.id, output: callback, secret: '{}', leaseEndsAt: START + 1 }, START)
  const ofAll = { feedId: builtInFeedId('/feeds/all'), path: '/feeds/all', output: callback, secret: '{}' }
  await store.saveHubSubscription({ ...ofAll, leaseEndsAt: START + 1 }, START)
  await store.noteHubNews(['/feeds/all'])
  await store.addFeedToken(feed.id, { hash: 'feed token', label: 'l' }, START)
  await store.setQueryFeedOwner(feed.id, member.id)
  await store.openSession({ hash: 's', userId: owner.id, endsAt: START + HOUR_MS, origin: NO_ORIGIN }, START)
  await store.addApiToken({ userId: member.id, label: 'l', scope: 'read', feed: 'f', hash: 't' }, START)
  await store.setTrust(owner.id, a.id, 0.5)
  await store.follow({ userId: member.id, feed: '/feeds/all', since: START })
  await store.markItems(owner.id, [2], { isRead: true })
  await store.markItems(owner.id, [3], { isStarred: true })
  await store.markAllRead(member.id, ALL, 3)
  await store.requestRefresh([a.id], START, member.id)
  await store.saveState(rawState('covers'), '{"a":1}')
  const model = { form: 'm', windowSize: 20, cost: 1.5, learntAt: START, relearntAt: START }
  await store.saveModels([{ sourceId: a.id, ...model, state: Uint8Array.of(1, 0, 255) }])
  await store.recordFeedReads([{ feed: '/feeds/all', at: START }])
  await store.recordFetches([{ feed: '/feeds/all', reader: hex('r'), at: START, subscribers: 3 }], 0)
  await store.recordAudit(
    [{ at: START, userId: owner.id, userName: 'Ann', address: '::1', action: 'source-removed', subject: 'gone' }],
    START,
  )
  await buffer.drop('reader', 2)
}

/** What `everything` of the contract does not ask. */
export async function restOfStore({ store }: OpenStore): Promise<unknown> {
  const users = await store.users()
  const ids = (await store.sources()).map(({ id }) => id)
  const feeds = await store.queryFeeds()
  return {
    users,
    each: await Promise.all(
      users.map(async ({ id }) => [
        await store.sessions(id, START),
        await store.apiTokens(id),
        await store.trust(id),
        await store.starred(id, { limit: 9 }),
        await store.marks(id, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      ]),
    ),
    follows: await store.follows(),
    owners: await store.queryFeedOwners(),
    adders: await store.sourceAdders(),
    icons: [await store.icons(ids), await store.dueIcons(START + HOUR_MS, { limit: 9 })],
    summaries: await store.sourceSummaries({ afterId: 0, limit: 50 }),
    models: await store.models(ids),
    decisions: await Promise.all(ids.map((id) => store.decisions(id, 9))),
    quality: [
      await store.quality({ kind: 'node' }, 0, START + HOUR_MS),
      await store.qualityEver(),
      ...(await store.qualities([ids], 0, START + HOUR_MS)),
    ],
    reads: await store.feedReads(),
    fetches: await store.fetches(),
    state: await store.state(rawState('covers')),
    feedTokens: await Promise.all(feeds.map(({ id }) => store.feedTokens(id))),
    audit: await store.audit({ limit: 50 }),
    found: await store.items({ scope: ALL, limit: 9, text: 'found' }),
    revision: await store.queryRevision(),
  }
}

/** One page that is there; another waits. */
async function fillPage(store: OpenStore['store']): Promise<void> {
  const [page] = await store.duePages(START + HOUR_MS, { limit: 1 })
  if (page === undefined) throw new Error('no page is due')
  const found = {
    finalUrl: 'http://b/one',
    contentType: 'text/html; charset=koi8-r',
    etag: '"one"',
    lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT',
    facts: null,
    article: '<p>long</p>',
    body: Buffer.from([0, 255]),
  }
  const request = { attempts: 1, dueAt: null, fetchedAt: START + 5, status: 200, failure: null }
  await store.recordPage({ seq: page.seq, ...request, found })
  const [waiting] = await store.duePages(START + HOUR_MS, { limit: 1 })
  if (waiting !== undefined) await store.holdForPages([{ seq: waiting.seq, until: START + 24 * HOUR_MS }])
}
