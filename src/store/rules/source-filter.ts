import type { SourceFilter } from '../store.ts'

/** The part of a filter on the words of a source; both stores ask it, so that case is folded alike. */
export function matchesFilter(
  filter: SourceFilter,
  source: { readonly name: string | null; readonly title: string | null; readonly url: string },
): boolean {
  if (filter.text === undefined) return true
  const needle = filter.text.toLowerCase()
  return [source.name, source.title, source.url].some((text) => text?.toLowerCase().includes(needle))
}
