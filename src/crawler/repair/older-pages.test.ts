import { describe, expect, it } from 'vitest'
import type { ParsedFeed } from '../../model/index.ts'
import { parseFeed } from '../parse/parse.ts'
import { firstOlderPage, nextOlderPage } from './older-pages.ts'
import { usualRate } from './usual-rate.ts'

const URL_HERE = 'https://site.example/feed/'

function atom(links: string): ParsedFeed {
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id><title>t</title>${links}</feed>`
  return parseFeed(Buffer.from(xml), { contentType: null, url: URL_HERE }).feed
}

function rss(channel: string): ParsedFeed {
  const xml = `<rss version="2.0"><channel><title>t</title>${channel}</channel></rss>`
  return parseFeed(Buffer.from(xml), { contentType: null, url: URL_HERE }).feed
}

describe('older pages', () => {
  it.each([
    ['RFC 5005 §4: prev-archive', atom('<link rel="prev-archive" href="/2003/11/index.atom"/>'), '/2003/11/index.atom'],
    ['RFC 5005 §3: next', atom('<link rel="next" href="/feed/?page=2"/>'), '/feed/?page=2'],
    [
      'both: the archive, which does not shift',
      atom('<link rel="next" href="/n"/><link rel="prev-archive" href="/a"/>'),
      '/a',
    ],
    [
      'WordPress, known by its generator',
      rss('<generator>https://wordpress.org/?v=6.4.2</generator>'),
      '/feed/?paged=2',
    ],
  ])('are found by %s', (_, feed, path) => {
    expect(firstOlderPage(feed, URL_HERE)?.url).toBe(`https://site.example${path}`)
  })

  it.each([
    ['a feed that offers none', atom('')],
    ['another generator', rss('<generator>Hugo -- gohugo.io</generator>')],
    ['a page that is no web address', atom('<link rel="next" href="ftp://site.example/old"/>')],
    ['a page below https', atom('<link rel="prev-archive" href="http://site.example/old"/>')],
  ])('are not looked for with %s', (_, feed) => {
    expect(firstOlderPage(feed, URL_HERE)).toBeNull()
  })

  it('lead on by the same custom', () => {
    const archive = { url: 'https://site.example/a', how: 'archive' as const }
    expect(nextOlderPage(archive, atom('<link rel="prev-archive" href="/b"/>'))?.url).toBe('https://site.example/b')
    expect(nextOlderPage(archive, atom('<link rel="next" href="/c"/>'))).toBeNull()
    const paged = { url: 'https://site.example/?page=2', how: 'paged' as const }
    expect(nextOlderPage(paged, atom('<link rel="next" href="/?page=3"/>'))?.url).toBe('https://site.example/?page=3')
    expect(nextOlderPage(paged, atom(''))).toBeNull()
    const wordpress = { url: 'https://site.example/feed/?cat=4&paged=2', how: 'wordpress' as const }
    expect(nextOlderPage(wordpress, rss(''))?.url).toBe('https://site.example/feed/?cat=4&paged=3')
  })

  it('of JSON Feed are at next_url', () => {
    const json = { version: 'https://jsonfeed.org/version/1.1', title: 't', items: [], next_url: 'https://s.example/2' }
    const { feed } = parseFeed(Buffer.from(JSON.stringify(json)), { contentType: null, url: URL_HERE })
    expect(firstOlderPage(feed, URL_HERE)).toEqual({ url: 'https://s.example/2', how: 'paged' })
  })
})

describe('the usual rate of a source', () => {
  const refresh = { sourceId: 1, windowSize: 10, itemTimes: [], notModified: false, bytes: 0, latencyMs: 0 }
  const hour = 3_600_000

  it('counts what came over the time in which it came, losses included', () => {
    const rate = usualRate([
      { ...refresh, previousAt: null, at: 0, newItems: 10, overlap: 'first', lostAtLeast: 0 },
      { ...refresh, previousAt: 0, at: hour, newItems: 3, overlap: 'some', lostAtLeast: 0 },
      { ...refresh, previousAt: hour, at: 4 * hour, newItems: 10, overlap: 'none', lostAtLeast: 7 },
    ])
    expect(rate).toBe(5)
  })

  it('is unknown before the second refresh', () => {
    expect(usualRate([])).toBeNull()
  })
})
