import type { Item, ItemSeq, PublishedEntry } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import type { PublishedItem } from './published-feed.ts'
import type { SourceLabels } from './source-labels.ts'

/** Publications with their sources and the items they were joined with. What is of a source that is gone is left out. */
export async function publishedItems(
  entries: readonly PublishedEntry[],
  store: Pick<Store, 'itemsBySeq'>,
  labels: SourceLabels,
  { isWhole }: { readonly isWhole: boolean },
): Promise<readonly PublishedItem[]> {
  const seqs = [...new Set(entries.flatMap(({ joined }) => joined))]
  const joined = seqs.length === 0 ? [] : await store.itemsBySeq(seqs)
  const all = [...entries.map(({ item }) => item), ...joined]
  const found = await labels.labels(all.map(({ sourceId }) => sourceId))
  const bySeq = new Map<ItemSeq, Item>(joined.map((item) => [item.seq, item]))
  const labelled = (item: Item | undefined): PublishedItem[] => {
    const source = item && found.get(item.sourceId)
    return item && source ? [{ item, source }] : []
  }
  return entries.flatMap((entry) =>
    labelled(entry.item).map((published) => ({
      ...published,
      ...(isWhole && { isWhole }),
      publicationSeq: entry.seq,
      related: entry.joined.flatMap((seq) => labelled(bySeq.get(seq))),
    })),
  )
}
