import type { PublishedEntry, QueryFeed } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import { publishedItems } from '../entries.ts'
import type { ImageAddress } from '../images/image-address.ts'
import { presentItem } from '../present.ts'
import { createSourceLabels } from '../source-labels.ts'
import type { OutgoingItem } from './channel.ts'

/** Publications as subscribers get them: sanitised as in feeds, each under a name of its own. */
export async function outgoingItems(
  feed: Pick<QueryFeed, 'id' | 'createdAt'>,
  entries: readonly PublishedEntry[],
  store: Pick<Store, 'itemsBySeq' | 'sourcesById'>,
  options: { readonly isWhole: boolean; readonly imageAddress?: ImageAddress | null },
): Promise<readonly OutgoingItem[]> {
  const published = await publishedItems(entries, store, createSourceLabels(store), options)
  const times = new Map(entries.map(({ seq, publishedAt }) => [seq, publishedAt]))
  return published.map((one) => {
    const seq = one.publicationSeq ?? 0
    return {
      publicationId: publicationId(feed, seq),
      seq,
      publishedAt: times.get(seq) ?? 0,
      itemSeq: one.item.seq,
      item: presentItem(one, options.imageAddress ?? null),
    }
  })
}

/** The moment the feed was made distinguishes what two data folders number alike. */
function publicationId({ id, createdAt }: Pick<QueryFeed, 'id' | 'createdAt'>, seq: number): string {
  return `pub-${createdAt.toString(36)}-${id}-${seq}`
}
