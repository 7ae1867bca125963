import {
  DAY_MS,
  type DuePage,
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  type Item,
  MINUTE_MS,
  type PageFacts,
  type Random,
  SECOND_MS,
} from '../model/index.ts'
import type { ErrorCode } from '../runtime/errors.ts'
import type { FoundPage, PageRecord } from '../store/item-pages.ts'
import { stripMarkup } from '../store/text/markup.ts'
import type { Article, Extraction, ExtractionFailure } from './article.ts'
import type { PageCategory } from './page-category.ts'

/** Failures that may pass by themselves. All others settle a page: it is never fetched again. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FETCH_DNS',
  'FETCH_CONNECT',
  'FETCH_TIMEOUT_CONNECT',
  'FETCH_TIMEOUT_HEADERS',
  'FETCH_TIMEOUT_BODY',
  'FETCH_TIMEOUT_TOTAL',
  'FETCH_TOO_SLOW',
  'FETCH_NO_ROOM',
  'FETCH_BROKEN',
  'FETCH_HOST_BUSY',
  'FETCH_PROXY',
  'HTTP_TOO_MANY_REQUESTS',
  'HTTP_UNAVAILABLE',
  'HTTP_SERVER_ERROR',
  'PAGE_ROBOTS_UNREACHABLE',
])

const MOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 5 * MINUTE_MS
/** 5 and 20 minutes, 80 minutes, five hours: whoever is back within the day is found. */
const PAUSE_GROWTH = 4
const SOONEST_MS = SECOND_MS

interface PageFailure {
  readonly code: ErrorCode
  readonly status: number | null
  /** The site asks to be left alone until then. */
  readonly retryAt: InstantMs | null
}

/** What decides about the time after a visit. */
interface VisitMoment {
  readonly now: InstantMs
  readonly random: Random
  /** When the page is looked at again for changes; null: never. */
  readonly nextLookAt: InstantMs | null
}

/**
 * A page that could not be had: tried again some time later, or given up. Its item stays as it is. One that was found before is
 * looked at again when that is due anyway.
 */
export function afterPageFailure(
  page: DuePage,
  { code, status, retryAt }: PageFailure,
  { now, random, nextLookAt }: VisitMoment,
): PageRecord {
  const attempts = page.attempts + 1
  const isGivenUp = !PASSING.has(code) || attempts >= MOST_ATTEMPTS
  const pauseMs = FIRST_PAUSE_MS * PAUSE_GROWTH ** (attempts - 1) * (0.75 + 0.5 * random())
  const soonest = isGivenUp ? null : Math.max(now + Math.round(pauseMs), retryAt ?? 0)
  const dueAt = page.known === null ? soonest : nextLookAt
  return { seq: page.seq, attempts, dueAt, fetchedAt: now, status, failure: code, found: null }
}

/** Most changes come soon: after an hour, then whenever the article is five times as old, for a fortnight. */
const FIRST_LOOK_MS: DurationMs = HOUR_MS
const LOOK_GROWTH = 4
const LAST_LOOK_MS: DurationMs = 14 * DAY_MS

/** When a page is looked at again for changes; null: it is too old for that. */
export function nextLook({ firstSeenAt }: Pick<Item, 'firstSeenAt'>, now: InstantMs): InstantMs | null {
  const ageMs = Math.max(0, now - firstSeenAt)
  const next = now + Math.max(FIRST_LOOK_MS, LOOK_GROWTH * ageMs)
  return next - firstSeenAt > LAST_LOOK_MS ? null : next
}

/** The site says that the page is as it was. */
export function afterUnchangedPage(page: DuePage, status: number, { now, nextLookAt }: VisitMoment): PageRecord {
  const attempts = page.attempts + 1
  return { seq: page.seq, attempts, dueAt: nextLookAt, fetchedAt: now, status, failure: null, found: null }
}

/** Nothing was requested, because the host is to be left alone until then. */
export function postponePage({ seq, attempts }: DuePage, until: InstantMs, now: InstantMs): PageRecord {
  const dueAt = Math.max(until, now + SOONEST_MS)
  return { seq, attempts, dueAt, fetchedAt: now, status: null, failure: 'FETCH_HOST_BUSY', found: null }
}

const CODES: Readonly<Record<ExtractionFailure, ErrorCode>> = {
  'not-html': 'PAGE_NOT_HTML',
  'too-large': 'PAGE_TOO_LARGE',
  'too-costly': 'PAGE_TOO_COSTLY',
  'no-text': 'PAGE_NO_TEXT',
}

type JudgedExtraction =
  | { readonly kind: 'article'; readonly article: Article; readonly category: PageCategory }
  | Extract<Extraction, { kind: 'failure' }>

interface FetchedPage extends Pick<FoundPage, 'finalUrl' | 'contentType' | 'etag' | 'lastModified'> {
  readonly status: number
  /** As it came, compressed. */
  readonly body: Uint8Array
}

/** A page that is there: settled, whatever was found in it, unless its changes are wanted. */
export function afterExtraction(
  page: DuePage,
  { status, body, ...fetched }: FetchedPage,
  extraction: JudgedExtraction,
  item: FeedTexts,
  { now, nextLookAt }: Omit<VisitMoment, 'random'>,
): PageRecord {
  const visit = { seq: page.seq, attempts: page.attempts + 1, fetchedAt: now, status }
  if (extraction.kind === 'failure') {
    const failure = CODES[extraction.reason]
    if (page.known !== null) return { ...visit, dueAt: nextLookAt, failure, found: null }
    // What is no page of text is of no use to anybody later.
    const stored = failure === 'PAGE_NO_TEXT' ? body : null
    return { ...visit, dueAt: null, failure, found: { ...fetched, facts: null, body: stored, article: null } }
  }
  const { article } = extraction
  const facts = { ...factsOf(article), ...extraction.category }
  const found = { ...fetched, facts, body, article: saysMore(article, item) ? shownArticle(article) : null }
  return { ...visit, dueAt: nextLookAt, failure: null, found }
}

/** With the lead image before it, where the text does not show that itself. */
function shownArticle({ html, leadImage }: Pick<Article, 'html' | 'leadImage'>): string {
  if (leadImage === null || showsImage(html, leadImage.url)) return html
  const { url, width, height } = leadImage
  const side = (name: string, pixels: number | null) => (pixels === null ? '' : ` ${name}="${Math.round(pixels)}"`)
  return `<figure><img src="${escapeAttribute(url)}"${side('width', width)}${side('height', height)}></figure>${html}`
}

/** The same picture in another size has the same name: it counts as shown. */
function showsImage(html: string, url: string): boolean {
  const name = decodeSafely(new URL(url).pathname.split('/').at(-1) ?? '')
  return html.includes(escapeAttribute(url)) || (name.length > 4 && decodeSafely(html).includes(name))
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

type FeedTexts = Pick<Item, 'summary' | 'content'>

/** Whether the page has the article, and more of it than the feed: else what the feed says stays. */
export function saysMore({ wall, text }: Pick<Article, 'wall' | 'text'>, { summary, content }: FeedTexts): boolean {
  return wall === null && letters(text) > Math.max(lettersOf(summary), lettersOf(content))
}

function lettersOf(html: string | null): number {
  return html === null ? 0 : letters(stripMarkup(html))
}

/** How text is broken into lines says nothing. */
function letters(text: string): number {
  return text.replace(/\s+/g, '').length
}

function factsOf({ html: _html, text: _text, ...facts }: Article): Omit<PageFacts, keyof PageCategory> {
  return facts
}
