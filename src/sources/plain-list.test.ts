import { describe, expect, it } from 'vitest'
import { readOpml } from './opml.ts'
import { readPlainList } from './plain-list.ts'

const urls = (text: string) => readPlainList(text)?.entries.map(({ url }) => url) ?? null

describe('a plain list of addresses', () => {
  it('is read line by line, with names, remarks and blank lines', () => {
    const text =
      '\ufeff# mine\r\nhttps://a.example/feed\r\n\r\n  b.example/rss  The B Site \nfeed://c.example/\n<http://d.example/x>\n'
    expect(readPlainList(text)).toEqual({
      entries: [
        { url: 'https://a.example/feed', name: null, siteUrl: null, categories: [] },
        { url: 'https://b.example/rss', name: 'The B Site', siteUrl: null, categories: [] },
        { url: 'https://c.example/', name: null, siteUrl: null, categories: [] },
        { url: 'http://d.example/x', name: null, siteUrl: null, categories: [] },
      ],
      others: [],
    })
  })

  it('names an address once', () => {
    expect(urls('a.example\nhttps://a.example/\n')).toEqual(['https://a.example/'])
  })

  it.each([
    ['prose', 'Dear reader,\nthis is no list. See https://a.example/ for one.\n'],
    ['a page', '<html><body><a href="https://a.example/">x</a></body></html>'],
    ['nothing', '\n\n# only a remark\n'],
    ['numbers', '1.5\n2.25\n'],
  ])('is not %s', (_, text) => expect(readPlainList(text)).toBeNull())

  it('is taken wherever a list of feeds is, and what is no address is reported', () => {
    const list = readOpml(Buffer.from('https://a.example/feed\nhttps://b.example/\nnot an address\n'))
    expect(list.entries.map(({ url }) => url)).toEqual(['https://a.example/feed', 'https://b.example/'])
    expect(list.problems).toEqual([{ code: 'no-address', message: 'Not an address: not an address', offset: null }])
  })
})
