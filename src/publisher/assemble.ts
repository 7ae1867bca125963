import type { QueryFeed, SourceId } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import { type FeedAddress, feedPath, type QueryFeedAddress } from './addresses.ts'
import { publishedItems } from './entries.ts'
import { commonCategories } from './feed-categories.ts'
import { type FeedOrder, orderItems, withScores } from './order.ts'
import type { PublishedFeed, PublishedItem } from './published-feed.ts'
import { archiveDocument, currentDocument } from './query-documents.ts'
import type { SourceLabels } from './source-labels.ts'

export type AssemblerStore = Pick<
  Store,
  | 'arrivals'
  | 'mixedArrivals'
  | 'categories'
  | 'itemsBySeq'
  | 'queryFeed'
  | 'queryFeeds'
  | 'publishedIn'
  | 'publications'
  | 'publicationsAfter'
  | 'publicationState'
>

export interface AssemblerOptions {
  readonly store: AssemblerStore
  readonly labels: SourceLabels
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Items in a feed that does not say itself. */
  readonly limit: number
  readonly orderOf: (feed: QueryFeed) => FeedOrder | null
  /** It shows articles as their pages have them. */
  readonly isWhole: (feed: QueryFeed) => boolean
  readonly hubUrl: string | null
}

/** Reads a feed from the archive; null: no such source, category, query feed or document. */
export type Assembler = (address: FeedAddress) => Promise<PublishedFeed | null>

export function createAssembler({ store, labels, baseUrl, limit, ...options }: AssemblerOptions): Assembler {
  const { orderOf, isWhole, hubUrl } = options
  const siteUrl = `${baseUrl}/`
  return (address) => (address.kind === 'query' ? assembleQuery(address) : assembleScope(address))

  async function assembleScope(address: Exclude<FeedAddress, QueryFeedAddress>): Promise<PublishedFeed | null> {
    const head = await headOf(address)
    if (head === null) return null
    const arrivals = address.kind === 'source' ? store.arrivals : store.mixedArrivals
    const items = [...(await arrivals(address, limit))].sort((a, b) => b.sortAt - a.sortAt || b.seq - a.seq)
    const found = await labels.labels(items.map((item) => item.sourceId))
    const published = items.flatMap((item) => {
      const source = found.get(item.sourceId)
      return source ? [{ item, source }] : []
    })
    const feed = { ...head, url: `${baseUrl}${feedPath(address)}`, items: published, updatedAt: updatedAt(published) }
    return hubUrl === null ? feed : { ...feed, hubUrl }
  }

  async function assembleQuery(address: QueryFeedAddress): Promise<PublishedFeed | null> {
    const feed = await store.queryFeed(address.name)
    if (feed === null) return null
    const windowSize = feed.limit ?? limit
    const document =
      address.archive === undefined
        ? await currentDocument(store, feed, windowSize)
        : await archiveDocument(store, feed, windowSize, address.archive)
    if (document === null) return null
    const items = await publishedItems(document.entries, store, labels, { isWhole: isWhole(feed) })
    return {
      title: feed.title ?? feed.name,
      description: `Items that the query feed ${feed.name} has found`,
      siteUrl,
      categories: commonCategories(items),
      url: `${baseUrl}${feedPath({ kind: 'query', name: feed.name })}`,
      items: address.archive === undefined ? await ordered(items, orderOf(feed)) : items,
      updatedAt: Math.max(updatedAt(items), document.entries[0]?.publishedAt ?? feed.createdAt),
      links: document.links,
      version: feed.version,
      ...(hubUrl !== null && address.archive === undefined ? { hubUrl } : {}),
    }
  }

  async function ordered(items: readonly PublishedItem[], order: FeedOrder | null): Promise<readonly PublishedItem[]> {
    if (order?.by !== 'SCORE') return orderItems(items, order)
    const feeds = order.reads.length === 0 ? [] : await store.queryFeeds()
    const weights = new Map(
      feeds.filter(({ name }) => order.reads.includes(name)).map(({ id, weight }) => [id, weight]),
    )
    const stands = weights.size === 0 ? new Map() : await store.publishedIn(items.map(({ item }) => item.seq))
    const queryWeight = ({ item }: PublishedItem): number => {
      const own = (stands.get(item.seq) ?? []).flatMap((id: number) => weights.get(id) ?? [])
      return own.length === 0 ? 1 : Math.max(...own)
    }
    return orderItems(withScores(items, order, queryWeight), order)
  }

  async function headOf(address: Exclude<FeedAddress, QueryFeedAddress>) {
    if (address.kind === 'all') {
      return { title: 'Everything', description: 'All items of all sources', siteUrl, categories: [] }
    }
    if (address.kind === 'source') return headOfSource(address.sourceId)
    const { category } = address
    if (!(await store.categories()).some((known) => known.category === category)) return null
    const description = `All items of the sources in ${category}`
    return { title: category, description, siteUrl, categories: [category] }
  }

  async function headOfSource(sourceId: SourceId) {
    const label = (await labels.labels([sourceId])).get(sourceId)
    if (label === undefined) return null
    const { title, url, categories } = label
    return { title, description: `Items from ${url}`, siteUrl: label.siteUrl ?? siteUrl, categories }
  }
}

function updatedAt(items: readonly PublishedItem[]): number {
  return items.reduce((newest, { item }) => Math.max(newest, item.firstSeenAt, item.changedAt), 0)
}
