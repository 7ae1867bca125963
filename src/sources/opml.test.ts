import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parseOpml } from 'feedsmith'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { type OpmlSource, readOpml, writeOpml } from './opml.ts'

const opml = (body: string, head = '') =>
  `<?xml version="1.0"?><opml version="2.0"><head>${head}</head><body>${body}</body></opml>`
const feed = (url: string, rest = '') => `<outline type="rss" text="${url}" xmlUrl="${url}" ${rest}/>`
const categories = (body: string) => readOpml(opml(body)).entries.map((entry) => entry.categories)
const NOW = Date.UTC(2024, 0, 1)

describe('reading', () => {
  it('takes address, name, site and folder', () => {
    const list = readOpml(
      opml(
        `<outline text="News"><outline text="Science">
           <outline type="rss" text="Nature" title="No" xmlUrl=" https://n.example/feed " htmlUrl="https://n.example/"/>
         </outline></outline>`,
        '<title> My feeds </title>',
      ),
    )
    expect(list).toEqual({
      title: 'My feeds',
      entries: [
        { url: 'https://n.example/feed', name: 'Nature', siteUrl: 'https://n.example/', categories: ['News/Science'] },
      ],
      pages: [],
      lists: [],
      problems: [],
    })
  })

  it('makes one entry of a feed in several folders', () => {
    const body = `<outline text="B">${feed('https://x/')}</outline><outline text="A">${feed('https://x/')}</outline>`
    expect(categories(body)).toEqual([['A', 'B']])
  })

  it('adds the category attribute', () => {
    expect(categories(feed('https://x/', 'category="tech, /a/b , //,c / d "'))).toEqual([['a/b', 'c/d', 'tech']])
  })

  it('ends a folder with its element', () => {
    expect(categories(`<outline text="A">${feed('https://x/')}</outline>${feed('https://y/')}`)).toEqual([['A'], []])
  })

  it('nests feeds that hold outlines without taking their names for folders', () => {
    const body = `<outline text="A"><outline text="F" xmlUrl="https://x/"><outline text="G" xmlUrl="https://y/"/></outline></outline>`
    expect(categories(body)).toEqual([['A'], ['A']])
  })

  it.each([
    ['upper case', '<OPML><BODY><OUTLINE TEXT="a" XMLURL="https://x/"/></BODY></OPML>'],
    ['no end', '<opml><body><outline text="a" xmlUrl="https://x/"/>'],
    ['cut within a tag', `${opml(feed('https://x/')).slice(0, -14)}<outline xmlUrl="https://y`],
    ['unescaped ampersand', '<opml><body><outline text="R&D" xmlUrl="https://x/"/></body></opml>'],
    ['no quotes', '<opml><body><outline text=a xmlUrl=https://x/ ></outline></body></opml>'],
    ['rubbish before', `HTTP/1.1 200 OK\n\n${opml(feed('https://x/'))}`],
    ['unknown namespace', '<opml xmlns:z="u"><z:q/><body><outline xmlUrl="https://x/" z:a="1"/></body></opml>'],
  ])('forgives: %s', (_, text) => {
    const list = readOpml(text)
    expect(list.entries.map(({ url }) => url)).toEqual(['https://x/'])
    expect(list.problems).toEqual([])
  })

  it('keeps addresses with ampersands whole, escaped or not', () => {
    for (const url of ['https://x/?a=1&amp;copy=2', 'https://x/?a=1&copy=2']) {
      expect(readOpml(opml(feed(url))).entries[0]?.url).toBe('https://x/?a=1&copy=2')
    }
  })

  it('finds the feed behind quotes and tags in a description', () => {
    const broken =
      '<outline text="F" description="by <a href="https://a/">me</a>." xmlUrl="https://f/?a&amp;b" type="rss" />'
    const body = `<outline text="A">${broken}${feed('https://x/')}</outline>${feed('https://y/')}`
    expect(readOpml(opml(body)).entries).toEqual([
      { url: 'https://f/?a&b', name: 'F', siteUrl: null, categories: ['A'] },
      { url: 'https://x/', name: null, siteUrl: null, categories: ['A'] },
      { url: 'https://y/', name: null, siteUrl: null, categories: [] },
    ])
  })

  it('knows the entities of HTML', () => {
    expect(readOpml(opml('<outline text="Caf&eacute;" xmlUrl="https://x/"/>')).entries[0]?.name).toBe('Café')
  })

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'iso-8859-1'])('decodes %s', (charset) => {
    const text = charset === 'windows-1251' ? 'Новости' : 'Café'
    const document = `<?xml version="1.0" encoding="${charset}"?><opml><body><outline text="${text}" xmlUrl="https://x/"/></body></opml>`
    for (const addBOM of charset.startsWith('utf-16') ? [true, false] : [false]) {
      expect(readOpml(iconv.encode(document, charset, { addBOM })).entries[0]?.name).toBe(text)
    }
  })

  it('says what it could not take', () => {
    const list = readOpml(opml('<outline text="Site" htmlUrl="https://x/"/><outline type="include" url="https://l/"/>'))
    expect(list.problems.map(({ code }) => code)).toEqual(['no-feed-address', 'included-list'])
    expect(readOpml('<html><body>no</body></html>').problems.map(({ code }) => code)).toEqual(['not-a-list'])
    expect(readOpml('').problems.map(({ code }) => code)).toEqual(['not-a-list'])
  })

  it('reads the tabs of iGoogle', () => {
    const text = `<GadgetTabML><Tab title="Home"><Section><Module type="RSS">
      <ModulePrefs title="x" xmlUrl="https://x/"/></Module></Section></Tab></GadgetTabML>`
    expect(readOpml(text).entries).toEqual([{ url: 'https://x/', name: 'x', siteUrl: null, categories: ['Home'] }])
  })

  it('stops at absurd depth with what it has', () => {
    const list = readOpml(`${opml(feed('https://x/')).slice(0, -14)}${'<outline text="a">'.repeat(50_000)}`)
    expect(list.entries).toHaveLength(1)
    expect(list.problems.map(({ code }) => code)).toEqual(['too-deep'])
  })

  it('never throws', () => {
    const piece = fc.constantFrom(
      '<opml>',
      '<body>',
      '<outline ',
      'xmlUrl="',
      'https://x/',
      '"',
      '>',
      '/>',
      '</outline>',
      '<rdf:RDF>',
    )
    const foaf = fc.constantFrom(
      '<foaf:Group>',
      '</foaf:Group>',
      '<foaf:Agent>',
      '</foaf:Agent>',
      '<foaf:name>',
      'x',
      '</foaf:name>',
    )
    const soup = fc.array(fc.oneof(piece, foaf), { maxLength: 30 }).map((list) => list.join(''))
    fc.assert(fc.property(soup, (text) => Array.isArray(readOpml(text).entries)))
    fc.assert(fc.property(fc.uint8Array(), (bytes) => Array.isArray(readOpml(bytes).entries)))
  })
})

describe('round trip', () => {
  const word = fc
    .stringMatching(/^[A-Za-zéЖ中&<>"'\u2215,;.#%+ -]{1,12}$/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
  const name = fc
    .oneof(
      word,
      word.map((text) => `${text}/x`),
    )
    .filter((text) => text !== '')
  const path = fc
    .array(
      word.filter((text) => text !== ''),
      { minLength: 1, maxLength: 4 },
    )
    .map((steps) => steps.join('/'))
  const url = fc.webUrl({ withQueryParameters: true })
  const source: fc.Arbitrary<OpmlSource> = fc.record({
    url,
    name: fc.option(name),
    siteUrl: fc.option(url),
    categories: fc.uniqueArray(path, { maxLength: 3 }).map((list) => list.sort()),
  })
  const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1)

  it('returns what was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(source, { selector: (one) => one.url, maxLength: 12 }), name, (sources, title) => {
        const list = readOpml(writeOpml(sources, title, NOW))
        expect(list.title).toBe(title)
        expect(list.problems).toEqual([])
        expect([...list.entries].sort(byUrl)).toEqual([...sources].sort(byUrl))
      }),
    )
  })

  it('keeps a folder whose name holds a slash one folder', () => {
    const before = opml(`<outline text="TCP/IP"><outline text="Routing">${feed('https://x/')}</outline></outline>`)
    const list = readOpml(before)
    expect(list.entries[0]?.categories).toEqual(['TCP\u2215IP/Routing'])
    const after = writeOpml(list.entries, 'x', NOW)
    expect(after).toContain('text="TCP/IP"')
    expect(readOpml(after).entries).toEqual(list.entries)
  })

  it('is read the same by another parser', () => {
    const text = writeOpml(
      [{ url: 'https://x/', name: 'A & "B"', siteUrl: null, categories: ['N/S', 'T'] }],
      'List',
      NOW,
    )
    const parsed = parseOpml(text)
    expect(parsed.head?.title).toBe('List')
    expect(parsed.body?.outlines?.map((outline) => outline.text)).toEqual(['N', 'T'])
    expect(parsed.body?.outlines?.[1]?.outlines?.[0]).toMatchObject({
      text: 'A & "B"',
      type: 'rss',
      xmlUrl: 'https://x/',
    })
  })

  it('leaves out what XML cannot hold', () => {
    const sources = [{ url: 'https://x/', name: 'a\x00b\ud800c\uffff', siteUrl: null, categories: [] }]
    expect(readOpml(writeOpml(sources, '', NOW)).entries[0]?.name).toBe('ab\ufffdc')
  })
})

const LISTS = new URL('../../../shared/corpora/', import.meta.url)

describe.skipIf(!existsSync(LISTS))('real lists (skipped where ../shared/corpora is absent)', () => {
  it.each([
    ['web-dev-feeds/feeds.opml', 100],
    ['awesome-tech-rss/feeds.opml', 100],
    ['awesome-rss-feeds/recommended/with_category/News.opml', 10],
  ])('%s', (file, atLeast) => {
    const list = readOpml(readFileSync(new URL(file, LISTS)))
    expect(list.entries.length).toBeGreaterThanOrEqual(atLeast)
    expect(readOpml(writeOpml(list.entries, 'x', NOW)).entries).toHaveLength(list.entries.length)
  })
})
