import type { Item, ItemSeq } from '../../model/index.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { follows } from '../readers/following.ts'
import { inParts } from '../readers/in-parts.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { sortEntries } from './entry-order.ts'
import { type EntryFilters, hasTimes, isWithin, pageLimit, readStates } from './entry-query.ts'
import type { Shelf } from './shelf.ts'
import { entryJson } from './wire.ts'

/** What `total` counts, and what an offset reaches. */
const MOST_COUNTED = 100_000
const AT_A_TIME = 1_000
const WHOLE_AT_A_TIME = 100

/** A page of entries; in the order in which they arrived where no other is asked for. */
export async function listEntries(
  scope: ReadingScope,
  filters: EntryFilters,
  shelf: Shelf,
  deps: ReaderDeps,
): Promise<object> {
  const seqs = await sortEntries(await matching(scope, filters, shelf, deps), filters, shelf, deps)
  const page = seqs.slice(filters.offset, filters.offset + pageLimit(filters))
  const shown = await deps.showItems(page, shelf.library)
  return { total: seqs.length, entries: await Promise.all(shown.map((one) => shownEntry(one, shelf))) }
}

export async function shownEntry(item: ShownItem, shelf: Shelf): Promise<object> {
  return entryJson(item, await feedOf(item, shelf), shelf.library.reader.user.id)
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
  const timely = hasTimes(filters) ? await withinTimes(found, filters, store) : found
  const seqs = filters.tags === undefined ? timely : await withTags(timely, filters.tags, store)
  if (search === undefined) return seqs
  const hits = await store.itemPositions({ scope: { kind: 'all' }, text: search, limit: MOST_COUNTED })
  const holding = new Set(hits.map(({ seq }) => seq))
  return seqs.filter((seq) => holding.has(seq))
}

async function withinTimes(
  seqs: readonly ItemSeq[],
  filters: EntryFilters,
  store: Pick<ReaderDeps['store'], 'itemHeads'>,
): Promise<readonly ItemSeq[]> {
  const heads = await inParts(seqs, AT_A_TIME, (part) => store.itemHeads(part))
  return heads.filter((head) => isWithin(filters, head)).map(({ seq }) => seq)
}

/** All of the tags, in capitals or not. */
async function withTags(
  seqs: readonly ItemSeq[],
  tags: readonly string[],
  store: Pick<ReaderDeps['store'], 'itemsBySeq'>,
): Promise<readonly ItemSeq[]> {
  return inParts(seqs, WHOLE_AT_A_TIME, async (part) => {
    const items = await store.itemsBySeq(part)
    const has = ({ categories }: Item) => {
      const own = new Set(categories.map((one) => one.trim().toLowerCase()))
      return tags.every((tag) => own.has(tag))
    }
    return items.filter(has).map(({ seq }) => seq)
  })
}
