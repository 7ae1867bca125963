import { canonicalLink } from '../../crawler/dedup/canonical-link.ts'
import { identify } from '../../crawler/dedup/identity.ts'
import { sortTime } from '../../crawler/dedup/observe.ts'
import type { InstantMs, Item, ItemKey, ItemSeq, Source, UserId } from '../../model/index.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import type { ExportedItem } from '../../sources/exports/index.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { NewItem, RefreshRecord, Store } from '../../store/store.ts'

type ImportStore = Pick<Store, 'sourceByUrl' | 'items' | 'arrivals' | 'recordRefresh' | 'markItems' | 'marks'>

export interface ImportedItems {
  /** Articles that were not in the archive. */
  readonly stored: number
  /** Articles that are read or starred now and were not before. */
  readonly marked: number
}

/**
 * Stores what another reader has, under its source, and marks it for a user as it was marked there. What is there already
 * is marked only. Nothing becomes unread or loses its star: whoever imports again has read on meanwhile. The sources are
 * there. null: for nobody, nothing is marked.
 */
export async function importItems(
  items: readonly ExportedItem[],
  userId: UserId | null,
  store: ImportStore,
  now: InstantMs,
): Promise<ImportedItems> {
  const total = { stored: 0, marked: 0 }
  for (const [url, ofSource] of bySource(items)) {
    const source = await store.sourceByUrl(url)
    if (source === null) continue
    const { seqs, stored } = await storeItems(source, ofSource, store, now)
    total.stored += stored
    if (userId !== null) total.marked += await mark(ofSource, seqs, userId, store)
    await giveWay()
  }
  return total
}

function bySource(items: readonly ExportedItem[]): ReadonlyMap<string, readonly ExportedItem[]> {
  const groups = new Map<string, ExportedItem[]>()
  for (const item of items) {
    try {
      const url = normalizeSourceUrl(item.feedUrl)
      groups.set(url, [...(groups.get(url) ?? []), item])
    } catch {
      // The list of its feeds says so.
    }
  }
  return groups
}

/** The number of each; undefined: it is gone, and not stored again. */
async function storeItems(
  source: Source,
  exported: readonly ExportedItem[],
  store: ImportStore,
  now: InstantMs,
): Promise<{ readonly seqs: readonly (ItemSeq | undefined)[]; readonly stored: number }> {
  const known = new KnownItems()
  for await (const item of itemsOf(source, store)) known.add(item)
  const identities = identify(exported.map(({ item }) => item))
  const missing = new Map<ItemKey, NewItem>()
  const keys = identities.map((identity) => {
    const { item, crowded, contentHash } = identity
    const key = crowded ? identity.composite() : identity.primary
    const sortAt = sortTime(item.published, now)
    const isKnown = known.find(key, item.link, crowded) !== undefined
    if (!isKnown && !missing.has(key)) missing.set(key, { ...item, key, contentHash, firstSeenAt: now, sortAt })
    return key
  })
  const newItems = [...missing.values()].sort((a, b) => a.sortAt - b.sortAt)
  const { added } = newItems.length === 0 ? { added: 0 } : await store.recordRefresh(recordOf(source, newItems, now))
  if (added > 0)
    for (const item of await store.arrivals({ kind: 'source', sourceId: source.id }, added)) known.add(item)
  const seqs = identities.map(({ item, crowded }, at) => known.find(keys[at] ?? '', item.link, crowded))
  return { seqs, stored: added }
}

/** Numbers by what items are known by. Another reader may know the link alone, where the feed gives a guid. */
class KnownItems {
  readonly #byKey = new Map<ItemKey, ItemSeq>()
  /** null: of several, so that it says nothing. */
  readonly #byLink = new Map<string, ItemSeq | null>()

  add({ seq, key, link }: Pick<Item, 'seq' | 'key' | 'link'>): void {
    this.#byKey.set(key, seq)
    if (link === null) return
    const address = canonicalLink(link)
    const other = this.#byLink.get(address)
    this.#byLink.set(address, other === undefined || other === seq ? seq : null)
  }

  find(key: ItemKey, link: string | null, crowded: boolean): ItemSeq | undefined {
    const byKey = this.#byKey.get(key)
    if (byKey !== undefined || link === null || crowded) return byKey
    return this.#byLink.get(canonicalLink(link)) ?? undefined
  }
}

const PAGE = 1_000

async function* itemsOf({ id }: Source, store: ImportStore): AsyncGenerator<Item> {
  let after: { readonly sortAt: InstantMs; readonly seq: ItemSeq } | undefined
  for (;;) {
    const scope = { kind: 'source', sourceId: id } as const
    const page = await store.items({ scope, limit: PAGE, ...(after === undefined ? {} : { after }) })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { sortAt: last.sortAt, seq: last.seq }
  }
}

/** As if they had come by a refresh, but for what a refresh learns. */
function recordOf(source: Source, newItems: readonly NewItem[], now: InstantMs): RefreshRecord {
  return {
    sourceId: source.id,
    // Its first refresh looks into the archive for that.
    state: { ...source.state, lastNewItemAt: source.state.lastNewItemAt ?? now },
    movedTo: null,
    observation: null,
    renamedItems: [],
    newItems,
    changedItems: [],
    intake: null,
  }
}

async function mark(
  exported: readonly ExportedItem[],
  seqs: readonly (ItemSeq | undefined)[],
  userId: UserId,
  store: ImportStore,
): Promise<number> {
  const marks = await store.marks(userId, [...new Set(seqs.filter((seq) => seq !== undefined))])
  const chosen = (isNew: (item: ExportedItem, seq: ItemSeq) => boolean) => [
    ...new Set(exported.flatMap((item, at) => (seqs[at] !== undefined && isNew(item, seqs[at]) ? [seqs[at]] : []))),
  ]
  const read = chosen(({ isRead }, seq) => isRead && marks.get(seq)?.isRead === false)
  const starred = chosen(({ isStarred }, seq) => isStarred && marks.get(seq)?.isStarred === false)
  if (read.length > 0) await store.markItems(userId, read, { isRead: true })
  if (starred.length > 0) await store.markItems(userId, starred, { isStarred: true })
  return new Set([...read, ...starred]).size
}
