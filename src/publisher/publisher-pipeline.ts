import { type ItemBuffer, NODE_READER, type ReaderTerms } from '../buffer/buffer.ts'
import type { Store } from '../store/store.ts'
import { feedPath, feedsOf } from './addresses.ts'
import type { FeedService } from './feeds.ts'

export const PUBLISHER = 'publisher'

export interface PublisherDeps {
  readonly buffer: Pick<ItemBuffer, 'register' | 'read' | 'acknowledge' | 'waitForEntries'>
  readonly store: Pick<Store, 'sourcesById' | 'publishedIn' | 'noteHubEdits' | 'noteHubNews'>
  readonly feeds: Pick<FeedService, 'markStale' | 'markQueryFeedsStale' | 'markAllStale'>
  /** Whose reader it is; absent: the node's, which is always waited for. */
  readonly reader?: Omit<ReaderTerms, 'from'>
  /** Subscribers at the hub wait for what has come. */
  readonly onHubNews?: () => void
  readonly batchSize?: number
}

/**
 * Follows the item buffer and has the feeds rendered again that an item belongs to. Runs until the signal aborts.
 *
 * An entry is acknowledged after its feeds are marked; one that is read again after a crash marks them again, which
 * changes nothing, because a feed is always rendered from the archive; who has subscribed to one at the hub may get it once more. A reader that was not waited for has missed some:
 * then every feed is rendered again.
 */
export async function runPublisher(deps: PublisherDeps, signal: AbortSignal): Promise<void> {
  const { buffer, store, feeds, reader = NODE_READER, onHubNews = () => {}, batchSize = 500 } = deps
  const registration = await buffer.register(PUBLISHER, { from: 'start', ...reader })
  if (registration.kind === 'missed') {
    feeds.markAllStale()
    if ((await store.noteHubNews(null)) > 0) onHubNews()
    await buffer.acknowledge(PUBLISHER, registration.cursor)
  }
  while (!signal.aborted) {
    const entries = await buffer.read(PUBLISHER, batchSize, { parts: 'labels' })
    const last = entries.at(-1)
    if (last === undefined) {
      await buffer.waitForEntries(PUBLISHER, signal)
      continue
    }
    const ids = [...new Set(entries.map(({ item }) => item.sourceId))]
    const sources = await store.sourcesById(ids)
    const addresses = ids.flatMap((id) => feedsOf(sources.get(id) ?? { id, categories: [] }))
    feeds.markStale(addresses)
    const edited = entries.filter(({ kind }) => kind === 'changed').map(({ item }) => item.seq)
    if (edited.length > 0) {
      const editedFeeds = new Set([...(await store.publishedIn(edited)).values()].flat())
      feeds.markQueryFeedsStale(editedFeeds)
      if (editedFeeds.size > 0) await store.noteHubEdits([...editedFeeds])
    }
    if ((await store.noteHubNews([...new Set(addresses.map(feedPath))])) > 0) onHubNews()
    await buffer.acknowledge(PUBLISHER, last.cursor)
  }
}
