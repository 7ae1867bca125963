import type { ReaderDeps } from './deps.ts'
import type { Library, ReaderSource } from './library.ts'

/** What unread counts look at, as the dashboard's do. */
const COUNTED_ITEMS = 10_000

/** Of the sources that the user follows; those without any are left out. */
export async function unreadBySource(
  library: Library,
  { store }: Pick<ReaderDeps, 'store'>,
): Promise<ReadonlyMap<ReaderSource, number>> {
  const unread = await store.unread(library.reader.user.id, COUNTED_ITEMS)
  const sources = await library.sources()
  return new Map(
    sources.flatMap((source) => {
      const count = unread.get(source.id) ?? 0
      return count === 0 ? [] : [[source, count] as const]
    }),
  )
}
