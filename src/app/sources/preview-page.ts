import type { ListingService } from '../../api/services.ts'
import type { Fetcher, FetchOutcome } from '../../crawler/fetch/fetcher.ts'
import { unreadable } from '../../crawler/refresh-outcome.ts'
import { readListing } from '../../listings/document.ts'
import { suggestBeside } from '../../listings/suggest/suggest-beside.ts'
import { type InstantMs, type Listing, MINUTE_MS, type ParsedItem } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { meaningOf } from '../../sources/meant/index.ts'
import { fetchPage } from './feed-places.ts'
import { type Content, FeedRequests } from './feed-requests.ts'
import type { NewSource } from './import-sources.ts'

const PREVIEWED_ITEMS = 5

/** Who tries selectors asks for the same page again and again; its site gets one request a minute. */
const REMEMBER_MS = MINUTE_MS
const MOST_PAGES = 8
const LARGEST_PAGE = 3_000_000

export function createListingService(fetcher: Fetcher, clock: Pick<Clock, 'now'>): ListingService {
  const pages = rememberingPages(fetcher, clock)
  return {
    suggest: (url) => suggestForPage({ url }, pages),
    preview: (url, listing) => previewListing({ url }, listing, pages),
  }
}

function rememberingPages(fetcher: Fetcher, clock: Pick<Clock, 'now'>): Fetcher {
  const pages = new Map<string, { readonly at: InstantMs; readonly fetched: FetchOutcome }>()
  return {
    async fetch(request) {
      const now = clock.now()
      for (const [url, { at }] of pages) if (now - at >= REMEMBER_MS || at > now) pages.delete(url)
      const known = pages.get(request.url)
      if (known !== undefined) return known.fetched
      const fetched = await fetcher.fetch(request)
      if (fetched.kind === 'content' && fetched.body.length <= LARGEST_PAGE) {
        const [oldest] = pages.keys()
        if (pages.size >= MOST_PAGES && oldest !== undefined) pages.delete(oldest)
        pages.set(request.url, { at: now, fetched })
      }
      return fetched
    },
    close: async () => {},
  }
}

async function fetchPasted(
  source: NewSource,
  fetcher: Fetcher,
): Promise<{ readonly url: string; readonly first: Content }> {
  const meaning = meaningOf(source.url, [])
  const { url, content } = await fetchPage(meaning, new FeedRequests(source, fetcher, meaning.url))
  return { url, first: content }
}

/** Lists on a page that a person typed the address of. Throws LISTING_NOT_HTML and what fetching fails with. */
export async function suggestForPage(source: NewSource, fetcher: Fetcher) {
  const { url, first } = await fetchPasted(source, fetcher)
  const { body, contentType, finalUrl } = first
  const found = await suggestBeside({ body, contentType, url: finalUrl })
  if (found === null) throw new HeadwaterError('LISTING_NOT_HTML', finalUrl)
  return {
    url: first.permanentUrl ?? url,
    title: found.title,
    suggestions: found.suggestions.map(({ selectors, items }) => ({ listing: selectors, ...shown(items) })),
  }
}

/** What selectors find on a page now. Throws what a refresh would fail with. */
export async function previewListing(source: NewSource, listing: Listing, fetcher: Fetcher) {
  const { url, first } = await fetchPasted(source, fetcher)
  const read = readListing(first.body, { contentType: first.contentType, url: first.finalUrl }, listing)
  const failure = unreadable(read)
  if (failure !== null) throw new HeadwaterError(failure.code, first.finalUrl)
  return { url: first.permanentUrl ?? url, title: read.feed.title, ...shown(read.items) }
}

function shown(items: readonly ParsedItem[]) {
  const first = items.slice(0, PREVIEWED_ITEMS)
  return { itemCount: items.length, items: first.map(({ title, link, published }) => ({ title, link, published })) }
}
