import { describe, expect, it } from 'vitest'
import { fetcherName, readersAmong, saidSubscribers } from './fetchers.ts'

const FEEDLY = 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 123 subscribers; like FeedFetcher-Google)'
const name = (address: string, userAgent: string) => fetcherName('key', { address, userAgent })
const fetch = (address: string, userAgent: string, at = 1) => ({
  feed: '/feeds/all',
  reader: name(address, userAgent),
  at,
  subscribers: saidSubscribers(userAgent),
})
const heads = (fetches: readonly ReturnType<typeof fetch>[], believed: number) =>
  readersAmong('/feeds/all', fetches, believed).reduce((sum, { count }) => sum + count, 0)

describe('who fetches a feed', () => {
  it('is recognised by address and program, whatever numbers the program says', () => {
    expect(name('192.0.2.1', FEEDLY)).toBe(name('192.0.2.1', FEEDLY.replace('123', '124')))
    expect(name('192.0.2.1', 'NetNewsWire/6.1')).toBe(name('192.0.2.1', 'NetNewsWire/6.2'))
    const all = [name('192.0.2.1', 'a'), name('192.0.2.2', 'a'), name('192.0.2.1', 'b')]
    expect(new Set(all).size).toBe(3)
  })

  it('is not found in the name without the key', () => {
    expect(name('192.0.2.1', FEEDLY)).not.toContain('192')
    expect(fetcherName('another', { address: '192.0.2.1', userAgent: FEEDLY })).not.toBe(name('192.0.2.1', FEEDLY))
  })

  it.each([
    [FEEDLY, 123],
    ['NewsBlur Feed Fetcher - 1 subscriber - http://www.newsblur.com/site/1 (Mozilla/5.0)', 1],
    ['Inoreader/1.0 (+http://www.inoreader.com/feed-fetcher; 5 subscribers; )', 5],
    ['FeedHQ/0.1 (https://github.com/feedhq/feedhq; 12 readers; https://feedhq.org)', 12],
    ['Mozilla/5.0', 0],
    ['x 99999999999 subscribers', 0],
  ])('%s says %i subscribers', (userAgent, subscribers) => expect(saidSubscribers(userAgent)).toBe(subscribers))
})

describe('the readers that fetchers stand for', () => {
  it('are as many as there are fetchers, whatever these say, unless that is asked for', () => {
    expect(heads([fetch('192.0.2.1', 'a'), fetch('192.0.2.2', FEEDLY)], 0)).toBe(2)
    expect(heads([fetch('192.0.2.1', 'a'), fetch('192.0.2.2', FEEDLY)], 1_000)).toBe(124)
  })

  it('are never more than is believed of one', () => {
    expect(heads([fetch('192.0.2.2', FEEDLY)], 50)).toBe(50)
    expect(heads([fetch('192.0.2.2', FEEDLY.replace('123', '999999999'))], 50)).toBe(50)
  })

  it('are said once only from one address, and once only by one program', () => {
    const fromOne = [fetch('192.0.2.2', FEEDLY), fetch('192.0.2.2', 'Other (500 subscribers)')]
    expect(heads(fromOne, 1_000)).toBe(500 + 1)
    const byOne = [fetch('192.0.2.2', FEEDLY), fetch('192.0.2.3', FEEDLY.replace('123', '120'))]
    expect(heads(byOne, 1_000)).toBe(123 + 1)
  })

  it('do not grow with the names that one address gives itself', () => {
    const names = Array.from({ length: 500 }, (_, k) =>
      fetch('192.0.2.9', `agent ${String.fromCodePoint(97 + (k % 26)).repeat(1 + k)}`, k),
    )
    expect(heads(names, 0)).toBe(8)
  })

  it('are counted together where there are many', () => {
    const many = Array.from({ length: 1_000 }, (_, k) => fetch(`10.0.${k >> 8}.${k & 255}`, 'reader'))
    expect(readersAmong('/feeds/all', many, 0)).toHaveLength(200)
    expect(heads(many, 0)).toBe(1_000)
  })
})
