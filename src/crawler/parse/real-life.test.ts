import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedItem, ParseResult } from '../../model/index.ts'
import { parseFeed } from './parse.ts'

const parse = (document: string | Uint8Array, contentType: string | null = null): ParseResult =>
  parseFeed(typeof document === 'string' ? Buffer.from(document) : document, {
    contentType,
    url: 'https://host.example/f',
  })

const codes = (result: ParseResult): readonly string[] => result.problems.map(({ code }) => code)
const atom = (inside: string): ParseResult => parse(`<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`)
const rss = (inside: string): ParseResult =>
  parse(
    `<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>${inside}</channel></rss>`,
  )
const only = (result: ParseResult): ParsedItem => {
  expect(result.items).toHaveLength(1)
  return result.items[0] as ParsedItem
}

describe('authors of entries without one (RFC 4287 §4.2.1)', () => {
  const source = '<source><author><name>Of the source</name></author></source>'
  const feed = '<author><name>Of the feed</name></author>'
  it.each([
    ['own', `${feed}<entry>${source}<author><name>Own</name></author></entry>`, 'Own', undefined],
    ['of atom:source', `${feed}<entry>${source}</entry>`, 'Of the source', true],
    ['of the feed', `${feed}<entry><title>x</title></entry>`, 'Of the feed', true],
    ['of the feed, named after the entry', `<entry><title>x</title></entry>${feed}`, 'Of the feed', true],
  ])('%s', (_, inside, name, inherited) => {
    const item = only(atom(inside))
    expect(item.authors).toEqual([{ name, email: null, url: null }])
    expect(item.inheritsAuthors).toBe(inherited)
  })

  it('RSS: the managing editor', () => {
    expect(only(rss('<managingEditor>e@x.example (Ed)</managingEditor><item><title>x</title></item>')).authors).toEqual(
      [{ name: 'Ed', email: 'e@x.example', url: null }],
    )
  })
})

describe('names with markup', () => {
  it.each([
    ['&lt;a href="/u/1"&gt;Ann&lt;/a&gt;', 'Ann', null],
    ['&lt;b&gt;Ann&lt;/b&gt; Lee', 'Ann Lee', null],
    ['Ann &amp;amp; Bo', 'Ann & Bo', null],
    ['Ann &lt;ann@x.example&gt;', 'Ann', 'ann@x.example'],
    ['&lt;br/&gt;', undefined, undefined],
  ])('%s', (written, name, email) => {
    const [author] = only(rss(`<item><title>x</title><dc:creator>${written}</dc:creator></item>`)).authors
    expect(author?.name).toBe(name)
    expect(author?.email).toBe(email)
  })
})

describe('Atom text distinguished from HTML', () => {
  it.each([
    ['The &lt;title&gt; element', 'The &lt;title> element', []],
    ['1 &lt; 2 &amp; 3', '1 < 2 & 3', []],
    ['write &amp;amp; for an ampersand', 'write &amp;amp; for an ampersand', []],
    ['AT&amp;T', 'AT&T', []],
    ['Read &lt;a href="/x"&gt;this&lt;/a&gt;', 'Read <a href="https://host.example/x">this</a>', ['mislabelled-html']],
    ['one&lt;br/&gt;two', 'one<br/>two', ['mislabelled-html']],
  ])('type="text": %s', (written, expected, problems) => {
    const result = atom(`<entry><id>1</id><summary type="text">${written}</summary></entry>`)
    expect(only(result).summary).toBe(expected)
    expect(codes(result)).toEqual(problems)
  })

  it('JSON Feed: content_text is text', () => {
    const item = { id: '1', content_text: 'Use <b> wisely' }
    const feed = { version: 'https://jsonfeed.org/version/1.1', title: 't', items: [item] }
    expect(only(parse(JSON.stringify(feed))).content).toBe('Use &lt;b> wisely')
  })
})

describe('links', () => {
  it('an empty address is neither a link nor an enclosure', () => {
    const item = only(atom('<entry><id>1</id><link href=""/><link rel="enclosure" href=" "/></entry>'))
    expect(item.link).toBeNull()
    expect(item.enclosures).toEqual([])
    expect(only(rss('<item><title>x</title><enclosure url="" type="audio/mpeg"/></item>')).enclosures).toEqual([])
  })

  it.each(['http://www.iana.org/assignments/relation/alternate', 'ALTERNATE'])('rel=%s', (rel) => {
    expect(only(atom(`<entry><link rel="${rel}" href="/a"/></entry>`)).link).toBe('https://host.example/a')
  })

  it.each([
    ['12', null],
    ['No comments', null],
    ['https://x.example/c', 'https://x.example/c'],
    ['/post/1#comments', 'https://host.example/post/1#comments'],
    ['comments.html', 'https://host.example/comments.html'],
  ])('comments: %s', (written, url) => {
    expect(only(rss(`<item><title>x</title><comments>${written}</comments></item>`)).commentsUrl).toBe(url)
  })

  it('srcset is resolved against xml:base, in markup and in escaped HTML', () => {
    const set = 'a.png 1x, /b,c.png 2x, https://o.example/d.png 300w'
    const resolved = 'https://b.example/p/a.png 1x, https://b.example/b,c.png 2x, https://o.example/d.png 300w'
    const html = (value: string) => `<img src="https://b.example/p/a.png" srcset="${value}">`
    const escaped = html(set).replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const content = `<content type="html">${escaped}</content>`
    expect(only(atom(`<entry xml:base="https://b.example/p/">${content}</entry>`)).content).toBe(html(resolved))
    const inline = `<content type="xhtml"><div><img srcset="${set}"/></div></content>`
    expect(only(atom(`<entry xml:base="https://b.example/p/">${inline}</entry>`)).content).toContain(
      `srcset="${resolved}"`,
    )
  })
})

describe('vocabularies', () => {
  it('prefixed Atom under an unprefixed root', () => {
    const result = parse(
      '<feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:title>t</atom:title><atom:entry><atom:id>1</atom:id></atom:entry></feed>',
    )
    expect([result.feed.title, only(result).id]).toEqual(['t', '1'])
  })

  it('Atom inside RSS', () => {
    const { feed } = rss(
      '<a:subtitle>s</a:subtitle><a:rights>r</a:rights><a:logo>/l.png</a:logo><a:icon>/i.png</a:icon>',
    )
    expect([feed.description, feed.copyright]).toEqual(['s', 'r'])
    expect([feed.image, feed.icon]).toEqual(['https://host.example/l.png', 'https://host.example/i.png'])
  })

  it('<categories><category>', () => {
    const item = only(
      rss('<item><title>x</title><categories><category>a</category><category>b c</category></categories></item>'),
    )
    expect(item.categories).toEqual(['a', 'b c'])
  })

  it('RSS 1.1', () => {
    const result = parse(
      `<Channel xmlns="http://purl.org/net/rss1.1#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://x.example/f">
      <title>t</title><link>http://x.example/</link><description>d</description>
      <items rdf:parseType="Collection"><item rdf:about="http://x.example/1"><title>one</title><link>http://x.example/1</link></item></items></Channel>`,
    )
    expect(result.format).toBe('rss-1.1')
    expect([result.feed.title, only(result).title, only(result).id]).toEqual(['t', 'one', 'http://x.example/1'])
  })

  it.each([
    ['author a text', { author: 'Ann' }],
    ['authors one person', { authors: { name: 'Ann' } }],
    ['other capitals', { Authors: [{ Name: 'Ann' }] }],
  ])('JSON Feed with %s', (_, fields) => {
    const result = parse(
      JSON.stringify({ Version: 'https://jsonfeed.org/version/1', Title: 't', Items: { ID: '1', ...fields } }),
    )
    expect([result.feed.title, only(result).id, only(result).authors[0]?.name]).toEqual(['t', '1', 'Ann'])
  })
})

describe('dates', () => {
  const published = (...dates: readonly string[]): readonly (string | null)[] =>
    rss(dates.map((date, i) => `<item><guid>${i}</guid><pubDate>${date}</pubDate></item>`).join('')).items.map(
      (item) => (item.published === null ? null : new Date(item.published).toISOString().slice(0, 16)),
    )

  it.each([
    ['Fri, 31 Mar 2023 20:19:00 America/Los_Angeles', '2023-04-01T03:19'],
    ['Fri, 31 Mar 2023 20:19:00 Europe/Nowhere', '2023-03-31T20:19'],
    ['Mon Jan 2 15:04:05 2006 EST', '2006-01-02T20:04'],
    ['Tue, 01/02/2005 10:00', '2005-02-01T10:00'],
    ['Sun, 01/02/2005 10:00', '2005-01-02T10:00'],
  ])('%s', (written, expected) => expect(published(written)).toEqual([expected]))

  it('day and month stand as in the other dates of the feed', () => {
    expect(published('02/03/2020', '25/03/2020')).toEqual(['2020-03-02T00:00', '2020-03-25T00:00'])
    expect(published('02/03/2020', '03/25/2020')).toEqual(['2020-02-03T00:00', '2020-03-25T00:00'])
    expect(published('02.03.2020', '03.25.2020')).toEqual(['2020-02-03T00:00', '2020-03-25T00:00'])
    expect(published('02/03/2020')).toEqual(['2020-02-03T00:00'])
  })

  it('one that cannot be read is reported', () => {
    const result = rss('<item><title>x</title><pubDate>the day before yesterday</pubDate></item>')
    expect(only(result).published).toBeNull()
    expect(result.problems).toMatchObject([{ code: 'bad-date', message: expect.stringContaining('yesterday') }])
  })
})

describe('charsets', () => {
  const twice = (text: string): Buffer => Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(text)))
  const document = (title: string) => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`

  it('UTF-8 that was encoded twice', () => {
    const result = parse(twice(document('Crème brûlée – “für” 2 €')))
    expect(result.feed.title).toBe('Crème brûlée – “für” 2 €')
    expect(codes(result)).toContain('double-encoded')
  })

  it('a document that is about it is left alone', () => {
    expect(parse(document('Why é becomes Ã©')).feed.title).toBe('Why é becomes Ã©')
  })

  it('whatever is beyond ASCII and encoded once stays', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zß-öø-ÿ\u0400-\u044f\u4e00-\u4eff ]{1,40}$/), (title) => {
        const result = parse(document(`x${title}x`))
        if (!codes(result).includes('double-encoded')) expect(result.feed.title).toBe(`x${title}x`)
        else expect(twice(result.feed.title ?? '').toString()).toBe(`x${title}x`)
      }),
    )
  })

  it.each([
    ['utf-7', '<?xml version="1.0" encoding="UTF-7"?>'],
    ['ibm037', '<?xml version="1.0" encoding="IBM037"?>'],
  ])('%s is refused by name', (name, declaration) => {
    const result = parse(declaration + document('t'))
    expect(result.format).toBe('unknown')
    expect(result.problems).toContainEqual(
      expect.objectContaining({ code: 'refused-charset', message: expect.stringContaining(name) }),
    )
  })

  it('UTF-7 named by the server is refused too', () => {
    expect(codes(parse(document('t'), 'text/xml; charset=utf-7'))).toContain('refused-charset')
  })
})
