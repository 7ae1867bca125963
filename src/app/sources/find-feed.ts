import type { Fetcher, FetchOutcome } from '../../crawler/fetch/fetcher.ts'
import { decodeDocument } from '../../crawler/parse/charset.ts'
import { parseFeed } from '../../crawler/parse/parse.ts'
import type { InstantMs, ParseResult } from '../../model/index.ts'
import { ERRORS, type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'
import { commonFeedPaths, discoverFeeds, hasHttpScheme, normalizeSourceUrl } from '../../sources/discover.ts'
import { type NewSource, withSourceDefaults } from './import-sources.ts'

export interface SourcePreview {
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

export interface FoundFeeds extends FoundFeed {
  /** What the page announces besides, likeliest first. */
  readonly others: readonly FoundFeed[]
}

/** Which of several announced feeds is wanted; null: the first that can be read. */
export type PickFeed = (announced: readonly FoundFeed[]) => Promise<FoundFeed | null>

type Content = Extract<FetchOutcome, { readonly kind: 'content' }>

/** The usual places are guesses, and a site that has no feed gets a request for all of them. */
const MOST_GUESSES = 6
const pickNone: PickFeed = async () => null

/**
 * The feed behind an address that a person typed: the address itself if a feed is there, else what the page announces,
 * else what is at the usual places. Each candidate is fetched, so that what is added is known to work.
 */
export async function findFeed(
  typed: string,
  settings: NewSource,
  fetcher: Fetcher,
  pick: PickFeed = pickNone,
): Promise<FoundFeeds> {
  const { url, first } = await fetchTyped(typed, settings, fetcher)
  const here = parseContent(first)
  if (here !== null) return { url: first.permanentUrl ?? url, title: here.feed.title, others: [] }

  const found = discoverFeeds(decodeDocument(first.body, first.contentType).text, first.finalUrl)
  const announced = found.some(({ isDeclared }) => isDeclared) ? found.filter(({ isDeclared }) => isDeclared) : found
  const picked = announced.length > 1 ? await pick(announced) : null
  if (picked !== null) return { ...(await readPicked(picked, settings, fetcher)), others: [] }
  const guesses = commonFeedPaths(first.finalUrl).slice(0, MOST_GUESSES)
  for (const candidate of new Set([...found.slice(0, MOST_ANNOUNCED).map((one) => one.url), ...guesses])) {
    const fetched = await fetchOnce(candidate, settings, fetcher)
    const feed = fetched.kind === 'content' ? parseContent(fetched) : null
    if (feed === null || fetched.kind !== 'content') continue
    const others = announced.filter((one) => one.url !== candidate)
    return { url: fetched.permanentUrl ?? candidate, title: feed.feed.title, others }
  }
  throw new HeadwaterError('SOURCE_NO_FEED_FOUND', first.finalUrl)
}

async function readPicked({ url }: FoundFeed, settings: NewSource, fetcher: Fetcher): Promise<FoundFeed> {
  const fetched = contentOf(url, await fetchOnce(url, settings, fetcher))
  const feed = parseContent(fetched)
  if (feed === null) throw new HeadwaterError('PARSE_NOT_A_FEED', url)
  return { url: fetched.permanentUrl ?? url, title: feed.feed.title }
}

/** No TLS at this host: many old sites have none. */
const NO_TLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FETCH_CONNECT', 'FETCH_TLS', 'FETCH_TIMEOUT_CONNECT'])

/** Who typed no scheme means https, and http where that cannot be reached. */
async function fetchTyped(
  typed: string,
  settings: NewSource,
  fetcher: Fetcher,
): Promise<{ readonly url: string; readonly first: Content }> {
  const url = normalizeSourceUrl(typed)
  const fetched = await fetchOnce(url, settings, fetcher)
  // A password that was meant for TLS is not sent without it.
  const isOpen = settings.basicAuth == null && Object.keys(settings.headers ?? {}).length === 0
  if (fetched.kind === 'failed' && NO_TLS.has(fetched.code) && !hasHttpScheme(typed) && isOpen) {
    const plainUrl = url.replace(/^https:/, 'http:')
    const plain = await fetchOnce(plainUrl, settings, fetcher)
    if (plain.kind === 'content') return { url: plainUrl, first: plain }
  }
  return { url, first: contentOf(url, fetched) }
}

function contentOf(url: string, fetched: FetchOutcome): Content {
  if (fetched.kind === 'content') return fetched
  if (fetched.kind === 'not-modified') throw new HeadwaterError('HTTP_UNEXPECTED', url)
  throw new HeadwaterError(fetched.code, `${url}${causeOf(fetched)}`)
}

/** What the summary of the code and the address do not say already. */
function causeOf({ code, message, status }: Extract<FetchOutcome, { readonly kind: 'failed' }>): string {
  const cause = message
    .replace(`${ERRORS[code].summary}: `, '')
    .replace(/ \([^()\s]*\)$/, '')
    .trim()
  return cause === '' || status !== null || ERRORS[code].summary.includes(cause) ? '' : ` (${cause})`
}

function fetchOnce(url: string, settings: NewSource, fetcher: Fetcher): Promise<FetchOutcome> {
  const { headers, basicAuth, userAgent, proxyUrl } = withSourceDefaults(settings)
  return fetcher.fetch({ url, headers, basicAuth, userAgent, proxyUrl, etag: null, lastModified: null })
}

const PREVIEWED_ITEMS = 5
/** A site may announce a feed for each of its tags, and each is a request that waits for its turn. */
const MOST_ANNOUNCED = 5

/** Like `findFeed`, but all the feeds that are found, with what they show; nothing is stored. */
export async function previewFeeds(typed: string, settings: NewSource, fetcher: Fetcher): Promise<SourcePreview[]> {
  const { url, first } = await fetchTyped(typed, settings, fetcher)
  const here = parseContent(first)
  if (here !== null) return [previewOf(first.permanentUrl ?? url, here)]
  const page = decodeDocument(first.body, first.contentType).text
  const announced = new Set(discoverFeeds(page, first.finalUrl).map((one) => one.url))
  const found = await readAll([...announced].slice(0, MOST_ANNOUNCED), settings, fetcher)
  if (found.length > 0) return found
  for (const candidate of commonFeedPaths(first.finalUrl).slice(0, MOST_GUESSES)) {
    const [feed] = announced.has(candidate) ? [] : await readAll([candidate], settings, fetcher)
    if (feed !== undefined) return [feed]
  }
  throw new HeadwaterError('SOURCE_NO_FEED_FOUND', first.finalUrl)
}

async function readAll(urls: readonly string[], settings: NewSource, fetcher: Fetcher): Promise<SourcePreview[]> {
  const previews = await Promise.all(
    urls.map(async (url) => {
      const fetched = await fetchOnce(url, settings, fetcher)
      const feed = fetched.kind === 'content' ? parseContent(fetched) : null
      return feed === null || fetched.kind !== 'content' ? [] : [previewOf(fetched.permanentUrl ?? url, feed)]
    }),
  )
  return previews.flat()
}

/** null: it is no feed. */
function parseContent(fetched: Content): ParseResult | null {
  const result = parseFeed(fetched.body, { contentType: fetched.contentType, url: fetched.finalUrl })
  return result.format === 'unknown' ? null : result
}

function previewOf(url: string, { format, feed, items }: ParseResult): SourcePreview {
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
