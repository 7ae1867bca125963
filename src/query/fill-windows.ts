import { addressesOf, type Item, type ItemSeq, MINUTE_MS, type QueryFeed } from '../model/index.ts'
import type { ItemScope, Store } from '../store/store.ts'
import { arrivalsOf, withFeeds } from './arrivals.ts'
import type { QueryEngine } from './engine.ts'
import { originAtom } from './item/atoms.ts'
import type { ItemOrigin } from './language/ast.ts'

const BATCH = 500
/** Refreshes run side by side: times of arrival follow the order of storing nearly, not strictly. */
const SLACK_MS = 10 * MINUTE_MS

export type WindowStore = Pick<
  Store,
  | 'sourcesById'
  | 'sources'
  | 'categories'
  | 'publishedIn'
  | 'itemsAfter'
  | 'firstBySeq'
  | 'itemsBySeq'
  | 'itemSeqBefore'
  | 'arrivedSeqs'
  | 'publishedSeqs'
>

/**
 * Gives the windows of joins and DISTINCT what they would hold had the engine seen every item up to one: after a start, and
 * for queries that are new.
 */
export async function fillWindows(
  engine: QueryEngine,
  store: WindowStore,
  feeds: readonly QueryFeed[],
  upTo: ItemSeq,
): Promise<void> {
  const needed = engine.unfilled()
  if (needed.length === 0) return
  const idByName = new Map(feeds.map(({ id, name }) => [name, id]))
  const nameById = new Map(feeds.map(({ id, name }) => [id, name]))
  const remember = async (items: readonly Item[]) => {
    const arrivals = await withFeeds(store, await arrivalsOf(store, items), (id) => nameById.get(id))
    for (const arrival of arrivals) engine.remember(arrival)
  }
  const rememberSeqs = async (seqs: readonly ItemSeq[]) => {
    for (let at = 0; at < seqs.length; ) {
      const { items, count } = await store.firstBySeq(seqs.slice(at, at + BATCH))
      await remember(items)
      at += count
    }
  }
  const startOf = await startsBefore(store, upTo)
  let walkFrom = upTo
  for (const { origin, window } of needed.flatMap(({ origins, window }) =>
    origins.map((origin) => ({ origin, window })),
  )) {
    const after = window.kind === 'time' ? await startOf(window.lengthMs) : 0
    const limit = window.kind === 'items' ? window.count : Number.MAX_SAFE_INTEGER
    const feedId = origin.kind === 'name' ? idByName.get(origin.name) : undefined
    if (feedId !== undefined) await rememberSeqs(await store.publishedSeqs(feedId, { after, upTo, limit }))
    else if (window.kind === 'time') walkFrom = Math.min(walkFrom, after)
    else
      for (const scope of await scopesOf(store, origin))
        await rememberSeqs(await store.arrivedSeqs(scope, { upTo, limit }))
  }
  await walk(store, walkFrom, upTo, remember)
  engine.markFilled()
}

/** Where an interval before an item begins. */
async function startsBefore(store: WindowStore, upTo: ItemSeq): Promise<(lengthMs: number) => Promise<ItemSeq>> {
  const [lastSeq] = await store.arrivedSeqs({ kind: 'all' }, { upTo, limit: 1 })
  const [last] = lastSeq === undefined ? [] : await store.itemsBySeq([lastSeq])
  return async (lengthMs) => (last === undefined ? upTo : store.itemSeqBefore(last.firstSeenAt - lengthMs - SLACK_MS))
}

async function walk(
  store: WindowStore,
  after: ItemSeq,
  upTo: ItemSeq,
  remember: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let from = after; from < upTo; ) {
    const items = await store.itemsAfter(from, BATCH)
    const last = items.at(-1)
    if (last === undefined) return
    await remember(items.filter(({ seq }) => seq <= upTo))
    from = last.seq
  }
}

/** Which items of the archive come from an origin that is not a query feed. Names of categories are compared folded. */
async function scopesOf(store: WindowStore, origin: ItemOrigin): Promise<ItemScope[]> {
  if (origin.kind === 'all') return [{ kind: 'all' }]
  const atom = originAtom(origin)
  if (origin.kind === 'category') {
    const folders = (await store.categories()).map(({ category }) => category)
    return folders
      .filter((category) => originAtom({ kind: 'category', category }) === atom)
      .map((category) => ({ kind: 'category', category }))
  }
  const sources = await store.sources()
  return sources
    .filter((source) => {
      if (origin.kind === 'name') return source.name === origin.name
      return addressesOf(source).some((url) => originAtom({ kind: 'url', url }) === atom)
    })
    .map(({ id }) => ({ kind: 'source', sourceId: id }))
}
