import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feedPath, feedsOf, parseFeedPath } from './addresses.ts'

describe('addresses of feeds', () => {
  it.each([
    ['/feeds/all.rss', { kind: 'all' }, 'rss'],
    ['/feeds/source/12.atom', { kind: 'source', sourceId: 12 }, 'atom'],
    ['/feeds/category/News/Science.json', { kind: 'category', category: 'News/Science' }, 'json'],
    ['/feeds/category/News%2FScience.json', { kind: 'category', category: 'News/Science' }, 'json'],
    ['/feeds/category/Caf%C3%A9%20%26%20Bar.rss', { kind: 'category', category: 'Café & Bar' }, 'rss'],
    ['/feeds/category/a.rss.rss', { kind: 'category', category: 'a.rss' }, 'rss'],
  ])('%s is understood', (path, address, format) => {
    expect(parseFeedPath(path)).toEqual({ address, format })
  })

  it.each([
    '/feeds/all',
    '/feeds/all.xml',
    '/feeds/all.RSS',
    '/feeds/source/.rss',
    '/feeds/source/x.rss',
    '/feeds/source/1e3.rss',
    '/feeds/source/99999999999999999999.rss',
    '/feeds/category/.rss',
    '/feeds/category/%zz.rss',
    '/feeds/category/%ff.rss',
    '/feeds/other/1.rss',
  ])('%s is nothing', (path) => {
    expect(parseFeedPath(path)).toBeNull()
  })

  it('lead back to the same feed through a client that resolves paths', () => {
    const folder = fc.oneof(fc.string({ minLength: 1, unit: 'grapheme' }), fc.constantFrom('.', '..', '%2F', 'a?b#c'))
    const category = fc
      .array(folder, { minLength: 1, maxLength: 4 })
      .map((folders) => folders.map((name) => name.replaceAll('/', '-')).join('/'))
    fc.assert(
      fc.property(category, fc.constantFrom('rss', 'atom', 'json'), (name, format) => {
        const address = { kind: 'category', category: name } as const
        const { pathname } = new URL(`http://a.example${feedPath(address)}.${format}`)
        expect(parseFeedPath(pathname)).toEqual({ address, format })
      }),
    )
  })

  it('of a source: everything, itself, its categories and their parents, each once', () => {
    expect(feedsOf({ id: 3, categories: ['A/B/C', 'A/D'] }).map(feedPath)).toEqual([
      '/feeds/all',
      '/feeds/source/3',
      '/feeds/category/A',
      '/feeds/category/A/B',
      '/feeds/category/A/B/C',
      '/feeds/category/A/D',
    ])
  })
})
