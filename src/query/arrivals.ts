import type { Item, QueryFeedId, Source, SourceId } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import type { FeedArrival } from './engine.ts'
import type { MatchSource } from './item/arrival.ts'

/** Items with what queries may ask about their sources; without those whose source has just been removed. */
export async function arrivalsOf(
  store: Pick<Store, 'sourcesById'>,
  items: readonly (FeedArrival['item'] & Pick<Item, 'sourceId'>)[],
): Promise<FeedArrival[]> {
  if (items.length === 0) return []
  const found = await store.sourcesById([...new Set(items.map(({ sourceId }) => sourceId))])
  const sources = new Map<SourceId, MatchSource>()
  for (const [id, source] of found) sources.set(id, matchSource(source))
  return items.flatMap((item) => {
    const source = sources.get(item.sourceId)
    return source === undefined ? [] : [{ item, source }]
  })
}

/** An item carries the language that its feed declares. */
export function matchSource({ url, formerUrls = [], name, categories, state }: Source): MatchSource {
  const { title, feedCategories } = state
  return { url, formerUrls, name, title, categories, feedCategories, language: null }
}

/** Says of each item in which query feeds it is already. */
export async function withFeeds(
  store: Pick<Store, 'publishedIn'>,
  arrivals: readonly FeedArrival[],
  nameOf: (id: QueryFeedId) => string | undefined,
): Promise<FeedArrival[]> {
  const published = await store.publishedIn(arrivals.map(({ item }) => item.seq))
  return arrivals.map((arrival) => {
    const ids = published.get(arrival.item.seq) ?? []
    return { ...arrival, feeds: ids.map(nameOf).filter((name) => name !== undefined) }
  })
}
