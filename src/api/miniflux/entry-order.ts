import type { ItemSeq, Mark } from '../../model/index.ts'
import type { ItemHead } from '../../store/item-heads.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { inParts } from '../readers/in-parts.ts'
import type { EntryFilters } from './entry-query.ts'
import type { Shelf } from './shelf.ts'

const AT_A_TIME = 500

type SortKey = number | string

/** What one looks at to put entries in an order. */
interface Looks {
  readonly head: ItemHead
  readonly mark: Mark | undefined
  readonly shelf: Shelf
}

/** Orders beside that of arrival. */
const KEYS: Readonly<Record<string, (looks: Looks) => SortKey>> = {
  published_at: ({ head }) => head.sortAt,
  changed_at: ({ head }) => head.changedAt,
  title: ({ head }) => (head.title ?? '').toLowerCase(),
  author: ({ head }) => (head.authors[0]?.name ?? '').toLowerCase(),
  status: ({ mark }) => (mark?.isRead === true ? 'read' : 'unread'),
  category_id: ({ head, shelf }) => shelf.categoryOfSource(head.sourceId).id,
  category_title: ({ head, shelf }) => shelf.categoryOfSource(head.sourceId).title.toLowerCase(),
}

/** `seqs` have arrived in this direction; those with the same key stay as they are. */
export async function sortEntries(
  seqs: readonly ItemSeq[],
  { order, direction }: Pick<EntryFilters, 'order' | 'direction'>,
  shelf: Shelf,
  { store }: Pick<ReaderDeps, 'store'>,
): Promise<readonly ItemSeq[]> {
  const keyOf = Object.hasOwn(KEYS, order) ? KEYS[order] : undefined
  if (keyOf === undefined) return seqs
  const keyed = await inParts(seqs, AT_A_TIME, async (part) => {
    const marks = order === 'status' ? await store.marks(shelf.library.reader.user.id, part) : new Map()
    const heads = new Map((await store.itemHeads(part)).map((head) => [head.seq, head]))
    return part.flatMap((seq) => {
      const head = heads.get(seq)
      return head === undefined ? [] : [{ seq, key: keyOf({ head, mark: marks.get(seq), shelf }) }]
    })
  })
  const sign = direction === 'asc' ? 1 : -1
  const sorted = [...keyed].sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign))
  return sorted.map(({ seq }) => seq)
}
