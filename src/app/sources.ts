import type { Fetcher, FetchOutcome } from '../crawler/fetch/fetcher.ts'
import { decodeDocument } from '../crawler/parse/charset.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import type { InstantMs, Source, SourceSettings } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { commonFeedPaths, discoverFeeds, normalizeSourceUrl } from '../sources/discover.ts'
import type { Store } from '../store/store.ts'

export type NewSource = Partial<Omit<SourceSettings, 'url'>> & { readonly url: string }

export function withDefaults(source: NewSource): SourceSettings {
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

export interface FoundFeed {
  readonly url: string
  readonly title: string | null
}

/**
 * The feed behind an address that a person typed: the address itself if a feed is there, else what the page announces,
 * else what stands at the usual places. Each candidate is fetched, so that what is added is known to work.
 */
export async function findFeed(typed: string, settings: NewSource, fetcher: Fetcher): Promise<FoundFeed> {
  const url = normalizeSourceUrl(typed)
  const first = await fetchOnce(url, settings, fetcher)
  if (first.kind === 'failed') throw new HeadwaterError(first.code, `${url} (${first.message})`)
  if (first.kind === 'not-modified') throw new HeadwaterError('HTTP_UNEXPECTED', url)
  const here = readFeed(first)
  if (here !== null) return { url: first.permanentUrl ?? url, title: here }

  const page = decodeDocument(first.body, first.contentType).text
  const candidates = [
    ...discoverFeeds(page, first.finalUrl).map((found) => found.url),
    ...commonFeedPaths(first.finalUrl),
  ]
  for (const candidate of new Set(candidates)) {
    const fetched = await fetchOnce(candidate, settings, fetcher)
    if (fetched.kind !== 'content') continue
    const title = readFeed(fetched)
    if (title !== null) return { url: fetched.permanentUrl ?? candidate, title }
  }
  throw new HeadwaterError('SOURCE_NO_FEED_FOUND', first.finalUrl)
}

function fetchOnce(url: string, settings: NewSource, fetcher: Fetcher): Promise<FetchOutcome> {
  const { headers, basicAuth, userAgent, proxyUrl } = withDefaults(settings)
  return fetcher.fetch({ url, headers, basicAuth, userAgent, proxyUrl, etag: null, lastModified: null })
}

/** The title (maybe empty) if it is a feed, else null. */
function readFeed(fetched: Extract<FetchOutcome, { readonly kind: 'content' }>): string | null {
  const parsed = parseFeed(fetched.body, { contentType: fetched.contentType, url: fetched.finalUrl })
  return parsed.format === 'unknown' ? null : (parsed.feed.title ?? '')
}

/** A source by its number or its address. */
export async function sourceNamed(name: string, store: Store): Promise<Source> {
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
  return sources.map((source) => ({
    url: source.url,
    name: source.name ?? source.state.title,
    siteUrl: source.state.siteUrl,
    categories: [...source.categories],
  }))
}

/** Adds many at once, keeping what is already there; new categories of known sources are joined to theirs. */
export async function importSources(
  entries: readonly { readonly url: string; readonly name: string | null; readonly categories: readonly string[] }[],
  store: Store,
  now: InstantMs,
): Promise<{ readonly added: number; readonly known: number; readonly bad: readonly string[] }> {
  const wanted = new Map<string, NewSource>()
  const bad: string[] = []
  for (const { url, name, categories } of entries) {
    try {
      const address = normalizeSourceUrl(url)
      const before = wanted.get(address)?.categories ?? []
      wanted.set(address, { url: address, name, categories: [...new Set([...before, ...categories])].sort() })
    } catch {
      bad.push(url)
    }
  }
  const answers = await store.addSources([...wanted.values()].map(withDefaults), now)
  for (const { source, added } of answers) {
    const missing = added ? [] : wanted.get(source.url)!.categories!.filter((c) => !source.categories.includes(c))
    if (missing.length > 0)
      await store.updateSource(source.id, { categories: [...source.categories, ...missing].sort() })
  }
  const added = answers.filter((answer) => answer.added).length
  return { added, known: answers.length - added, bad }
}
