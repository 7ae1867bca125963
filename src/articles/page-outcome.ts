import {
  type DuePage,
  type InstantMs,
  type Item,
  MINUTE_MS,
  type PageFacts,
  type Random,
  SECOND_MS,
} from '../model/index.ts'
import type { ErrorCode } from '../runtime/errors.ts'
import type { PageRecord } from '../store/item-pages.ts'
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

/** A page that could not be had: tried again some time later, or given up. Its item stays as its feed has it. */
export function afterPageFailure(
  page: DuePage,
  { code, status, retryAt }: PageFailure,
  { now, random }: { readonly now: InstantMs; readonly random: Random },
): PageRecord {
  const attempts = page.attempts + 1
  const isGivenUp = !PASSING.has(code) || attempts >= MOST_ATTEMPTS
  const pauseMs = FIRST_PAUSE_MS * PAUSE_GROWTH ** (attempts - 1) * (0.75 + 0.5 * random())
  const dueAt = isGivenUp ? null : Math.max(now + Math.round(pauseMs), retryAt ?? 0)
  return { seq: page.seq, attempts, dueAt, fetchedAt: now, status, failure: code, ...NOTHING_FOUND }
}

const NOTHING_FOUND = { finalUrl: null, facts: null, body: null, article: null } as const

/** Nothing was requested, because the host is to be left alone until then. */
export function postponePage({ seq, attempts }: DuePage, until: InstantMs, now: InstantMs): PageRecord {
  const dueAt = Math.max(until, now + SOONEST_MS)
  return { seq, attempts, dueAt, fetchedAt: now, status: null, failure: 'FETCH_HOST_BUSY', ...NOTHING_FOUND }
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

interface FetchedPage {
  readonly finalUrl: string
  readonly status: number
  /** As it came, compressed. */
  readonly body: Uint8Array
}

/** A page that is there: settled, whatever was found in it. */
export function afterExtraction(
  page: DuePage,
  { finalUrl, status, body }: FetchedPage,
  extraction: JudgedExtraction,
  item: FeedTexts,
  now: InstantMs,
): PageRecord {
  const fetched = { seq: page.seq, attempts: page.attempts + 1, dueAt: null, fetchedAt: now, status, finalUrl }
  if (extraction.kind === 'failure') {
    const failure = CODES[extraction.reason]
    // What is no page of text is of no use to anybody later.
    return { ...fetched, failure, facts: null, body: failure === 'PAGE_NO_TEXT' ? body : null, article: null }
  }
  const { article } = extraction
  const facts = { ...factsOf(article), ...extraction.category }
  return { ...fetched, failure: null, facts, body, article: saysMore(article, item) ? article.html : null }
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
