import { originAtom } from './item/atoms.ts'
import type { FeedQuery, ItemOrigin, SourceRef } from './language/ast.ts'

/** Where a query gets its items from, in its sources and its joins. */
export function originsOf(query: FeedQuery): readonly ItemOrigin[] {
  return [...query.sources, ...query.joins.flatMap(({ sources }) => sources)].map(({ origin }) => origin)
}

/** The same for two writings of one origin. */
export function inputKey(origin: ItemOrigin): string {
  return originAtom(origin) ?? 'ALL'
}

/** No source and no feed can have this name. */
const NOWHERE: ItemOrigin = { kind: 'name', name: '\u0000' }

/** The query as if nothing came from some of its inputs; variables and joins stay where they are. */
export function withoutInputs(query: FeedQuery, keys: ReadonlySet<string>): FeedQuery {
  if (keys.size === 0) return query
  const cut = (ref: SourceRef): SourceRef => (keys.has(inputKey(ref.origin)) ? { ...ref, origin: NOWHERE } : ref)
  return {
    ...query,
    sources: query.sources.map(cut),
    joins: query.joins.map((join) => ({ ...join, sources: join.sources.map(cut) })),
  }
}

/** Keys of a feed's own inputs that it is made without, from what is stored with it (access/view.ts). */
export function ownKeys(name: string, without: readonly string[] = []): ReadonlySet<string> {
  const own = `${name} `
  return new Set(without.filter((key) => key.startsWith(own)).map((key) => key.slice(own.length)))
}
