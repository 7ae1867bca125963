import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import type { Item, ItemSeq, SourceId } from '../../src/model/index.ts'
import { matchSource } from '../../src/query/arrivals.ts'
import type { FeedQuery } from '../../src/query/language/ast.ts'
import type { Store } from '../../src/store/store.ts'
import { shownId } from './sites.ts'

/** What query feeds hold, by name. */
export type SeqsByFeed = ReadonlyMap<string, readonly ItemSeq[]>

const ALL = 1_000_000

export function readArchive(store: Pick<Store, 'itemsAfter'>): Promise<readonly Item[]> {
  return store.itemsAfter(0, ALL)
}

/** Items that the sites have shown and that are not stored, and stored ones that are there twice or were never shown. */
export function compareArchive(
  archive: readonly Item[],
  sources: readonly SourceId[],
  published: readonly number[],
): { readonly lost: number; readonly doubled: number } {
  const shown = new Set(
    published.flatMap((count, feed) => Array.from({ length: count }, (_, number) => shownId(feed, number))),
  )
  const feedOf = new Map(sources.map((id, feed) => [id, feed]))
  const stored = archive.map(({ id, sourceId }) =>
    id?.startsWith(shownId(feedOf.get(sourceId) ?? -1, 0).slice(0, -1)) ? id : '',
  )
  const once = new Set(stored.filter((id) => shown.has(id)))
  return { lost: shown.size - once.size, doubled: stored.length - once.size }
}

/** What all query feeds should hold, by the plain evaluator. */
export async function expectedContents(
  store: Pick<Store, 'sources'>,
  archive: readonly Item[],
  queries: ReadonlyMap<string, FeedQuery>,
): Promise<SeqsByFeed> {
  const sources = new Map((await store.sources()).map((source) => [source.id, matchSource(source)]))
  const naive = new NaiveEngine()
  const contents = new Map<string, ItemSeq[]>()
  for (const [name, query] of queries) {
    naive.set(name, query)
    contents.set(name, [])
  }
  for (const item of archive) {
    const source = sources.get(item.sourceId)
    if (source === undefined) continue
    for (const { feed } of naive.process({ item, source })) contents.get(feed)?.push(item.seq)
  }
  return contents
}

export async function readContents(store: Pick<Store, 'queryFeeds' | 'publicationsAfter'>): Promise<SeqsByFeed> {
  const contents = new Map<string, readonly ItemSeq[]>()
  for (const { id, name } of await store.queryFeeds()) {
    const entries = await store.publicationsAfter(id, { after: 0, limit: ALL, withHistory: true })
    contents.set(
      name,
      entries.map(({ itemSeq }) => itemSeq),
    )
  }
  return contents
}

/** Items that a feed lacks, has twice, or should not have. */
export function compareContents(is: SeqsByFeed, ought: SeqsByFeed): number {
  let wrong = 0
  for (const [name, expected] of ought) {
    const found = is.get(name) ?? []
    const [foundSet, expectedSet] = [new Set(found), new Set(expected)]
    wrong += expected.filter((seq) => !foundSet.has(seq)).length + found.length - foundSet.size
    wrong += [...foundSet].filter((seq) => !expectedSet.has(seq)).length
  }
  return wrong
}

/** Of what was sent to a subscriber: items that never came, and items under more than one id. */
export function compareMessages(
  messages: readonly { readonly id: string; readonly item: string }[],
  expected: number,
): { readonly missing: number; readonly renamed: number } {
  const items = new Set(messages.map(({ item }) => item))
  const ids = new Set(messages.map(({ id }) => id))
  return { missing: Math.max(0, expected - items.size), renamed: ids.size - items.size }
}
