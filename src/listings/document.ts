import { FeedDraft, OF_THE_FORMAT } from '../crawler/parse/draft.ts'
import { finishFeed } from '../crawler/parse/finish.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import { ProblemList } from '../crawler/parse/problems.ts'
import { type FeedFormat, isWatchedElement, type Listing, type ParsedItem, type ParseResult } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { decodeDocument, decodePage } from '../text/charset/charset.ts'
import { readElement } from './element.ts'
import { readListedItems } from './listing.ts'
import { type Page, parsePage } from './page.ts'
import { isSitemap, readSitemap, unpacked } from './sitemap.ts'

export interface DocumentOptions {
  readonly contentType: string | null
  /** Where it was found. */
  readonly url: string
  /** How to read a page that is no feed; null or absent: it is a feed or a sitemap. */
  readonly listing?: Listing | null
  /** The item of the source that was stored last. */
  readonly last?: ParsedItem | null
}

/**
 * Reads what a source sent: a feed, a sitemap, or a page by its selectors. Never throws; a document that cannot be read has
 * the format `unknown`, and its problems say why.
 */
export function readSourceDocument(bytes: Uint8Array, options: DocumentOptions): ParseResult {
  if (options.listing != null) return readListing(bytes, options, options.listing)
  const plain = unpacked(bytes)
  if (plain === null || !mayBeSitemap(plain)) return parseFeed(plain ?? bytes, options)
  return sitemapResult(plain, options) ?? parseFeed(plain, options)
}

/** Cheap, because nearly all documents are feeds. */
function mayBeSitemap(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_000)).toString('latin1')
  return isSitemap(head)
}

function sitemapResult(bytes: Uint8Array, { contentType, url }: DocumentOptions): ParseResult | null {
  const problems = new ProblemList()
  const decoded = decodeDocument(bytes, contentType)
  problems.addAll(decoded.problems)
  const sitemap = readSitemap(decoded.text, url, problems)
  if (sitemap === null) return null
  const draft = new FeedDraft()
  draft.link.offer(new URL('/', url).href, OF_THE_FORMAT)
  draft.title.offer(new URL(url).hostname, OF_THE_FORMAT)
  return resultOf(sitemap.kind, decoded.encoding, draft, sitemap.items, problems)
}

const WRONG_START = /^(?:%PDF|PK\x03\x04|\x89PNG|GIF8|\xff\xd8\xff|ID3)/
const NOT_HTML = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|octet-stream|msword|json)/i

/** The items of a page, as those of a feed. */
export function readListing(bytes: Uint8Array, options: DocumentOptions, listing: Listing): ParseResult {
  const problems = new ProblemList()
  const { contentType, url } = options
  if (!isPage(bytes, contentType)) {
    problems.add('not-html', null, contentType ?? undefined)
    return resultOf('unknown', 'binary', new FeedDraft(), [], problems)
  }
  const decoded = decodePage(bytes, contentType)
  const page = parsePage(decoded.text, url)
  if (page.isCut) problems.add('too-large')
  const items = itemsOf(page, listing, options, problems)
  if (items.length === 0) problems.add('nothing-selected')
  return resultOf(
    items.length === 0 ? 'unknown' : 'page',
    decoded.encoding,
    feedOf(page, url, listing),
    items,
    problems,
  )
}

export function isPage(bytes: Uint8Array, contentType: string | null): boolean {
  return !WRONG_START.test(startOf(bytes, 8)) && !NOT_HTML.test(contentType ?? '')
}

function itemsOf(page: Page, listing: Listing, options: DocumentOptions, problems: ProblemList): readonly ParsedItem[] {
  try {
    if (!isWatchedElement(listing)) return readListedItems(page, listing, problems)
    return [readElement(page, listing.element, options.url, options.last ?? null)].filter((item) => item !== null)
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    problems.add(error.code === 'SELECTOR_TOO_COSTLY' ? 'costly-selector' : 'bad-selector', null, error.message)
    return []
  }
}

function feedOf({ title, language, nextUrl }: Page, url: string, listing: Listing): FeedDraft {
  const draft = new FeedDraft()
  draft.title.offer(title, OF_THE_FORMAT)
  draft.link.offer(url, OF_THE_FORMAT)
  draft.language.offer(language, OF_THE_FORMAT)
  // Of an element there is never more than its present state: what it was before is no gap.
  draft.complete = isWatchedElement(listing)
  draft.nextUrl = draft.complete ? null : nextUrl
  return draft
}

function resultOf(
  format: FeedFormat,
  encoding: string,
  draft: FeedDraft,
  items: readonly ParsedItem[],
  problems: ProblemList,
): ParseResult {
  return { format, encoding, feed: finishFeed(draft), items, problems: problems.list() }
}

function startOf(bytes: Uint8Array, count: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, count)).toString('latin1')
}
