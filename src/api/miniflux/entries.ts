import type { ItemSeq } from '../../model/index.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { follows } from '../readers/following.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { type EntryFilters, hasTimes, isWithin, pageLimit, readStates } from './entry-query.ts'
import type { Shelf } from './shelf.ts'
import { entryJson } from './wire.ts'

/** What `total` counts, and what an offset reaches. */
const MOST_COUNTED = 100_000
const AT_A_TIME = 1_000

/** A page of entries, in the order in which they arrived. */
export async function listEntries(
  scope: ReadingScope,
  filters: EntryFilters,
  shelf: Shelf,
  deps: ReaderDeps,
): Promise<object> {
  const seqs = await matching(scope, filters, shelf, deps)
  const page = seqs.slice(filters.offset, filters.offset + pageLimit(filters))
  return { total: seqs.length, entries: await shownEntries(page, shelf, deps) }
}

export async function shownEntries(seqs: readonly ItemSeq[], shelf: Shelf, deps: ReaderDeps): Promise<object[]> {
  const shown = await deps.showItems(seqs, shelf.library)
  const { id } = shelf.library.reader.user
  return Promise.all(shown.map(async (one) => entryJson(one, await feedOf(one, shelf), id)))
}

/** Its source where that is followed, else the query feed that it comes by; else the source is named alone. */
async function feedOf({ source, categories, feeds }: ShownItem, shelf: Shelf) {
  const following = await shelf.library.following()
  const query = feeds.find(({ isFollowed }) => isFollowed)
  if (!follows(following, source.id, categories) && query !== undefined) return shelf.json({ query })
  return shelf.json({ source: { ...source, categories } })
}

async function matching(
  scope: ReadingScope,
  filters: EntryFilters,
  shelf: Shelf,
  { store }: ReaderDeps,
): Promise<readonly ItemSeq[]> {
  const states = readStates(filters)
  if (states === null) return []
  const { before_entry_id: before, after_entry_id: after, search } = filters
  const found = await store.seqsToRead(shelf.library.reader.user.id, {
    scope,
    ...states,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    oldestFirst: filters.direction === 'asc',
    limit: MOST_COUNTED,
  })
  const seqs = hasTimes(filters) ? await withinTimes(found, filters, store) : found
  if (search === undefined || search === '') return seqs
  const hits = await store.itemPositions({ scope: { kind: 'all' }, text: search, limit: MOST_COUNTED })
  const holding = new Set(hits.map(({ seq }) => seq))
  return seqs.filter((seq) => holding.has(seq))
}

async function withinTimes(
  seqs: readonly ItemSeq[],
  filters: EntryFilters,
  store: Pick<ReaderDeps['store'], 'itemHeads'>,
): Promise<readonly ItemSeq[]> {
  const within: ItemSeq[] = []
  for (let at = 0; at < seqs.length; at += AT_A_TIME) {
    const heads = await store.itemHeads(seqs.slice(at, at + AT_A_TIME))
    for (const head of heads) if (isWithin(filters, head)) within.push(head.seq)
  }
  return within
}
