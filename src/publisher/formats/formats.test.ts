import fc from 'fast-check'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { describe, expect, it } from 'vitest'
import { extent } from '../../../test/support/extent.ts'
import { readWithFeedparser, xmlErrors } from '../../../test/support/feed-readers.ts'
import { jsonFeedSchema } from '../../../test/support/json-feed-schema.ts'
import { first, present } from '../../../test/support/present.ts'
import { aFeed, aPublishedItem, hostileItem, NOON } from '../../../test/support/published-items.ts'
import { parseFeed } from '../../crawler/parse/parse.ts'
import { presentItems } from '../present.ts'
import { renderAtom } from './atom.ts'
import { renderJsonFeed } from './json-feed.ts'
import { renderRss } from './rss.ts'

const FORMATS = [
  ['RSS 2.0', renderRss, 'rss20'],
  ['Atom 1.0', renderAtom, 'atom10'],
] as const

const RICH = aPublishedItem({
  id: 'https://post.example/?p=12&x=1',
  title: 'Fish &amp; <em>Chips</em>',
  link: 'https://post.example/fish?a=1&b=2',
  published: NOON,
  authors: [{ name: 'Ann', email: 'ann@post.example', url: 'https://post.example/ann' }],
  categories: ['Food & Drink', 'London'],
  summary: 'A <b>short</b> word',
  content: '<p>The whole story</p><script>alert(1)</script>',
  enclosures: [{ url: 'https://post.example/fish.mp3', type: 'audio/mpeg', lengthBytes: 12_345 }],
  commentsUrl: 'https://post.example/fish#comments',
  language: 'en-GB',
  image: 'https://post.example/fish.jpg',
})

describe.each(FORMATS)('%s', (_name, render, version) => {
  it('shows a reader everything that an item has', async () => {
    const reading = first(await readWithFeedparser([render(aFeed([RICH]))]))
    expect(reading).toMatchObject({ bozo: false, xmlError: null, version, title: 'Everything' })
    const entry = first(reading.entries)
    expect(entry).toMatchObject({
      id: 'https://post.example/?p=12&x=1',
      title: 'Fish & Chips',
      link: 'https://post.example/fish?a=1&b=2',
      summary: 'A <b>short</b> word',
      tags: ['Food & Drink', 'London'],
      enclosures: ['https://post.example/fish.mp3'],
      source: 'The Daily Post',
    })
    expect(entry.author).toContain('Ann')
    expect(entry.content).toEqual(expect.arrayContaining(['<p>The whole story</p>']))
    expect(new Date(present(entry.published)).getTime()).toBe(NOON)
  })

  it('says what it is about, in a way that we read again ourselves', () => {
    const about = ['R&D', 'Technology']
    const xml = render(aFeed([RICH], { categories: about }))
    expect(parseFeed(Buffer.from(xml)).feed.categories).toEqual(about)
  })

  it('declares what some entry needs, wherever it stands', () => {
    const plain = aPublishedItem({ id: 'plain', title: 'Plain' })
    for (const items of [[RICH, plain], [plain, RICH], [plain]]) {
      const xml = render(aFeed(items))
      expect(xmlErrors([xml])).toEqual([null])
      expect(xml.includes('xmlns:media=')).toBe(items.includes(RICH))
      const declared = xml.match(/xmlns:\w+=/g) ?? []
      expect(declared).toEqual([...new Set(declared)])
    }
  })

  it('is the same whether its entries were written before, for another feed, or now', () => {
    const items = [RICH, ...fc.sample(hostileItem, { numRuns: 20, seed: 3 })]
    const known = presentItems(items)
    render(aFeed(items, { title: 'Before' }), () => [...known].reverse())
    expect(render(aFeed(items), () => known)).toBe(render(aFeed(items), () => structuredClone(known)))
  })

  it('is the same, byte for byte, however often it is rendered', () => {
    expect(render(aFeed([RICH]))).toBe(render(aFeed([RICH])))
  })

  it('is valid without any item', async () => {
    const [reading] = await readWithFeedparser([render(aFeed([]))])
    expect(reading).toMatchObject({ bozo: false, xmlError: null, version, entries: [] })
  })

  it('holds ids without white space around them, also where they contain &', () => {
    const found =
      /<(?:guid|id)[^>]*>(?:<!\[CDATA\[)?https:\/\/post\.example\/\?p=12(?:&amp;|&)x=1(?:\]\]>)?<\/(?:guid|id)>/
    expect(render(aFeed([RICH]))).toMatch(found)
  })

  it('leaves links and attributes with &apos; as they are', () => {
    const link = 'https://a.example/?x=1&apos;=2'
    const content = "<p title='a&apos; onclick=&apos;alert(1)'>text</p>"
    const xml = render(aFeed([aPublishedItem({ link, content })]))
    expect(xml).toMatch(/\?x=1&(amp;)?apos;=2/)
    expect(xml).not.toMatch(/'\s*onclick='/)
  })

  it.each([
    ['text that looks like a tag', 'The &lt;b&gt; element', 'The <b> element'],
    ['a generic type', 'List<T> in depth', 'List<T> in depth'],
    ['a lone ampersand', 'AT&T', 'AT&T'],
    ['a reference spelt out', 'Write &amp;apos; here', 'Write &apos; here'],
    ['a reference inside text', 'Write &amp;amp; for &amp;', 'Write &amp; for &'],
    ['line breaks', ' one\n\ttwo<br>three ', 'one two three'],
    ['a script', 'a<script>alert(1)</script>b', 'ab'],
    ['control characters', 'a\u0000\u0008b\uFFFFc', 'abc'],
    ['half a surrogate pair', 'a\uD83Db', 'ab'],
    ['the end of CDATA', 'a ]]> b', 'a ]]> b'],
    ['an emoji', 'smile \u{1F600}', 'smile \u{1F600}'],
  ])('shows a title with %s as plain text', async (_what, title, expected) => {
    const xml = render(aFeed([aPublishedItem({ title, link: 'https://a.example/' })]))
    expect(titleAsShown(xml)).toBe(expected)
  })

  it('is well-formed and read without complaint whatever the items hold', async () => {
    const feeds = fc.sample(fc.array(hostileItem, { minLength: 1, maxLength: 6 }), {
      numRuns: extent(60, 150),
      seed: 7,
    })
    const documents = feeds.map((items) => render(aFeed(items)))
    const readings = await readWithFeedparser(documents)
    const wrong = readings.flatMap(({ bozo, problem, xmlError }, i) =>
      bozo || xmlError ? [{ i, problem, xmlError }] : [],
    )
    expect(wrong).toEqual([])
    const idLists = readings.map(({ entries }) => entries.map((entry) => entry.id))
    for (const ids of idLists) expect(new Set(ids).size).toBe(ids.length)
    expect(idLists).toEqual(feeds.map((items) => idsOf(JSON.parse(renderJsonFeed(aFeed(items))))))
  })

  it('is well-formed for thousands of hostile items', () => {
    const documents = fc.sample(fc.array(hostileItem, { maxLength: 3 }), 1_000).map((items) => render(aFeed(items)))
    const wrong = xmlErrors(documents).flatMap((error, i) =>
      error === null ? [] : [{ error, document: documents[i] }],
    )
    expect(wrong).toEqual([])
  })

  it('stays small enough to read when items are gigantic', async () => {
    const content = `<p>${'word '.repeat(200_000)}</p>`
    const items = Array.from({ length: 30 }, (_, i) => aPublishedItem({ seq: i + 1, title: `t${i}`, content }))
    const xml = render(aFeed(items))
    expect(xml.length).toBeLessThan(12_000_000)
    const reading = first(await readWithFeedparser([xml]))
    expect(reading).toMatchObject({ bozo: false, xmlError: null })
    expect(reading.entries).toHaveLength(30)
  })
})

describe('RSS 2.0', () => {
  it('gives every item a title or a description', () => {
    fc.assert(
      fc.property(hostileItem, (item) => {
        const rssItem = first(present(parseRssFeed(renderRss(aFeed([item]))).items))
        expect(rssItem.title ?? rssItem.description).toBeTruthy()
        expect(rssItem.guid).toMatchObject({ isPermaLink: false })
      }),
      { numRuns: extent(120, 300) },
    )
  })

  it('names its own address, and escapes titles that readers would take for HTML once more', () => {
    const xml = renderRss(aFeed([aPublishedItem({ title: '&lt;b&gt; explained' })]))
    expect(xml).toContain('<atom:link href="http://127.0.0.1:8080/feeds/all.rss" rel="self"')
    expect(xml).toContain('<title><![CDATA[&lt;b&gt; explained]]></title>')
    expect(renderAtom(aFeed([aPublishedItem({ title: '&lt;b&gt; explained' })]))).toContain('<![CDATA[<b> explained]]>')
  })
})

describe('Atom 1.0', () => {
  it('gives every entry id, title, updated, an author with a name, and a link or content (RFC 4287 §4.1.2)', () => {
    fc.assert(
      fc.property(hostileItem, (item) => {
        const entry = first(present(parseAtomFeed(renderAtom(aFeed([item]))).entries))
        expect(entry).toMatchObject({ id: expect.anything(), title: { value: expect.anything() } })
        expect(entry.updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(entry.authors?.every((author) => author.name)).toBe(true)
        expect(entry.content !== undefined || entry.links?.some(({ rel }) => rel === 'alternate')).toBe(true)
      }),
      { numRuns: extent(120, 300) },
    )
  })
})

describe('JSON Feed 1.1', () => {
  it('keeps to the specification whatever the items hold', () => {
    fc.assert(
      fc.property(fc.array(hostileItem, { maxLength: 4 }), (items) => {
        jsonFeedSchema.parse(JSON.parse(renderJsonFeed(aFeed(items))))
      }),
      { numRuns: extent(400, 1_000) },
    )
  })

  it('shows everything that an item has', () => {
    const [item] = jsonFeedSchema.parse(JSON.parse(renderJsonFeed(aFeed([RICH])))).items
    expect(item).toMatchObject({
      id: 'https://post.example/?p=12&x=1',
      title: 'Fish & Chips',
      url: 'https://post.example/fish?a=1&b=2',
      summary: 'A short word',
      content_html: '<p>The whole story</p>',
      tags: ['Food & Drink', 'London'],
      authors: [{ name: 'Ann', url: 'https://post.example/ann' }],
      attachments: [{ url: 'https://post.example/fish.mp3', mime_type: 'audio/mpeg', size_in_bytes: 12_345 }],
      language: 'en-GB',
      date_published: '2024-05-17T12:00:00.000Z',
    })
  })
})

function idsOf(document: { items: { id: string }[] }): string[] {
  return document.items.map((item) => item.id)
}

/** As a reader shows it: RSS titles are read as HTML by readers, Atom titles of type text are not. */
function titleAsShown(xml: string): string {
  const item = present(/<(?:item|entry)>([\s\S]*?)<\/(?:item|entry)>/.exec(xml)?.[1])
  const own = item.replace(/<source[\s\S]*<\/source>/, '')
  const inner = present(/<title[^>]*>([\s\S]*?)<\/title>/.exec(own)?.[1])
  const isCdata = inner.startsWith('<![CDATA[')
  const text = isCdata ? inner.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1') : decode(inner)
  return xml.includes('<rss') ? decode(text) : text
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
