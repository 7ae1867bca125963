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

export function createSourceLabels(store: Pick<Store, 'sourcesById'>): SourceLabels {
  const known = new Map<SourceId, SourceLabel>()
  return {
    async labels(ids) {
      const found = new Map<SourceId, SourceLabel>()
      const missing: SourceId[] = []
      for (const id of new Set(ids)) {
        const label = known.get(id)
        if (label === undefined) missing.push(id)
        else found.set(id, label)
      }
      if (missing.length > 0) for (const [id, label] of await look(missing)) found.set(id, label)
      return found
    },
    forget(id) {
      if (id === undefined) known.clear()
      else known.delete(id)
    },
  }

  async function look(ids: readonly SourceId[]): Promise<ReadonlyMap<SourceId, SourceLabel>> {
    const labels = new Map<SourceId, SourceLabel>()
    for (const [id, source] of await store.sourcesById(ids)) labels.set(id, sourceLabel(source))
    if (known.size + labels.size > MAX_LABELS) known.clear()
    for (const [id, label] of labels) known.set(id, label)
    return labels
  }
}

export function sourceLabel(source: Source): SourceLabel {
  const url = withoutCredentials(source.url)
  return {
    id: source.id,
    addedAt: source.addedAt,
    title: sourceTitle({ ...source, title: source.state.title }),
    url: webAddress(url) ?? `urn:headwater:source:${source.id}`,
    siteUrl: webAddress(source.state.siteUrl, url),
    categories: presentCategories(source.state.feedCategories),
    weight: source.weight,
  }
}

/** The user's name for it, else the feed's title, else its address. */
export function sourceTitle(source: Pick<Source, 'id' | 'name' | 'url'> & { readonly title: string | null }): string {
  const title = plainText(source.name ?? '', 300) || plainText(source.title ?? '', 300)
  return title || plainText(withoutCredentials(source.url).replace(/^https?:\/\//, ''), 300) || `Source ${source.id}`
}
