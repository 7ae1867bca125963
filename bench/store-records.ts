import type { Source } from '../src/model/index.ts'
import type { NewItem, RefreshRecord, Store } from '../src/store/store.ts'

/** New items in one document, of a writing process. */
export const ITEMS_PER_REFRESH = 4

/** A refresh that brought these items; none: the document had not changed. */
export function refreshRecord(source: Source, newItems: readonly NewItem[], at: number): RefreshRecord {
  const isNews = newItems.length > 0
  const window = newItems.map(({ key, contentHash, published }) => ({ key, contentHash, alias: null, published }))
  return {
    sourceId: source.id,
    state: { ...source.state, status: 'active', lastCheckAt: at, window: isNews ? window : source.state.window },
    movedTo: null,
    observation: {
      sourceId: source.id,
      previousAt: null,
      at,
      newItems: newItems.length,
      windowSize: newItems.length,
      overlap: 'first',
      lostAtLeast: 0,
      itemTimes: [],
      notModified: !isNews,
      bytes: 40_000,
      latencyMs: 20,
    },
    renamedItems: [],
    intake: null,
    newItems,
    changedItems: [],
  }
}

export async function addSources(
  store: Store,
  count: number,
  categories: (index: number) => string[] = () => [],
  host = 'example.org',
): Promise<Source[]> {
  const added = await store.addSources(
    Array.from({ length: count }, (_, index) => ({
      url: `https://${host}/${index}.xml`,
      name: null,
      categories: categories(index),
      weight: 1,
      intervalMs: null,
      headers: {},
      basicAuth: null,
      userAgent: null,
      proxyUrl: null,
      paused: false,
    })),
    0,
  )
  return added.map(({ source }) => source)
}
