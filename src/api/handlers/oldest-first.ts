import type { ItemPosition } from '../../store/item-heads.ts'
import type { ItemQuery, Store } from '../../store/store.ts'

type Bounded = Omit<ItemQuery, 'limit' | 'after' | 'since' | 'until'>
type Place = Pick<ItemPosition, 'sortAt' | 'seq'>
type PositionStore = Pick<Store, 'itemPositions'>

interface Span {
  /** Items from here on. */
  readonly since: number
  /** And before this. */
  readonly until: number
}

/** The first and the last millisecond that a date can have. */
export const ALL_TIMES: Span = { since: -8.64e15, until: 8.64e15 }

/**
 * The next items in the order of their publication. The store knows the other order alone: so a span of time is looked for, by
 * halves, that holds about as many as are wanted, and what is in it is turned round. Some thirty short reads at most.
 */
export async function oldestFirst(
  query: Bounded,
  { span, after, limit }: { readonly span: Span; readonly after: Place | null; readonly limit: number },
  store: PositionStore,
): Promise<{ readonly items: readonly ItemPosition[]; readonly isLast: boolean }> {
  const since = Math.max(span.since, after?.sortAt ?? span.since)
  // Those of the last moment of the page before are read again.
  const follows = ({ sortAt, seq }: ItemPosition) =>
    after === null || sortAt > after.sortAt || (sortAt === after.sortAt && seq > after.seq)
  const read = (until: number, most: number) => store.itemPositions({ ...query, since, until, limit: most })
  const rest = await read(span.until, limit + 1)
  const isLast = rest.length <= limit
  const until = isLast ? span.until : await spanOf(limit, { since, until: (rest[0]?.sortAt ?? span.until) + 1 }, read)
  const items = (await readAll({ ...query, since, until }, store)).filter(follows).reverse()
  // One moment can hold more than a page, all of it shown before.
  if (items.length === 0 && !isLast)
    return oldestFirst(query, { span: { ...span, since: until }, after: null, limit }, store)
  return { items, isLast }
}

/** The end of a span that holds no more than `limit` items; where one millisecond holds more, the end of that. */
async function spanOf(
  limit: number,
  { since, until }: Span,
  read: (until: number, most: number) => Promise<readonly ItemPosition[]>,
): Promise<number> {
  let [few, many] = [since, until]
  while (many - few > 1) {
    const middle = few + Math.floor((many - few) / 2)
    const { length } = await read(middle, limit + 1)
    if (length > limit) many = middle
    else few = middle
    if (length <= limit && length > limit / 2) return middle
  }
  return many
}

const STRETCH = 500

async function readAll(query: Omit<ItemQuery, 'limit' | 'after'>, store: PositionStore): Promise<ItemPosition[]> {
  const items: ItemPosition[] = []
  for (let after: ItemPosition | undefined; ; after = items.at(-1)) {
    const more = await store.itemPositions({ ...query, limit: STRETCH, ...(after === undefined ? {} : { after }) })
    items.push(...more)
    if (more.length < STRETCH) return items
  }
}
