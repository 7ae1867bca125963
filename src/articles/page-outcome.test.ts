import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { ERRORS, type ErrorCode } from '../runtime/errors.ts'
import { seededRandom } from '../runtime/random.ts'
import type { Article, ExtractionFailure } from './article.ts'
import {
  afterExtraction,
  afterPageFailure,
  afterUnchangedPage,
  nextLook,
  postponePage,
  saysMore,
} from './page-outcome.ts'

const NOW = 1_000_000_000
const PAGE = { seq: 7, sourceId: 1, url: 'https://a.example/1', shard: 3, attempts: 0, known: null }
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
const FOUND = {
  finalUrl: 'https://a.example/one',
  contentType: 'text/html',
  etag: '"1"',
  lastModified: null,
  body: new Uint8Array([1]),
}
const FETCHED = { ...FOUND, status: 200 }
const TEASER = { summary: '<p>The whole …</p>', content: null }
const CATEGORY = { category: 'Ice', categoryIs: 'page' } as const
const middle = () => 0.5
const ONCE = { now: NOW, nextLookAt: null }

function failed(code: ErrorCode, attempts = 0, retryAt: number | null = null) {
  return afterPageFailure(
    { ...PAGE, attempts },
    { code, status: null, retryAt },
    { now: NOW, random: middle, nextLookAt: null },
  )
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
      found: null,
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
        const { dueAt } = afterPageFailure({ ...PAGE, attempts }, failure, {
          now: NOW,
          random: seededRandom(seed),
          nextLookAt: null,
        })
        if (attempts >= 4) expect(dueAt).toBeNull()
        if (dueAt !== null) expect(dueAt).toBeGreaterThan(NOW + 3 * MINUTE_MS)
      }),
    )
  })

  it('is no request where the host is to be left alone', () => {
    expect(postponePage(PAGE, NOW + 60_000, NOW)).toMatchObject({ attempts: 0, dueAt: NOW + 60_000, found: null })
    expect(postponePage(PAGE, NOW - 5, NOW).dueAt).toBeGreaterThan(NOW)
  })
})

describe('a page that is there', () => {
  it('gives its article to the item', () => {
    const { html, text: _, ...facts } = ARTICLE
    expect(
      afterExtraction(PAGE, FETCHED, { kind: 'article', article: ARTICLE, category: CATEGORY }, TEASER, ONCE),
    ).toEqual({
      status: 200,
      seq: 7,
      attempts: 1,
      dueAt: null,
      fetchedAt: NOW,
      failure: null,
      found: { ...FOUND, facts: { ...facts, ...CATEGORY }, article: html },
    })
  })

  it.each([
    ['not-html', 'PAGE_NOT_HTML'],
    ['too-large', 'PAGE_TOO_LARGE'],
    ['too-costly', 'PAGE_TOO_COSTLY'],
    ['no-text', 'PAGE_NO_TEXT'],
  ] as const)('and gives no article (%s) is settled with %s', (reason: ExtractionFailure, code) => {
    const record = afterExtraction(PAGE, FETCHED, { kind: 'failure', reason }, TEASER, ONCE)
    expect(record).toMatchObject({ dueAt: null, failure: code, found: { article: null, facts: null } })
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

describe('a page whose changes are followed', () => {
  const KNOWN = { ...PAGE, attempts: 9, known: { etag: '"1"', lastModified: null } }
  const later = { now: NOW, random: middle, nextLookAt: NOW + DAY_MS }

  it('is looked at again ever more rarely, and not after a fortnight', () => {
    const looks: number[] = []
    for (let at: number | null = NOW; at !== null; at = nextLook({ firstSeenAt: NOW }, at)) looks.push(at - NOW)
    expect(looks.map((ms) => ms / HOUR_MS)).toEqual([0, 1, 5, 25, 125])
  })

  it.each(['HTTP_NOT_FOUND', 'FETCH_CONNECT'] as const)('keeps what was found when it fails with %s', (code) => {
    const record = afterPageFailure(KNOWN, { code, status: null, retryAt: null }, later)
    expect(record).toMatchObject({ found: null, dueAt: NOW + DAY_MS, failure: code })
  })

  it('keeps it when the page is as it was, or says nothing any more', () => {
    expect(afterUnchangedPage(KNOWN, 304, later)).toMatchObject({ found: null, failure: null, dueAt: NOW + DAY_MS })
    const empty = afterExtraction(KNOWN, FETCHED, { kind: 'failure', reason: 'no-text' }, TEASER, later)
    expect(empty).toMatchObject({ found: null, failure: 'PAGE_NO_TEXT', dueAt: NOW + DAY_MS })
  })

  it('replaces it by what the page says now', () => {
    const record = afterExtraction(
      KNOWN,
      FETCHED,
      { kind: 'article', article: ARTICLE, category: CATEGORY },
      TEASER,
      later,
    )
    expect(record).toMatchObject({ found: { article: ARTICLE.html }, dueAt: NOW + DAY_MS })
  })
})

describe('the lead image of a page', () => {
  const image = { url: 'https://a.example/pictures/ice%20shelf.jpg?w=1&h=2', width: 640, height: null }
  const articleOf = (html: string, leadImage: typeof image | null) => {
    const article = { ...ARTICLE, html, leadImage }
    return afterExtraction(PAGE, FETCHED, { kind: 'article', article, category: CATEGORY }, TEASER, ONCE).found?.article
  }

  it('stands before the article where that does not show it', () => {
    expect(articleOf('<p>x</p>', image)).toBe(
      '<figure><img src="https://a.example/pictures/ice%20shelf.jpg?w=1&amp;h=2" width="640"></figure><p>x</p>',
    )
    expect(articleOf('<p>x</p>', null)).toBe('<p>x</p>')
  })

  it.each([
    '<img src="https://a.example/pictures/ice%20shelf.jpg?w=1&amp;h=2"><p>x</p>',
    '<p>x</p><img src="https://cdn.example/640/ice shelf.jpg">',
  ])('is not shown twice: %s', (html) => {
    expect(articleOf(html, image)).toBe(html)
  })
})
