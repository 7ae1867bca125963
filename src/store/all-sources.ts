import type { Source, SourceId } from '../model/index.ts'
import type { ListedSource } from './source-summaries.ts'
import type { SourceFilter, Store } from './store.ts'

/** Read at once: some ten milliseconds. */
const PAGE = 1_000

/** All sources that fit, in the order of ids, page by page: others get their turn between two. */
export function allSources(
  store: Pick<Store, 'sources'>,
  filter: Omit<SourceFilter, 'afterId' | 'limit'> = {},
): Promise<readonly Source[]> {
  return allPages((afterId) => store.sources({ ...filter, afterId, limit: PAGE }))
}

/** What lists name of all sources, or of those of a category. */
export function allListedSources(
  store: Pick<Store, 'listedSources'>,
  category?: string,
): Promise<readonly ListedSource[]> {
  const chosen = category === undefined ? {} : { category }
  return allPages((afterId) => store.listedSources({ ...chosen, afterId, limit: PAGE }))
}

async function allPages<One extends { readonly id: SourceId }>(
  read: (afterId: SourceId) => Promise<readonly One[]>,
): Promise<readonly One[]> {
  const all: One[] = []
  for (let afterId = 0; ; ) {
    const page = await read(afterId)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return all
    afterId = last.id
  }
}
