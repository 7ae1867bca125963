import { describe, expect, it } from 'vitest'
import type { ParsedItem, ParseResult } from '../../model/index.ts'
import { decodeWindows1252 } from '../../text/charset/charset-names.ts'
import { parseFeed } from './parse.ts'

// Unusual ways of writing a feed, clause by clause, as strangers write it.

const parse = (document: string | Uint8Array, contentType: string | null = null): ParseResult =>
  parseFeed(typeof document === 'string' ? Buffer.from(document) : document, {
    contentType,
    url: 'https://host.example/f',
  })

const codes = (result: ParseResult): readonly string[] => result.problems.map(({ code }) => code)
const atom = (inside: string): ParseResult => parse(`<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`)
const RSS = '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">'
const rss = (inside: string): ParseResult => parse(`${RSS}<channel>${inside}</channel></rss>`)
const rssItem = (inside: string): ParsedItem => only(rss(`<item><title>x</title>${inside}</item>`))
const json = (members: object): ParseResult =>
  parse(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 't', ...members }))
const only = (result: ParseResult): ParsedItem => {
  expect(result.items).toHaveLength(1)
  return result.items[0] as ParsedItem
}
const names = ({ authors }: ParsedItem) => authors.map(({ name }) => name)
const escapeMarkup = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

describe('who wrote an entry that does not say', () => {
  const of = (name: string) => `<author><name>${name}</name></author>`
  it.each([
    ['several of the feed', `${of('A')}${of('B')}<entry/>`, ['A', 'B']],
    ['several of the source', `<entry><source>${of('A')}${of('B')}</source></entry>`, ['A', 'B']],
    ['a source without one', `${of('A')}<entry><source><title>s</title></source></entry>`, ['A']],
    ['a contributor is no author', `${of('A')}<entry><contributor><name>C</name></contributor></entry>`, ['A']],
    ['an empty one', `${of('A')}<entry><author/></entry>`, ['A']],
    ['a blank name', `${of('A')}<entry><author><name> </name></author></entry>`, ['A']],
    ['a mail address is one', `${of('A')}<entry><author><email>e@x.example</email></author></entry>`, [null]],
  ])('Atom: %s', (_, inside, expected) => expect(names(only(atom(inside)))).toEqual(expected))

  it.each([
    ['editor', '<managingEditor>e@x.example (A)</managingEditor>'],
    ['dc:creator', '<dc:creator>A</dc:creator>'],
    ['atom:author', '<atom:author><atom:name>A</atom:name></atom:author>'],
    ['webmaster', '<webMaster>w@x.example (A)</webMaster>'],
  ])('RSS: the channel has %s', (_, inside) =>
    expect(names(only(rss(`${inside}<item><title>x</title></item>`)))).toEqual(['A']),
  )

  it('RSS with atom:source', () => {
    const source =
      '<atom:source><atom:title>S</atom:title><atom:author><atom:name>A</atom:name></atom:author></atom:source>'
    expect(names(rssItem(source))).toEqual(['A'])
  })

  it('JSON Feed', () => {
    const { items } = json({ authors: [{ name: 'F' }], items: [{ id: '1' }, { id: '2', author: { name: 'O' } }] })
    expect(items.map(names)).toEqual([['F'], ['O']])
  })
})

describe('plain text distinguished from HTML', () => {
  const title = (written: string, type = 'text') =>
    atom(`<entry><title type="${type}">${escapeMarkup(written)}</title></entry>`)
  it.each([
    'The <title> element',
    'The <p> and </p> tags',
    'how to use <a>, </a>',
    'the <b>…</b> element',
    'List<String> and Map<K, V>',
    'if a<b and c>d',
    '<3',
    '<script>alert(1)</script>',
    'a <b> c',
    'write &amp; for an ampersand',
    'Tom &lt;3 Jerry',
  ])('stays to the letter: %s', (written) => {
    const result = title(written)
    expect(visibleText(only(result).title ?? '')).toBe(written)
    expect(codes(result)).toEqual([])
  })

  it.each([
    '<p>Hi</p>',
    '<P>Hi</P>',
    'one<br>two',
    '<b>bold</b> words',
    '<ul><li>x</ul>',
    '<img src="https://x.example/a.png">',
    '<article>x</article>',
    'don&#39;t',
    'a &mdash; b',
    'x&nbsp;y',
    'caf&eacute;',
  ])('is HTML under a wrong label: %s', (written) => {
    for (const type of ['text', 'TEXT', 'text/plain']) {
      const result = title(written, type)
      expect(only(result).title).toBe(written)
      expect(codes(result)).toEqual(['mislabelled-html'])
    }
  })

  it('XHTML that is escaped HTML', () => {
    const result = atom('<entry><content type="xhtml">&lt;p&gt;Hi&lt;/p&gt;</content></entry>')
    expect(only(result).content).toBe('<p>Hi</p>')
    expect(codes(result)).toEqual(['mislabelled-html'])
    const real = atom('<entry><content type="xhtml"><div>write &lt;b&gt;x&lt;/b&gt;</div></content></entry>')
    expect(only(real).content).toBe('write &lt;b&gt;x&lt;/b&gt;')
  })

  it('titles of JSON Feed are text', () => {
    expect(only(json({ items: [{ id: '1', title: 'a <b> c' }] })).title).toBe('a &lt;b> c')
  })
})

/** What a browser shows of HTML without elements. */
function visibleText(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

describe('addresses that are none', () => {
  it.each(['', ' ', '\n', 'http://', 'https://'])('%j', (url) => {
    const links = `<link href="${url}"/><link rel="enclosure" href="${url}"/><link rel="related" href="${url}"/>`
    for (const item of [
      only(atom(`<entry xml:base="https://b.example/"><id>1</id>${links}</entry>`)),
      rssItem(`<link>${url}</link><enclosure url="${url}" type="audio/mpeg"/><comments>${url}</comments>`),
      only(json({ items: [{ id: '1', url, external_url: url, attachments: [{ url, mime_type: 'audio/mpeg' }] }] })),
    ]) {
      expect([item.link || null, item.enclosures, item.commentsUrl]).toEqual([null, [], null])
    }
  })

  it('the next good one counts', () => {
    expect(only(atom('<entry><link href=""/><link href="/a"/></entry>')).link).toBe('https://host.example/a')
  })

  it.each([
    '0',
    '12',
    '1,234',
    '5 comments',
    'No comments',
    'none',
    'true',
    '-',
    'N/A',
    '#comments',
    '?',
    'javascript:alert(1)',
    'mailto:a@x.example',
    'Great post.Really',
  ])('comments: %s', (written) => expect(rssItem(`<comments>${written}</comments>`).commentsUrl).toBeNull())

  it.each([
    ['//x.example/c', 'https://x.example/c'],
    ['12.html', 'https://host.example/12.html'],
    ['post/1', 'https://host.example/post/1'],
    ['?p=1#comments', 'https://host.example/f?p=1#comments'],
    ['www.x.example/c', 'https://www.x.example/c'],
    ['HTTP://X.EXAMPLE/C', 'HTTP://X.EXAMPLE/C'],
  ])('comments: %s is one', (written, url) => expect(rssItem(`<comments>${written}</comments>`).commentsUrl).toBe(url))
})

describe('relations', () => {
  const IANA = 'www.iana.org/assignments'
  it.each([
    `http://${IANA}/relation/alternate`,
    `https://${IANA}/relation/alternate`,
    `http://${IANA}/link-relations/alternate`,
    `http://${IANA}/link-relations.html#alternate`,
    `https://${IANA}/link-relations/link-relations.xhtml#alternate`,
    'HTTP://WWW.IANA.ORG/assignments/relation/Alternate',
    'http://iana.org/assignments/relation/alternate',
    ' Alternate ',
    'alternate home',
    '',
  ])('%s is a page', (rel) => {
    expect(only(atom(`<entry><link rel="${rel}" href="/a"/></entry>`)).link).toBe('https://host.example/a')
  })

  it.each(['http://example.org/rel', 'http://www.iana.org/assignments/relation/edit', 'edit'])('%s is none', (rel) => {
    expect(only(atom(`<entry><link rel="${rel}" href="/a"/></entry>`)).link).toBeNull()
  })

  it('enclosure, self and hub by address', () => {
    const rel = (name: string) => `http://${IANA}/relation/${name}`
    const item = only(atom(`<entry><link rel="${rel('enclosure')}" href="/a.mp3"/></entry>`))
    expect(item.enclosures.map(({ url }) => url)).toEqual(['https://host.example/a.mp3'])
    const { hints } = rss(`<atom:link rel="${rel('self')}" href="/s"/><atom:link rel="${rel('hub')}" href="/h"/>`).feed
    expect([hints.selfUrl, hints.hubs]).toEqual(['https://host.example/s', ['https://host.example/h']])
  })
})

describe('vocabularies where they do not belong', () => {
  const A = 'http://www.w3.org/2005/Atom'
  const entry = '<a:entry><a:id>1</a:id><a:title>t</a:title><a:category term="c"/></a:entry>'
  it.each([
    ['an unprefixed root', `<feed xmlns:a="${A}">${entry}</feed>`],
    ['a root of another namespace', `<feed xmlns="http://x.example/" xmlns:a="${A}">${entry}</feed>`],
    ['an RSS channel', `<rss version="2.0" xmlns:a="${A}"><channel>${entry}</channel></rss>`],
    ['Atom 0.3', `<feed version="0.3" xmlns:a="http://purl.org/atom/ns#">${entry}</feed>`],
    [
      'a default of another namespace',
      `<feed xmlns="${A}"><entry xmlns="http://x.example/" xmlns:a="${A}"><a:id>1</a:id><a:title>t</a:title><a:category term="c"/></entry></feed>`,
    ],
    ['prefixes that are not declared', `<feed>${entry.replaceAll('a:', 'atom:')}</feed>`],
  ])('Atom with prefixes under %s', (_, document) => {
    expect(only(parse(document))).toMatchObject({ id: '1', title: 't', categories: ['c'] })
  })

  it('Atom in an RSS item', () => {
    const item = only(
      rss(`<item><atom:id>1</atom:id><atom:title>t</atom:title><atom:link href="/a"/><atom:summary type="html">&lt;b>s&lt;/b></atom:summary>
      <atom:published>2020-01-01T00:00:00Z</atom:published><atom:updated>2020-01-02T00:00:00Z</atom:updated><atom:category term="c"/>
      <atom:author><atom:name>A</atom:name></atom:author><atom:link rel="enclosure" href="/e.mp3" type="audio/mpeg" length="5"/></item>`),
    )
    expect(item).toMatchObject({ id: '1', title: 't', link: 'https://host.example/a', summary: '<b>s</b>' })
    expect(item).toMatchObject({ published: Date.UTC(2020, 0, 1), updated: Date.UTC(2020, 0, 2), categories: ['c'] })
    expect([names(item), item.enclosures[0]?.lengthBytes]).toEqual([['A'], 5])
  })

  it('what RSS says itself comes first', () => {
    const item = rssItem(
      '<atom:title>other</atom:title><guid>g</guid><atom:id>i</atom:id><link>http://x.example/</link><atom:link href="/o"/>',
    )
    expect(item).toMatchObject({ title: 'x', id: 'g', link: 'http://x.example/' })
  })

  it('a slip in the address of a namespace', () => {
    const item = only(
      parse(
        '<rss version="2.0" xmlns:content="http://x.example/" xmlns:dc="http://x.example/dc"><channel><item><dc:creator>A</dc:creator><content:encoded>C</content:encoded></item></channel></rss>',
      ),
    )
    expect([names(item), item.content]).toEqual([['A'], 'C'])
    const rdf = parse(
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x.example/"><channel><title>c</title></channel><item rdf:about="i"><title>t</title></item></rdf:RDF>',
    )
    expect([rdf.feed.title, only(rdf).title]).toEqual(['c', 't'])
  })

  it.each([
    ['<categories><category>a</category><category>b c</category></categories>', ['a', 'b c']],
    [
      '<categories>\n<category> a </category><category/><category><![CDATA[b, c]]></category>\n</categories>',
      ['a', 'b, c'],
    ],
    ['<categories><category term="a"/><category domain="x">b</category></categories>', ['a', 'b']],
    ['<category>z</category><categories><category>a</category></categories>', ['z', 'a']],
    ['<categories>a, b c</categories>', ['a', 'b c']],
    ['<tags><tag>a</tag><tag>b</tag></tags>', ['a', 'b']],
    ['<category term="a"/>', ['a']],
  ])('%s', (written, categories) => {
    expect(rssItem(written).categories).toEqual(categories)
    expect(only(atom(`<entry>${written}</entry>`)).categories.slice(0, 1)).toEqual(
      written.startsWith('<tags') ? [] : categories.slice(0, 1),
    )
  })

  const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
  const item = '<item rdf:about="http://x.example/1"><title>one</title></item>'
  it.each([
    [
      'as it should be',
      `<Channel xmlns="http://purl.org/net/rss1.1#" ${RDF} rdf:about="http://x.example/f" xml:lang="en"><title>t</title><items>${item}</items></Channel>`,
    ],
    [
      'in rdf:RDF',
      `<rdf:RDF xmlns="http://purl.org/net/rss1.1#" ${RDF} xml:lang="en"><Channel rdf:about="http://x.example/f"><title>t</title><items>${item}</items></Channel></rdf:RDF>`,
    ],
    [
      'without a list',
      `<Channel xmlns="http://purl.org/net/rss1.1" ${RDF} rdf:about="http://x.example/f" xml:lang="en"><title>t</title>${item}</Channel>`,
    ],
  ])('RSS 1.1 %s', (_, document) => {
    const result = parse(document)
    expect([result.format, result.feed.id, result.feed.title, result.feed.language]).toEqual([
      'rss-1.1',
      'http://x.example/f',
      't',
      'en',
    ])
    expect(only(result)).toMatchObject({ id: 'http://x.example/1', title: 'one' })
  })

  it.each([
    [{ author: 'A' }],
    [{ author: ['A'] }],
    [{ author: [{ name: 'A' }] }],
    [{ authors: 'A' }],
    [{ authors: { name: 'A' } }],
    [{ authors: [null, { name: '' }, { Name: 'A' }] }],
    [{ AUTHORS: [{ NAME: '<b>A</b>' }] }],
  ])('JSON Feed: %j', (members) => expect(names(only(json({ items: [{ id: '1', ...members }] })))).toEqual(['A']))

  it.each([
    [{ Content_HTML: '<p>x</p>', Date_Published: '2020-01-01', Tags: ['a'] }],
    [{ content_HTML: '<p>x</p>', dATE_published: '2020-01-01T00:00:00Z', TAGS: 'a' }],
    [{ contentHtml: '<p>x</p>', datePublished: 1_577_836_800, tags: 'a' }],
    [{ content_html: '<p>x</p>', CONTENT_HTML: 'other', date_published: 1_577_836_800_000, tags: 'a, a' }],
  ])('JSON Feed: %j', (members) => {
    const item = only(json({ Items: [{ ID: '1', ...members }] }))
    expect(item).toMatchObject({ id: '1', content: '<p>x</p>', published: Date.UTC(2020, 0, 1), categories: ['a'] })
  })
})

describe('names of authors', () => {
  it.each([
    ['<a href="/u">Ann</a>', 'Ann'],
    ['By <b>Ann</b>, <i>Bo</i>', 'By Ann, Bo'],
    ['<a href="/a">Ann</a><a href="/b">Bo</a>', 'Ann Bo'],
    ['Ann<br/>Bo', 'Ann Bo'],
    ['<script>x</script>Ann', 'Ann'],
    ['<!-- c -->Ann', 'Ann'],
    ['<span class="x>y">Ann</span>', 'Ann'],
    ['O&#39;Neil &amp; Bo', "O'Neil & Bo"],
    ['Ann  \n Lee', 'Ann Lee'],
    ['A < B', 'A < B'],
    ['<Ann>', '<Ann>'],
  ])('%s', (written, name) => {
    expect(names(rssItem(`<dc:creator><![CDATA[${written}]]></dc:creator>`))).toEqual([name])
    expect(names(rssItem(`<author>${escapeMarkup(written)}</author>`))).toEqual([name])
    expect(names(only(atom(`<entry><author><name>${escapeMarkup(written)}</name></author></entry>`)))).toEqual([name])
    expect(names(only(json({ items: [{ id: '1', author: { name: written } }] })))).toEqual([name])
  })
})

describe('srcset', () => {
  it.each([
    ['a.png', 'https://b.example/p/a.png'],
    ['a.png 1x,b.png 2x', 'https://b.example/p/a.png 1x,https://b.example/p/b.png 2x'],
    ['a,b.png 1x, //c.example/d.png', 'https://b.example/p/a,b.png 1x, https://c.example/d.png'],
    ['data:image/png;base64,AA= 1x, /a.png 2x', 'data:image/png;base64,AA= 1x, https://b.example/a.png 2x'],
    ['?w=1,2 100w, b.png 1.5x', 'https://b.example/p/?w=1,2 100w, https://b.example/p/b.png 1.5x'],
  ])('%s', (set, resolved) => {
    for (const name of ['srcset=', 'srcset = ', 'SRCSET=']) {
      const html = `<source ${name}"${set}">`
      const item = only(
        atom(`<entry xml:base="https://b.example/p/"><content type="html">${escapeMarkup(html)}</content></entry>`),
      )
      expect(item.content).toBe(`<source ${name}"${resolved}">`)
    }
  })
})

describe('charsets', () => {
  const document = (title: string, encoding = 'UTF-8') =>
    `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>${title}</title></channel></rss>`
  // Node 20's TextDecoder takes windows-1252 for ISO 8859-1.
  const twice = (text: string): string => decodeWindows1252(Buffer.from(text))
  const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1')

  it.each(['Crème – “für” 2 €', 'Привет мир', '日本語テキスト', 'x 😀 y', '20 °C', '© x'])('doubled: %s', (title) => {
    for (const doubled of [twice(document(title)), asLatin1(document(title)), twice(twice(document(title)))]) {
      const result = parse(Buffer.from(doubled))
      expect(result.feed.title).toBe(title)
      expect(codes(result)).toEqual(['double-encoded'])
    }
    expect(parse(Buffer.from(twice(`\ufeff${document(title)}`))).feed.title).toBe(title)
  })

  it.each(['São', 'JOÃO', 'NESCAFÉ®', 'Ö™', 'Ä®', 'why é becomes Ã©'])('encoded once: %s', (title) => {
    const result = parse(document(title))
    expect([result.feed.title, codes(result)]).toEqual([title, []])
  })

  it.each([
    ...['UTF-7', 'utf7', 'utf_7', 'unicode-1-1-utf-7', 'csUnicode11UTF7', 'x-utf-7', 'utf-7-imap'],
    ...[
      'IBM037',
      'cp037',
      'IBM-1047',
      'CCSID01140',
      'IBM01141',
      'csIBM273',
      'cp1148',
      'EBCDIC-CP-US',
      'ebcdic',
      'CP870',
    ],
  ])('%s is refused by name', (name) => {
    for (const result of [parse(document('t', name)), parse(document('t'), `text/xml; charset=${name}`)]) {
      expect(result.format).toBe('unknown')
      expect(result.problems[0]).toMatchObject({
        code: 'refused-charset',
        message: expect.stringContaining(name.toLowerCase()),
      })
    }
  })

  it.each(['IBM437', 'cp850', 'cp1252', 'IBM866', 'cp932', 'cp949', 'windows-1251'])('%s is read', (name) => {
    expect(parse(document('t', name)).feed.title).toBe('t')
  })

  it.each([
    ['utf-7', Buffer.from('+ADw-?xml version=+ACI-1.0+ACI-?+AD4-')],
    ['utf-7', Buffer.from('+/v8-<rss/>')],
    ['ebcdic', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x40])],
    ['ebcdic', Buffer.from([0x4c, 0x99, 0xa2, 0xa2, 0x40, 0xa5])],
    ['ebcdic', Buffer.from([0x40, 0x25, 0x4c, 0x99, 0xa2, 0xa2, 0x40])],
    ['ebcdic', Buffer.from([0xc0, 0x7f, 0xa5, 0x85, 0x99])],
  ])('%s is known by its bytes', (name, bytes) => {
    expect(parse(bytes).problems[0]).toMatchObject({ code: 'refused-charset', message: expect.stringContaining(name) })
  })

  it('text that begins like one is not', () => {
    for (const text of ['Là-bas', 'L’été', 'Lé', '@feed', '%<rss/>'])
      expect(codes(parse(text))).not.toContain('refused-charset')
  })
})
