import type { ItemBuffer } from '../buffer/buffer.ts'
import type { Store } from '../store/store.ts'
import { feedsOf } from './addresses.ts'
import type { FeedService } from './feeds.ts'

const PUBLISHER = 'publisher'

export interface PublisherDeps {
  readonly buffer: Pick<ItemBuffer, 'register' | 'read' | 'acknowledge' | 'waitForEntries'>
  readonly store: Pick<Store, 'source' | 'publishedIn'>
  readonly feeds: Pick<FeedService, 'markStale' | 'markQueryFeedsStale'>
  readonly batchSize?: number
}

/**
 * Follows the item buffer and has the feeds rendered anew that an item belongs to. Runs until the signal aborts.
 *
 * An entry is acknowledged after its feeds are marked; one that is read again after a crash marks them again, which
 * changes nothing, because a feed is always rendered from the archive.
 */
export async function runPublisher(deps: PublisherDeps, signal: AbortSignal): Promise<void> {
  const { buffer, store, feeds, batchSize = 500 } = deps
  await buffer.register(PUBLISHER, 'start')
  while (!signal.aborted) {
    const entries = await buffer.read(PUBLISHER, batchSize, { parts: 'labels' })
    const last = entries.at(-1)
    if (last === undefined) {
      await buffer.waitForEntries(PUBLISHER, signal)
      continue
    }
    for (const sourceId of new Set(entries.map(({ item }) => item.sourceId))) {
      const source = await store.source(sourceId)
      feeds.markStale(feedsOf(source ?? { id: sourceId, categories: [] }))
    }
    const edited = entries.filter(({ kind }) => kind === 'changed').map(({ item }) => item.seq)
    if (edited.length > 0) feeds.markQueryFeedsStale(new Set([...(await store.publishedIn(edited)).values()].flat()))
    await buffer.acknowledge(PUBLISHER, last.cursor)
  }
}
