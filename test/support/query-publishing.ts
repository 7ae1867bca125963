import type { ItemSeq, QueryFeed, SourceId, Subscription, SubscriptionOutput } from '../../src/model/index.ts'
import type { NewItem, Store } from '../../src/store/store.ts'
import { NOON } from './published-items.ts'
import { storeItems } from './publishing.ts'

/** A query feed without an engine behind it: what is in it is published by `publishItems`. */
export async function saveFeed(
  store: Store,
  name: string,
  { title = null, limit = null, order = '' }: { title?: string | null; limit?: number | null; order?: string } = {},
): Promise<QueryFeed> {
  const text = `CREATE FEED ${name} AS RETURN ALL${order === '' ? '' : ` ORDER BY ${order}`};`
  const change = { kind: 'save-feed', name, title, limit, text, catchUp: 'from now' } as const
  await store.changeQueries([change], await store.queryRevision(), NOON)
  return (await store.queryFeed(name))!
}

/** Stores items and publishes them in the feed, in order; returns their numbers. */
export async function publishItems(
  store: Store,
  feed: QueryFeed,
  sourceId: SourceId,
  items: readonly Partial<NewItem>[],
  { joined = [], at = NOON }: { joined?: readonly ItemSeq[]; at?: number } = {},
): Promise<readonly ItemSeq[]> {
  const before = await store.lastItemSeq()
  await storeItems(store, sourceId, items)
  const seqs = items.map((_, i) => before + 1 + i)
  await store.publish({
    cursor: 0,
    publications: seqs.map((itemSeq) => ({ feedId: feed.id, version: feed.version, itemSeq, joined })),
    itemCounts: new Map(),
    matches: [],
    at,
  })
  return seqs
}

export async function subscribeTo(
  store: Store,
  feed: QueryFeed,
  output: SubscriptionOutput,
  everyMs: number | null = null,
): Promise<Subscription> {
  const change = { kind: 'subscribe', feed: feed.name, output, everyMs, secret: 'whsec_c2VjcmV0' } as const
  await store.changeQueries([change], await store.queryRevision(), NOON)
  return (await store.subscriptions(feed.id)).at(-1)!
}
