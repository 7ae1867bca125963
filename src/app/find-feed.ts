import type { Fetcher, FetchOutcome } from '../crawler/fetch/fetcher.ts'
import { decodeDocument } from '../crawler/parse/charset.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import type { InstantMs, ParseResult } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { commonFeedPaths, discoverFeeds, normalizeSourceUrl } from '../sources/discover.ts'
import { type NewSource, withDefaults } from './sources.ts'

export interface FeedPreview {
  readonly url: string
  readonly title: string | null
  readonly format: string
  readonly siteUrl: string | null
  readonly description: string | null
  readonly itemCount: number
  /** The first of the document. */
  readonly items: {
    readonly title: string | null
    readonly link: string | null
    readonly published: InstantMs | null
  }[]
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
  const result = parsed(fetched)
  return result === null ? null : (result.feed.title ?? '')
}

const PREVIEWED_ITEMS = 5
/** A site may announce a feed for each of its tags, and each is a request that waits for its turn. */
const PREVIEWED_FEEDS = 5

/** Like `findFeed`, but all the feeds that are found, with what they show; nothing is kept. */
export async function previewFeeds(typed: string, settings: NewSource, fetcher: Fetcher): Promise<FeedPreview[]> {
  const url = normalizeSourceUrl(typed)
  const first = await fetchOnce(url, settings, fetcher)
  if (first.kind === 'failed') throw new HeadwaterError(first.code, `${url} (${first.message})`)
  if (first.kind === 'not-modified') throw new HeadwaterError('HTTP_UNEXPECTED', url)
  const here = parsed(first)
  if (here !== null) return [previewOf(first.permanentUrl ?? url, here)]
  const page = decodeDocument(first.body, first.contentType).text
  const announced = new Set(discoverFeeds(page, first.finalUrl).map((found) => found.url))
  const found = await readAll([...announced].slice(0, PREVIEWED_FEEDS), settings, fetcher)
  if (found.length > 0) return found
  for (const candidate of commonFeedPaths(first.finalUrl)) {
    const [feed] = announced.has(candidate) ? [] : await readAll([candidate], settings, fetcher)
    if (feed !== undefined) return [feed]
  }
  throw new HeadwaterError('SOURCE_NO_FEED_FOUND', first.finalUrl)
}

async function readAll(urls: readonly string[], settings: NewSource, fetcher: Fetcher): Promise<FeedPreview[]> {
  const previews = await Promise.all(
    urls.map(async (url) => {
      const fetched = await fetchOnce(url, settings, fetcher)
      const feed = fetched.kind === 'content' ? parsed(fetched) : null
      return feed === null || fetched.kind !== 'content' ? [] : [previewOf(fetched.permanentUrl ?? url, feed)]
    }),
  )
  return previews.flat()
}

function parsed(fetched: Extract<FetchOutcome, { readonly kind: 'content' }>): ParseResult | null {
  const result = parseFeed(fetched.body, { contentType: fetched.contentType, url: fetched.finalUrl })
  return result.format === 'unknown' ? null : result
}

function previewOf(url: string, { format, feed, items }: ParseResult): FeedPreview {
  return {
    url,
    title: feed.title,
    format,
    siteUrl: feed.link,
    description: feed.description,
    itemCount: items.length,
    items: items.slice(0, PREVIEWED_ITEMS).map(({ title, link, published }) => ({ title, link, published })),
  }
}
