import type { Fetcher, FetchOutcome } from '../crawler/fetch/fetcher.ts'
import { decodeDocument } from '../crawler/parse/charset.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { commonFeedPaths, discoverFeeds, normalizeSourceUrl } from '../sources/discover.ts'
import { type NewSource, withDefaults } from './sources.ts'

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
