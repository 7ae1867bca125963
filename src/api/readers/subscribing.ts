import type { Source, SourceId, SourceSettings } from '../../model/index.ts'
import { feedPath } from '../../publisher/addresses.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { readOpml } from '../../sources/opml.ts'
import { allSources } from '../../store/all-sources.ts'
import type { Reader } from './app-door.ts'
import type { ReaderDeps } from './deps.ts'
import { notThere } from './failure.ts'
import type { Library } from './library.ts'

type Deps = Pick<ReaderDeps, 'store' | 'services' | 'directory' | 'clock'>

/**
 * Adds the source if it is new, and follows it where the user follows anything: who follows nothing has everything, and would have
 * one source alone from then on.
 */
export async function addSubscription(
  {
    url,
    name,
    categories,
  }: { readonly url: string; readonly name: string | null; readonly categories: readonly string[] },
  library: Library,
  deps: Deps,
): Promise<{ readonly source: Source; readonly added: boolean }> {
  const { user, isAdmin } = library.reader
  // Apps add what they have once more to be sure: that asks no site, which may be down.
  const normal = normalUrl(url, deps)
  const known = normal === null ? null : await deps.store.sourceByUrl(normal)
  const answer =
    known === null
      ? await deps.services.sources.add(
          { url, name, categories: [...categories] },
          { discover: true, by: user.id, isAdmin },
        )
      : { source: known, added: false }
  deps.directory.forget()
  await followSource(answer.source.id, library, deps)
  return answer
}

/** What is no address may still mean a feed. */
function normalUrl(url: string, { services }: Pick<ReaderDeps, 'services'>): string | null {
  try {
    return services.sources.normalUrl(url)
  } catch {
    return null
  }
}

export async function followSource(sourceId: SourceId, library: Library, { store, clock }: Deps): Promise<void> {
  if ((await library.following()) === null) return
  const feed = feedPath({ kind: 'source', sourceId })
  await store.follow({ userId: library.reader.user.id, feed, since: clock.now() })
}

/**
 * The source stays: it is shared. Who followed nothing, or its folder, follows all others of them one by one from now on.
 */
export async function dropSubscription(sourceId: SourceId, library: Library, deps: Deps): Promise<void> {
  const { store, clock } = deps
  const userId = library.reader.user.id
  const following = await library.following()
  if (following === null || !(await store.unfollow(userId, feedPath({ kind: 'source', sourceId })))) {
    const others = (await library.sources()).filter(({ id }) => id !== sourceId)
    for (const { id } of others) {
      await store.follow({ userId, feed: feedPath({ kind: 'source', sourceId: id }), since: clock.now() })
    }
  }
  const source = await store.source(sourceId)
  for (const category of following?.categories ?? []) {
    const isIn = source?.categories.some((one) => one === category || one.startsWith(`${category}/`))
    if (isIn) await store.unfollow(userId, feedPath({ kind: 'category', category }))
  }
}

export async function followQueryFeed(name: string, isFollowed: boolean, library: Library, deps: Deps): Promise<void> {
  const { store, clock } = deps
  const userId = library.reader.user.id
  const feed = feedPath({ kind: 'query', name })
  if (isFollowed) await store.follow({ userId, feed, since: clock.now() })
  else await store.unfollow(userId, feed)
}

/** Names and folders are shared by all users. */
export async function refileSource(
  id: SourceId,
  patch: Partial<Pick<SourceSettings, 'name' | 'categories' | 'url'>>,
  reader: Reader,
  deps: Deps,
): Promise<Source> {
  demandAdmin(reader, 'sources are shared')
  const source = await deps.services.sources.change(id, patch, reader.user.id)
  if (source === null) throw notThere(`feed/${id}`)
  deps.directory.forget()
  return source
}

/** null: its sources are in no folder in its place. Those below it move with it. */
export async function renameFolder(from: string, to: string | null, reader: Reader, deps: Deps): Promise<void> {
  demandAdmin(reader, 'folders are shared')
  const members = await allSources(deps.store, { category: from })
  for (const { id, categories } of members) {
    const renamed = categories.flatMap((one) => {
      if (one !== from && !one.startsWith(`${from}/`)) return [one]
      return to === null ? [] : [`${to}${one.slice(from.length)}`]
    })
    await deps.store.updateSource(id, { categories: [...new Set(renamed)] })
  }
  deps.directory.forget()
}

export async function importList(list: Uint8Array, library: Library, deps: Deps): Promise<void> {
  const { user, isAdmin } = library.reader
  const options = { category: null, dryRun: false, mayRefile: isAdmin, by: user.id }
  await deps.services.sources.import(list, options, () => {})
  deps.directory.forget()
  if ((await library.following()) === null) return
  for (const { url } of readOpml(list).entries) {
    const source = await deps.store.sourceByUrl(deps.services.sources.normalUrl(url)).catch(() => null)
    if (source !== null) await followSource(source.id, library, deps)
  }
}

function demandAdmin({ isAdmin }: Reader, why: string): void {
  if (!isAdmin) throw new HeadwaterError('RIGHT_MISSING', `admin: ${why}`)
}
