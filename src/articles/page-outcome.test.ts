import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../model/index.ts'
import { ERRORS, type ErrorCode } from '../runtime/errors.ts'
import { seededRandom } from '../runtime/random.ts'
import type { Article, ExtractionFailure } from './article.ts'
import { afterExtraction, afterPageFailure, postponePage, saysMore } from './page-outcome.ts'

const NOW = 1_000_000_000
const PAGE = { seq: 7, sourceId: 1, url: 'https://a.example/1', shard: 3, attempts: 0 }
const ARTICLE: Article = {
  canonicalUrl: null,
  title: 'One',
  author: null,
  published: null,
  language: null,
  languageIs: null,
  categories: ['Ice'],
  leadImage: null,
  html: '<p>The whole article</p>',
  text: 'The whole article',
  wall: null,
  by: 'readability',
  confidence: 0.9,
}
const FETCHED = { finalUrl: 'https://a.example/one', status: 200, body: new Uint8Array([1]) }
const TEASER = { summary: '<p>The whole …</p>', content: null }
const CATEGORY = { category: 'Ice', categoryIs: 'page' } as const
const middle = () => 0.5

function failed(code: ErrorCode, attempts = 0, retryAt: number | null = null) {
  return afterPageFailure({ ...PAGE, attempts }, { code, status: null, retryAt }, { now: NOW, random: middle })
}

describe('a page that could not be had', () => {
  it.each([
    ['FETCH_CONNECT', 0, 5 * MINUTE_MS],
    ['FETCH_CONNECT', 1, 20 * MINUTE_MS],
    ['HTTP_SERVER_ERROR', 2, 80 * MINUTE_MS],
    ['PAGE_ROBOTS_UNREACHABLE', 3, 320 * MINUTE_MS],
    ['FETCH_CONNECT', 4, null],
    ['HTTP_NOT_FOUND', 0, null],
    ['HTTP_GONE', 0, null],
    ['HTTP_FORBIDDEN', 0, null],
    ['HTTP_UNAUTHORIZED', 0, null],
    ['FETCH_TOO_LARGE', 0, null],
    ['FETCH_REDIRECT_LOOP', 0, null],
    ['FETCH_TOO_MANY_REDIRECTS', 0, null],
    ['FETCH_ADDRESS_REFUSED', 0, null],
    ['PAGE_ROBOTS', 0, null],
    ['CREDENTIALS_LOCKED', 0, null],
  ] as const)('by %s after %i requests is tried again after %s ms', (code, attempts, pauseMs) => {
    expect(failed(code, attempts)).toMatchObject({
      dueAt: pauseMs === null ? null : NOW + pauseMs,
      failure: code,
      attempts: attempts + 1,
      article: null,
    })
  })

  it('is left alone as long as the site asks', () => {
    expect(failed('HTTP_TOO_MANY_REQUESTS', 0, NOW + DAY_MS).dueAt).toBe(NOW + DAY_MS)
    expect(failed('HTTP_TOO_MANY_REQUESTS', 0, NOW + 1).dueAt).toBe(NOW + 5 * MINUTE_MS)
  })

  it('is given up after a few requests, whatever happens, and never asked for in the past', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[]
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(50), fc.integer(), (code, attempts, seed) => {
        const failure = { code, status: null, retryAt: null }
        const { dueAt } = afterPageFailure({ ...PAGE, attempts }, failure, { now: NOW, random: seededRandom(seed) })
        if (attempts >= 4) expect(dueAt).toBeNull()
        if (dueAt !== null) expect(dueAt).toBeGreaterThan(NOW + 3 * MINUTE_MS)
      }),
    )
  })

  it('is no request where the host is to be left alone', () => {
    expect(postponePage(PAGE, NOW + 60_000, NOW)).toMatchObject({ attempts: 0, dueAt: NOW + 60_000, article: null })
    expect(postponePage(PAGE, NOW - 5, NOW).dueAt).toBeGreaterThan(NOW)
  })
})

describe('a page that is there', () => {
  it('gives its article to the item', () => {
    const { html, text: _, ...facts } = ARTICLE
    expect(
      afterExtraction(PAGE, FETCHED, { kind: 'article', article: ARTICLE, category: CATEGORY }, TEASER, NOW),
    ).toEqual({
      ...FETCHED,
      seq: 7,
      attempts: 1,
      dueAt: null,
      fetchedAt: NOW,
      failure: null,
      facts: { ...facts, ...CATEGORY },
      article: html,
    })
  })

  it.each([
    ['not-html', 'PAGE_NOT_HTML'],
    ['too-large', 'PAGE_TOO_LARGE'],
    ['too-costly', 'PAGE_TOO_COSTLY'],
    ['no-text', 'PAGE_NO_TEXT'],
  ] as const)('and gives no article (%s) is settled with %s', (reason: ExtractionFailure, code) => {
    const record = afterExtraction(PAGE, FETCHED, { kind: 'failure', reason }, TEASER, NOW)
    expect(record).toMatchObject({ dueAt: null, failure: code, article: null, facts: null })
  })

  it.each([
    ['longer than the teaser', { ...TEASER }, ARTICLE, true],
    ['all there is', { summary: null, content: null }, ARTICLE, true],
    ['shorter than the feed', { summary: null, content: `<p>${'word '.repeat(20)}</p>` }, ARTICLE, false],
    ['the same as in the feed', { summary: null, content: '<div>The whole\n article</div>' }, ARTICLE, false],
    ['behind a paywall', TEASER, { ...ARTICLE, wall: 'paywall' as const }, false],
    ['behind a question for consent', TEASER, { ...ARTICLE, wall: 'consent' as const }, false],
    ['empty', { summary: null, content: null }, { ...ARTICLE, text: ' \n ' }, false],
  ])('whose text is %s', (_what, feed, article, expected) => {
    expect(saysMore(article, feed)).toBe(expected)
  })
})
