import type { FeedQuery } from './ast.ts'
import type { TextSpan } from './errors.ts'

/** What exists already when statements are checked. */
export interface Catalog {
  /** Names of registered sources. */
  readonly sources: readonly string[]
  /** Query feeds and the names that they read. */
  readonly feeds: ReadonlyMap<string, readonly string[]>
  /** Categories of sources with all their folders; null: not known, so not checked. */
  readonly categories: readonly string[] | null
  /** Feeds that exist, but are hidden from the caller, and the names that they read; absent: none. */
  readonly unseen?: ReadonlyMap<string, readonly string[]>
  /** The statements are about to be carried out: then a name must be free, also of what is not seen. */
  readonly isForGood?: boolean
}

/** Nothing exists yet, and categories are not checked. */
export const EMPTY_CATALOG: Catalog = { sources: [], feeds: new Map(), categories: null }

export interface NameUse {
  readonly name: string
  readonly at: TextSpan
}

/** The names that a query reads, in its sources and its joins. */
export function namesIn(query: FeedQuery): NameUse[] {
  return originsOf(query).flatMap(({ origin, at }) => (origin.kind === 'name' ? [{ name: origin.name, at }] : []))
}

export function categoriesIn(query: FeedQuery): NameUse[] {
  return originsOf(query).flatMap(({ origin, at }) =>
    origin.kind === 'category' ? [{ name: origin.category, at }] : [],
  )
}

function originsOf(query: FeedQuery): FeedQuery['sources'] {
  return [...query.sources, ...query.joins.flatMap(({ sources }) => sources)]
}

/** Feeds that need each other, first = last; null: none. Looks from the given feed on. */
export function findCycle(from: string, reads: (name: string) => readonly string[]): readonly string[] | null {
  const done = new Set<string>()
  const path: string[] = []
  const waiting: (readonly [name: string, depth: number])[] = [[from, 0]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, depth] = next
    path.length = depth
    const seenAt = path.indexOf(name)
    if (seenAt !== -1) return [...path.slice(seenAt), name]
    if (done.has(name)) continue
    done.add(name)
    path.push(name)
    for (const read of reads(name)) waiting.push([read, depth + 1])
  }
  return null
}
