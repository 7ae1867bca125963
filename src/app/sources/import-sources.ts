import { entryAt } from '../../model/entry-at.ts'
import { type InstantMs, isForLetters, type Source, type SourceSettings, type UserId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'

export type NewSource = Partial<Omit<SourceSettings, 'url'>> & { readonly url: string }

export function withSourceDefaults(source: NewSource): SourceSettings {
  return {
    name: null,
    categories: [],
    weight: 1,
    intervalMs: null,
    headers: {},
    basicAuth: null,
    userAgent: null,
    proxyUrl: null,
    paused: false,
    ...source,
  }
}

/** A source by its number or its address. */
export async function findSourceByName(name: string, store: Store): Promise<Source> {
  const found = /^\d+$/.test(name)
    ? await store.source(Number(name))
    : await store.sourceByUrl(normalizeSourceUrl(name))
  if (found === null) throw new HeadwaterError('SOURCE_NOT_FOUND', name)
  return found
}

export function shownName(source: Source): string {
  return source.name ?? source.state.title ?? source.url
}

export function opmlEntries(sources: readonly Source[]) {
  // Nobody else can follow what comes as letters.
  return sources
    .filter((source) => !isForLetters(source))
    .map((source) => ({
      url: source.url,
      name: source.name ?? source.state.title,
      siteUrl: source.state.siteUrl,
      categories: [...source.categories],
    }))
}

interface ListEntry {
  readonly url: string
  readonly name: string | null
  readonly categories: readonly string[]
}

/** An address that a list names twice is one source, in all the categories. */
function joinByUrl(entries: readonly ListEntry[]) {
  const byUrl = new Map<string, NewSource>()
  const bad: string[] = []
  for (const { url, name, categories } of entries) {
    try {
      const address = normalizeSourceUrl(url)
      const before = byUrl.get(address)?.categories ?? []
      byUrl.set(address, { url: address, name, categories: [...new Set([...before, ...categories])].sort() })
    } catch {
      bad.push(url)
    }
  }
  return { sources: [...byUrl.values()], bad }
}

/**
 * Adds many at once, keeping what is already there; new categories of known sources are joined to theirs, if the caller
 * may change what all share.
 */
export async function importSources(
  entries: readonly ListEntry[],
  store: Pick<Store, 'addSources' | 'updateSource'>,
  now: InstantMs,
  { by = null, mayRefile = true }: { readonly by?: UserId | null; readonly mayRefile?: boolean } = {},
): Promise<{ readonly added: number; readonly known: number; readonly bad: readonly string[] }> {
  const { sources, bad } = joinByUrl(entries)
  const settings = sources.map(withSourceDefaults)
  const answers = await store.addSources(settings, now, by)
  for (const [index, { source, added }] of answers.entries()) {
    const missing =
      added || !mayRefile ? [] : entryAt(settings, index).categories.filter((c) => !source.categories.includes(c))
    if (missing.length > 0)
      await store.updateSource(source.id, { categories: [...source.categories, ...missing].sort() })
  }
  const added = answers.filter((answer) => answer.added).length
  return { added, known: answers.length - added, bad }
}
