import type { Source, SourceId } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import { presentCategories } from './feed-categories.ts'
import { plainText } from './plain-text.ts'
import type { SourceLabel } from './published-feed.ts'
import { webAddress, withoutCredentials } from './web-address.ts'

/** The names of sources as feeds show them, looked up once until something about them changes. */
export interface SourceLabels {
  labels(ids: Iterable<SourceId>): Promise<ReadonlyMap<SourceId, SourceLabel>>
  forget(id?: SourceId): void
}

const MAX_LABELS = 20_000

export function createSourceLabels(store: Pick<Store, 'source'>): SourceLabels {
  const known = new Map<SourceId, SourceLabel>()
  return {
    async labels(ids) {
      const found = new Map<SourceId, SourceLabel>()
      for (const id of new Set(ids)) {
        const label = known.get(id) ?? (await look(id))
        if (label) found.set(id, label)
      }
      return found
    },
    forget(id) {
      if (id === undefined) known.clear()
      else known.delete(id)
    },
  }

  async function look(id: SourceId): Promise<SourceLabel | null> {
    const source = await store.source(id)
    if (source === null) return null
    if (known.size >= MAX_LABELS) known.clear()
    const label = sourceLabel(source)
    known.set(id, label)
    return label
  }
}

export function sourceLabel(source: Source): SourceLabel {
  const url = withoutCredentials(source.url)
  return {
    id: source.id,
    addedAt: source.addedAt,
    title: sourceTitle(source),
    url: webAddress(url) ?? `urn:headwater:source:${source.id}`,
    siteUrl: webAddress(source.state.siteUrl, url),
    categories: presentCategories(source.state.feedCategories),
    weight: source.weight,
  }
}

/** The user's name for it, else the feed's title, else its address. */
export function sourceTitle(source: Source): string {
  const title = plainText(source.name ?? '', 300) || plainText(source.state.title ?? '', 300)
  return title || plainText(withoutCredentials(source.url).replace(/^https?:\/\//, ''), 300) || `Source ${source.id}`
}
