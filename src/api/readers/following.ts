import type { SourceId } from '../../model/index.ts'
import { parseFeedPath } from '../../publisher/addresses.ts'
import type { Follow } from '../../store/reading.ts'

/** What a user follows; null: nothing, and so everything. */
export interface Following {
  readonly sources: ReadonlySet<SourceId>
  readonly categories: ReadonlySet<string>
  /** Names of query feeds. */
  readonly feeds: ReadonlySet<string>
}

const SOURCE = /^\/feeds\/source\/(\d{1,15})$/

export function followingOf(follows: readonly Pick<Follow, 'feed'>[]): Following | null {
  if (follows.length === 0) return null
  const sources = new Set<SourceId>()
  const categories = new Set<string>()
  const feeds = new Set<string>()
  for (const { feed } of follows) {
    // Most are, and people follow thousands.
    const sourceId = SOURCE.exec(feed)?.[1]
    if (sourceId !== undefined) {
      sources.add(Number(sourceId))
      continue
    }
    const address = parseFeedPath(`${feed}.rss`)?.address
    if (address?.kind === 'category') categories.add(address.category)
    else if (address?.kind === 'query') feeds.add(address.name)
  }
  return { sources, categories, feeds }
}

/** Whether a source in these folders is among it; `News` has those of `News/Science`, too. */
export function follows(following: Following | null, id: SourceId, categories: readonly string[]): boolean {
  if (following === null || following.sources.has(id)) return true
  return categories.some((category) =>
    [...following.categories].some((folder) => category === folder || category.startsWith(`${folder}/`)),
  )
}
