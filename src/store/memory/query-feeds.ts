import type { Cursor } from '../../buffer/buffer.ts'
import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, ItemSeq, QueryFeed } from '../../model/index.ts'
import { type CatchUpStart, QUERY_READER, type QueryChange, type QueryFeedStore } from '../query-feeds.ts'
import { beginCatchUp, catchUpOf, clearAfter, NOT_BEGUN } from '../rules/catch-up.ts'
import { shareOf } from '../rules/selectivity.ts'
import { compareText } from '../rules/text-order.ts'
import { firstWithinLimit, withParts } from '../text-limit.ts'
import { checkChanges } from './check-changes.ts'
import { seqsIn } from './items.ts'
import { catchUp, entriesOf, entriesWithinLimit, publish } from './publications.ts'
import { addSource, changeSource, dropSource } from './sources.ts'
import {
  dropSubscriptions,
  listRequeuedLetters,
  recordDelivery,
  requeueDeadLetters,
  settleDeadLetter,
  subscribe,
  unsubscribe,
} from './subscriptions.ts'
import { itemsBefore, type MemoryTables } from './tables.ts'

export function queryFeedVerbs(world: MemoryTables, acknowledge: (cursor: Cursor) => void): QueryFeedStore {
  const { queries } = world
  const page = <T>(rows: readonly T[], limit: number) => rows.slice(0, Math.max(0, limit))
  return {
    queryRevision: async () => queries.revision,
    queryFeeds: async () => [...queries.feeds.values()].sort((a, b) => compareText(a.name, b.name)),
    queryFeed: async (name) => findByName(world, name) ?? null,
    async changeQueries(changes, revision, now) {
      if (revision !== queries.revision) return false
      checkChanges(world, changes)
      for (const change of changes) apply(world, change, now)
      if (changes.length > 0) queries.revision += queries.step
      return true
    },
    async updateQueryFeed(id, patch) {
      queries.revision += queries.step
      const feed = queries.feeds.get(id)
      if (feed !== undefined) queries.feeds.set(id, { ...feed, ...patch })
    },

    async publish(record) {
      acknowledge(record.cursor)
      return publish(world, record, evaluatedUpTo(world))
    },
    publishCatchUp: async (record) => catchUp(world, record, evaluatedUpTo(world)),
    publications: async (feedId, { limit, before = Number.POSITIVE_INFINITY }) =>
      entriesWithinLimit(
        page(
          entriesOf(world, (one) => one.feedId === feedId && one.seq < before).sort((a, b) => b.seq - a.seq),
          limit,
        ),
      ),
    publicationsAfter: async (feedId, { after, limit, withHistory = false, whole = false }) => {
      const entries = page(
        entriesOf(world, (one) => one.feedId === feedId && one.seq > after && (withHistory || !one.isHistory)),
        limit,
      )
      return whole ? firstWithinLimit(entries, ({ item }) => item) : entriesWithinLimit(entries)
    },
    async publicationState(feedId) {
      const entries = entriesOf(world, (one) => one.feedId === feedId)
      return { count: entries.length, lastSeq: entries.at(-1)?.seq ?? 0 }
    },
    publishedBetween: async (feedId, since, until) =>
      entriesOf(world, (one) => one.feedId === feedId && !one.isHistory).filter(
        ({ publishedAt }) => publishedAt >= since && publishedAt < until,
      ).length,
    async publishedIn(seqs) {
      const pairs = seqs.map((seq) => {
        const ids = entriesOf(world, ({ itemSeq }) => itemSeq === seq).map(({ feedId }) => feedId)
        return [seq, ids.sort((a, b) => a - b)] as const
      })
      return new Map(pairs.filter(([, ids]) => ids.length > 0))
    },
    async selectivities() {
      const pairs = [...queries.matchShares].flatMap(([feedId, bySource]) =>
        [...bySource].map(([sourceId, share]) => ({
          feedId,
          sourceId,
          ...shareOf(share, valueAt(queries.itemCounts, sourceId)),
        })),
      )
      return pairs.sort((a, b) => a.feedId - b.feedId || a.sourceId - b.sourceId)
    },

    itemsAfter: async (seq, limit, parts = 'all') => {
      const after = [...world.items.values()].filter((item) => item.seq > seq)
      const items = page(after, limit).map((item) => withParts(item, parts))
      return firstWithinLimit(items, (item) => item)
    },
    titlesAfter: async (after, limit) =>
      page(
        [...world.items.values()].filter((item) => item.seq > after),
        limit,
      ).map(({ seq, sourceId, firstSeenAt, sortAt, title }) => ({ seq, sourceId, firstSeenAt, sortAt, title })),
    lastItemSeq: async () => world.lastSeq,
    processedUpTo: async () => evaluatedUpTo(world),
    arrivedSeqs: async (scope, { upTo, limit }) => lastOf(seqsIn(world, scope), { after: 0, upTo, limit }),
    publishedSeqs: async (feedId, page) =>
      lastOf(
        entriesOf(world, (one) => one.feedId === feedId).map(({ itemSeq }) => itemSeq),
        page,
      ),
    async itemSeqBefore(firstSeenAt) {
      const first = [...world.items.values()].find((item) => item.firstSeenAt >= firstSeenAt)
      return first === undefined ? world.lastSeq : first.seq - 1
    },
    async itemSeqBeforeLast(count) {
      return count <= 0 ? world.lastSeq : ([...world.items.keys()].at(-count - 1) ?? 0)
    },

    subscriptions: async (feedId) =>
      [...queries.subscriptions.values()].filter((one) => feedId === undefined || one.feedId === feedId),
    recordDelivery: async (id, delivery) => recordDelivery(queries, id, delivery),
    deadLetters: async ({ subscriptionId, limit }) =>
      page(
        [...queries.deadLetters.values()]
          .filter((one) => subscriptionId === undefined || one.subscriptionId === subscriptionId)
          .reverse(),
        limit,
      ),
    requeueDeadLetters: async (which) => requeueDeadLetters(queries, which),
    requeuedDeadLetters: async (limit) => page(listRequeuedLetters(queries), limit),
    settleDeadLetter: async (id, failure) => settleDeadLetter(queries, id, failure),
    async addFeedToken(feedId, { hash, label }, now) {
      queries.revision += queries.step
      queries.lastToken += queries.step
      const token = { id: queries.lastToken, feedId, hash, label, createdAt: now }
      queries.tokens.set(token.id, token)
      return token
    },
    async removeFeedToken(id) {
      queries.revision += queries.step
      return queries.tokens.delete(id)
    },
    feedTokens: async (feedId) => [...queries.tokens.values()].filter((one) => one.feedId === feedId),
  }
}

/** The last `limit` within (after, upTo], in order. */
function lastOf(
  seqs: readonly ItemSeq[],
  { after, upTo, limit }: { readonly after: ItemSeq; readonly upTo: ItemSeq; readonly limit: number },
): ItemSeq[] {
  const within = seqs.filter((seq) => seq > after && seq <= upTo).sort((a, b) => a - b)
  return limit <= 0 ? [] : within.slice(-limit)
}

function findByName({ queries }: MemoryTables, name: string): QueryFeed | undefined {
  return [...queries.feeds.values()].find((feed) => feed.name === name)
}

/** Of changes that were checked. */
function standing(world: MemoryTables, name: string): QueryFeed {
  const feed = findByName(world, name)
  if (feed === undefined) throw new Error(`there is no query feed ${name}`)
  return feed
}

function apply(world: MemoryTables, change: QueryChange, now: InstantMs): void {
  const { queries } = world
  switch (change.kind) {
    case 'add-source':
      addSource(world, change.settings, now, change.by)
      return
    case 'alter-source':
      changeSource(world, change.sourceId, change.patch)
      return
    case 'remove-source':
      dropSource(world, change.sourceId, now)
      return
    case 'save-feed':
      saveFeed(world, change, now)
      return
    case 'weigh-feed': {
      const feed = standing(world, change.name)
      queries.feeds.set(feed.id, { ...feed, weight: change.weight })
      return
    }
    case 'drop-feed':
      dropFeed(world, standing(world, change.name))
      return
    case 'clear-feed':
      clearFeed(world, standing(world, change.name), change.without)
      return
    case 'subscribe':
      subscribe(queries, standing(world, change.feed).id, change, now)
      return
    case 'unsubscribe':
      unsubscribe(queries, standing(world, change.feed).id, change.output)
  }
}

type SavedFeed = Extract<QueryChange, { kind: 'save-feed' }>

function saveFeed(world: MemoryTables, change: SavedFeed, now: InstantMs): void {
  const { queries } = world
  const { name, title, limit, text } = change
  const before = findByName(world, name)
  const { isPrivate = false, ownerId = null } = change.first ?? {}
  const first = { isPrivate, weight: 1, wish: null, createdAt: now, ...NOT_BEGUN }
  const feed = {
    ...(before ?? { ...first, id: queries.lastFeedId + queries.step }),
    name,
    title,
    limit,
    text,
    alteredAt: now,
  }
  queries.lastFeedId = Math.max(queries.lastFeedId, feed.id)
  const from = catchUpOf(change.catchUp, before === undefined)
  queries.feeds.set(feed.id, from === 'no' ? feed : begin(world, feed, from))
  if (before === undefined && ownerId !== null) queries.owners.set(feed.id, ownerId)
}

function clearFeed(world: MemoryTables, feed: QueryFeed, without: readonly string[]): void {
  const { publications, feeds, begins } = world.queries
  const seqs = [...publications.values()].filter(({ feedId }) => feedId === feed.id).map(({ itemSeq }) => itemSeq)
  const place = { ...feed, beganAfter: begins.get(feed.id) ?? null }
  const after = clearAfter(place, seqs.length === 0 ? null : Math.min(...seqs))
  feeds.set(feed.id, { ...begin(world, feed, { after }), isClearing: true, without: [...without] })
}

function begin(world: MemoryTables, feed: QueryFeed, from: Exclude<CatchUpStart, 'no'>): QueryFeed {
  const { begins, asksAfter, matchShares: shares } = world.queries
  const before = { version: feed.version, beganAfter: begins.get(feed.id) ?? null }
  const { beganAfter, ...place } = beginCatchUp(before, from, evaluatedUpTo(world))
  begins.set(feed.id, beganAfter)
  // It asks something new: what was counted is of what it asked before.
  asksAfter.set(feed.id, place.catchUpAfter)
  shares.delete(feed.id)
  return { ...feed, ...place }
}

function evaluatedUpTo(world: MemoryTables): ItemSeq {
  const reader = world.readers.get(QUERY_READER)
  return reader === undefined ? world.lastSeq : (reader.itemSeq ?? itemsBefore(world, reader.cursor))
}

function dropFeed({ queries, apiTokens }: MemoryTables, { id, name }: QueryFeed): void {
  // Made for this feed, not for the next one of its name.
  for (const [token, { feed }] of apiTokens) if (feed === name) apiTokens.delete(token)
  dropSubscriptions(queries, id)
  for (const one of queries.hubSubscriptions.values()) if (one.feedId === id) queries.hubSubscriptions.delete(one.id)
  for (const [seq, { feedId }] of queries.publications) if (feedId === id) queries.publications.delete(seq)
  for (const [token, { feedId }] of queries.tokens) if (feedId === id) queries.tokens.delete(token)
  queries.matchShares.delete(id)
  queries.begins.delete(id)
  queries.asksAfter.delete(id)
  queries.owners.delete(id)
  queries.feeds.delete(id)
}
