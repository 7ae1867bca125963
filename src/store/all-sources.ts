import type { Source } from '../model/index.ts'
import type { SourceFilter, Store } from './store.ts'

/** Read at once: some ten milliseconds. */
const PAGE = 1_000

/** All sources that fit, in the order of ids, page by page: others get their turn between two. */
export async function allSources(
  store: Pick<Store, 'sources'>,
  filter: Omit<SourceFilter, 'afterId' | 'limit'> = {},
): Promise<readonly Source[]> {
  const all: Source[] = []
  for (let afterId = 0; ; ) {
    const page = await store.sources({ ...filter, afterId, limit: PAGE })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return all
    afterId = last.id
  }
}
