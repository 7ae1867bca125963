import type { ItemSeq, QueryFeed, User, UserId } from '../../model/index.ts'
import type { ItemPosition } from '../../store/item-heads.ts'
import type { ItemScope } from '../../store/item-scope.ts'
import type { Store } from '../../store/store.ts'
import { ALL_TIMES, oldestFirst } from './oldest-first.ts'
import { readCursor, writeCursor } from './pages.ts'

export interface ItemChoice {
  readonly user: User
  readonly scope: ItemScope
  /** In this query feed; the scope is then everything. */
  readonly feed: QueryFeed | null
  readonly text?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly unread?: boolean | undefined
  readonly starred?: boolean | undefined
  /** Usually the newest come first. */
  readonly order?: 'newest' | 'oldest' | undefined
}

type PageStore = Pick<
  Store,
  'itemPositions' | 'itemHeads' | 'publications' | 'publishedIn' | 'marks' | 'starred' | 'publishedSeqs' | 'lastItemSeq'
>

/** A stretch of candidates, and where the next one begins; null: there is none. */
interface Stretch {
  readonly items: readonly ItemPosition[]
  readonly next: string | null
}

type Reader = (cursor: string | undefined, limit: number) => Promise<Stretch>

/** Candidates that one page looks at: where hardly any fits, the page is short and the next goes on from there. */
const MOST_LOOKED_AT = 5_000
const STRETCH = 500

/**
 * Pages of items by all parameters: the store knows the order and some filters, the rest is sieved here, as
 * far as one question may go.
 */
export async function readItemPage(
  choice: ItemChoice,
  page: { readonly limit: number; readonly cursor: string | undefined },
  store: PageStore,
): Promise<Stretch> {
  const read = readerFor(choice, store)
  const isSieved = needsSieve(choice)
  const found: ItemPosition[] = []
  let { cursor } = page
  for (let count = 0; count < MOST_LOOKED_AT; ) {
    const missing = page.limit - found.length
    const stretch = await read(cursor, isSieved ? Math.max(missing, Math.min(STRETCH, 4 * missing)) : missing)
    const fitting = isSieved ? await sieve(stretch.items, choice, store) : stretch.items
    found.push(...fitting.slice(0, missing))
    if (fitting.length > missing) return { items: found, next: positionAfter(found, read.after) }
    if (stretch.next === null) return { items: found, next: null }
    if (found.length === page.limit) return { items: found, next: stretch.next }
    cursor = stretch.next
    count += stretch.items.length
  }
  return { items: found, next: cursor ?? null }
}

interface PlacedReader extends Reader {
  /** The place right behind an item. */
  after(item: ItemPosition): string
}

function readerFor(choice: ItemChoice, store: PageStore): PlacedReader {
  if (choice.order === 'oldest') return oldestReader(choice, store)
  if (isStarredOnly(choice)) return starredReader(choice, store)
  if (choice.feed !== null && choice.text === undefined) return feedReader(choice.feed, store)
  return archiveReader(choice, store)
}

/** A query feed and the starred by time of archiving, all else by time of publication. */
function oldestReader(choice: ItemChoice, store: PageStore): PlacedReader {
  const { user, feed } = choice
  if (isStarredOnly(choice)) return numberedReader(() => allStarred(user.id, store), store)
  if (feed !== null && choice.text === undefined) {
    return numberedReader(
      async () => store.publishedSeqs(feed.id, { after: 0, upTo: await store.lastItemSeq(), limit: MOST_NUMBERED }),
      store,
    )
  }
  return oldestArchiveReader(choice, store)
}

function oldestArchiveReader({ scope, text, since, until }: ItemChoice, store: PageStore): PlacedReader {
  const after = ({ sortAt, seq }: ItemPosition) => writeCursor([sortAt, seq])
  const span = { since: since ?? ALL_TIMES.since, until: until ?? ALL_TIMES.until }
  const read: Reader = async (cursor, limit) => {
    const [sortAt, seq] = cursor === undefined ? [] : readCursor(cursor, 2)
    const last = cursor === undefined ? null : { sortAt: Number(sortAt), seq: Number(seq) }
    const query = { scope, ...(text === undefined ? {} : { text }) }
    const { items, isLast } = await oldestFirst(query, { span, after: last, limit }, store)
    return { items, next: isLast ? null : positionAfter(items, after) }
  }
  return Object.assign(read, { after })
}

/** Of items whose numbers are known at once. */
function numberedReader(seqs: () => Promise<readonly ItemSeq[]>, store: PageStore): PlacedReader {
  const after = ({ seq }: ItemPosition) => writeCursor([seq])
  const read: Reader = async (cursor, limit) => {
    const last = cursor === undefined ? 0 : Number(readCursor(cursor, 1)[0])
    const following = (await seqs()).filter((seq) => seq > last)
    const items = (await store.itemHeads(following.slice(0, limit))).toSorted((a, b) => a.seq - b.seq)
    return { items, next: following.length <= limit ? null : positionAfter(items, after) }
  }
  return Object.assign(read, { after })
}

/** Lists that are numbered from their beginning are read as a whole, up to so many. */
const MOST_NUMBERED = 10_000

async function allStarred(userId: UserId, store: PageStore): Promise<ItemSeq[]> {
  return [...(await store.starred(userId, { limit: MOST_NUMBERED }))].sort((a, b) => a - b)
}

function isStarredOnly({ starred, text }: ItemChoice): boolean {
  return starred === true && text === undefined
}

function positionAfter(items: readonly ItemPosition[], after: PlacedReader['after']): string | null {
  const last = items.at(-1)
  return last === undefined ? null : after(last)
}

const MOST_COUNTED = 1_000

/** How many fit, as far as it pays to count. */
export async function countFound(choice: ItemChoice, store: PageStore): Promise<{ items: number; isAll: boolean }> {
  const { items, next } = await readItemPage(choice, { limit: MOST_COUNTED, cursor: undefined }, store)
  return { items: items.length, isAll: next === null }
}

/** By time of publication. */
function archiveReader({ scope, text, since, until }: ItemChoice, store: PageStore): PlacedReader {
  const after = ({ sortAt, seq }: ItemPosition) => writeCursor([sortAt, seq])
  const read: Reader = async (cursor, limit) => {
    const [sortAt, seq] = cursor === undefined ? [] : readCursor(cursor, 2)
    const items = await store.itemPositions({
      scope,
      limit,
      ...(text === undefined ? {} : { text }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(cursor === undefined ? {} : { after: { sortAt: Number(sortAt), seq: Number(seq) } }),
    })
    return { items, next: items.length < limit ? null : positionAfter(items, after) }
  }
  return Object.assign(read, { after })
}

/** By time of entering the feed. */
function feedReader(feed: QueryFeed, store: PageStore): PlacedReader {
  const counts = new Map<number, number>()
  const after = (item: ItemPosition) => writeCursor([counts.get(item.seq) ?? null])
  const read: Reader = async (cursor, limit) => {
    const before = cursor === undefined ? null : Number(readCursor(cursor, 1)[0])
    const entries = await store.publications(feed.id, { limit, ...(before === null ? {} : { before }) })
    for (const { item, seq } of entries) counts.set(item.seq, seq)
    const items = entries.map(({ item }) => item)
    return { items, next: entries.length < limit ? null : positionAfter(items, after) }
  }
  return Object.assign(read, { after })
}

/** By time of archiving. */
function starredReader({ user }: ItemChoice, store: PageStore): PlacedReader {
  const after = ({ seq }: ItemPosition) => writeCursor([seq])
  const read: Reader = async (cursor, limit) => {
    const before = cursor === undefined ? null : Number(readCursor(cursor, 1)[0])
    const seqs = await store.starred(user.id, { limit, ...(before === null ? {} : { before }) })
    const items = (await store.itemHeads(seqs)).toSorted((a, b) => b.seq - a.seq)
    return { items, next: seqs.length < limit ? null : positionAfter(items, after) }
  }
  return Object.assign(read, { after })
}

function needsSieve({ unread, starred, feed, text, since, until, scope }: ItemChoice): boolean {
  if (unread !== undefined || starred !== undefined) return true
  return feed !== null && (text !== undefined || since !== undefined || until !== undefined || scope.kind !== 'all')
}

async function sieve(
  items: readonly ItemPosition[],
  choice: ItemChoice,
  store: PageStore,
): Promise<readonly ItemPosition[]> {
  const { user, feed, scope, since, until, unread, starred } = choice
  const seqs = items.map(({ seq }) => seq)
  const marks = await store.marks(user.id, seqs)
  const inFeed = feed === null ? null : await publishedAmong(seqs, feed, store)
  // The other readers keep to the category themselves.
  const isForeign = scope.kind === 'category' && isStarredOnly(choice)
  const inScope = isForeign ? await membersAmong(items, scope, store) : null
  return items.filter(({ seq, sourceId, sortAt }) => {
    const mark = marks.get(seq)
    return (
      mark !== undefined &&
      (unread === undefined || mark.isRead !== unread) &&
      (starred === undefined || mark.isStarred === starred) &&
      sortAt >= (since ?? Number.NEGATIVE_INFINITY) &&
      sortAt < (until ?? Number.POSITIVE_INFINITY) &&
      (scope.kind !== 'source' || sourceId === scope.sourceId) &&
      (inScope === null || inScope.has(seq)) &&
      (inFeed === null || inFeed.has(seq))
    )
  })
}

async function publishedAmong(
  seqs: readonly ItemSeq[],
  feed: QueryFeed,
  store: PageStore,
): Promise<ReadonlySet<ItemSeq>> {
  const standsIn = await store.publishedIn(seqs)
  return new Set(seqs.filter((seq) => standsIn.get(seq)?.includes(feed.id)))
}

/** Only starred items come from elsewhere than their category; there are few of them. */
async function membersAmong(
  items: readonly ItemPosition[],
  scope: ItemScope,
  store: PageStore,
): Promise<ReadonlySet<number>> {
  const members = new Set<number>()
  for (const { seq, sortAt } of items) {
    const [first] = await store.itemPositions({ scope, limit: 1, since: sortAt, after: { sortAt, seq: seq + 1 } })
    if (first?.seq === seq) members.add(seq)
  }
  return members
}
