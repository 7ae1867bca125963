import { describe, expect, it } from 'vitest'
import type { ParsedItem } from '../../model/index.ts'
import { type ParseOptions, parseFeed } from './parse.ts'
import { PARSE_PROBLEMS } from './problems.ts'

const parse = (text: string, options?: ParseOptions) => parseFeed(Buffer.from(text), options)
const codes = (text: string): string[] => parse(text).problems.map(({ code }) => code)

/** An RSS document with one item of these fields. */
const rss = (item: string, root = 'version="2.0"'): string =>
  `<rss ${root}><channel><title>T</title><item>${item}</item></channel></rss>`
const rssItem = (item: string, options?: ParseOptions): ParsedItem => parse(rss(item), options).items[0]!
const atom = (entry: string, root = ''): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${root}><title>T</title><entry>${entry}</entry></feed>`
const atomItem = (entry: string, root?: string): ParsedItem => parse(atom(entry, root)).items[0]!

describe('what is no feed', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n '],
    ['words', 'just words'],
    ['a page', '<!DOCTYPE html><html><head><title>x</title></head><body><p>y<br></body></html>'],
    ['another XML', '<opml version="2.0"><head/><body/></opml>'],
    ['another JSON', '{"hello": [1, 2]}'],
    ['a JSON list', '[1, 2, 3]'],
    ['binary', '\u0000\u0001\u0002PNG\u0003'],
  ])('%s is recognised', (_, text) => {
    const result = parse(text)
    expect(result.format).toBe('unknown')
    expect(result.items).toEqual([])
    expect(result.problems.map(({ code }) => code)).toContain('not-a-feed')
  })
})

describe('formats', () => {
  it.each([
    ['rss-0.91', '<rss version="0.91"><channel/></rss>'],
    ['rss-0.92', '<rss version="0.92"><channel/></rss>'],
    ['rss-0.93', '<rss version="0.93"><channel/></rss>'],
    ['rss-0.94', '<rss version="0.94"><channel/></rss>'],
    ['rss-2.0', '<rss version="2.0"><channel/></rss>'],
    ['rss-2.0', '<rss version="2.0.1"><channel/></rss>'],
    ['rss', '<rss><channel/></rss>'],
    ['rss-2.0', '<rss version="2.0" xmlns="http://www.w3.org/2005/Atom"><channel/></rss>'],
    ['rss-1.0', '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"/>'],
    ['atom-1.0', '<feed xmlns="http://www.w3.org/2005/Atom"/>'],
    ['atom-1.0', '<a:feed xmlns:a="http://www.w3.org/2005/Atom"/>'],
    ['atom-0.3', '<feed version="0.3" xmlns="http://purl.org/atom/ns#"/>'],
    ['atom', '<feed/>'],
    ['cdf', '<CHANNEL HREF="http://a.example/"/>'],
    ['json-1.0', '{"version": "https://jsonfeed.org/version/1", "items": []}'],
    ['json-1.1', '{"version": "https://jsonfeed.org/version/1.1", "items": []}'],
    ['json', '{"title": "x", "items": [{"id": 1}]}'],
  ])('%s: %s', (format, text) => {
    const result = parse(text)
    expect(result.format).toBe(format)
    expect(result.problems).toEqual([])
  })

  it('an entry alone is a feed of one (RFC 4287 §2)', () => {
    const result = parse('<entry xmlns="http://www.w3.org/2005/Atom"><id>1</id><title>Alone</title></entry>')
    expect(result.format).toBe('atom-1.0')
    expect(result.items.map(({ id, title }) => [id, title])).toEqual([['1', 'Alone']])
  })

  it('a feed wrapped in something else is found', () => {
    const result = parse(`<soap><body>${rss('<title>x</title>')}</body></soap>`)
    expect(result.items[0]!.title).toBe('x')
    expect(result.problems.map(({ code }) => code)).toEqual(['unexpected-root'])
  })
})

describe('namespaces decide, not prefixes', () => {
  it('another prefix for a known namespace', () => {
    const text = rss('<d:creator>Ann</d:creator>', 'xmlns:d="http://purl.org/dc/elements/1.1/"')
    expect(parse(text).items[0]!.authors[0]!.name).toBe('Ann')
  })

  it('a known name in an unknown namespace is not the real one', () => {
    const text = rss('<x:title>wrong</x:title><title>right</title>', 'xmlns:x="http://x.example/"')
    expect(parse(text).items[0]!.title).toBe('right')
  })

  it('Atom under a prefix', () => {
    const text = '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>x</a:title></a:entry></a:feed>'
    expect(parse(text).items[0]!.title).toBe('x')
  })

  it('the title of an image, source or text input is not that of the feed', () => {
    const text = `<rss><channel><image><title>i</title></image><textInput><title>t</title></textInput><title>right</title>
      <item><source><title>s</title></source><title>item</title></item></channel></rss>`
    expect(parse(text).feed.title).toBe('right')
    expect(parse(text).items[0]!.title).toBe('item')
  })
})

describe('text', () => {
  it.each([
    ['escaped', '&lt;b&gt;x&lt;/b&gt; &amp;amp; y', '<b>x</b> &amp; y'],
    ['CDATA', '<![CDATA[<b>x</b> & y]]>', '<b>x</b> & y'],
    ['CDATA and text', 'a <![CDATA[<i>]]> &amp; b', 'a <i> & b'],
    ['naked elements', '<b>x</b> &lt; y<br/>', '<b>x</b> &lt; y<br />'],
    ['an empty element that is not void', 'a<p/>b', 'a<p></p>b'],
    ['references by number', '&#228;&#xe4;&#x1F600;', 'ää😀'],
    ['Windows-1252 by number', 'don&#146;t', 'don’t'],
    ['names of HTML', 'caf&eacute;&nbsp;&hellip;', 'café\u00a0…'],
    ['unknown names', '&nosuch; stays', '&nosuch; stays'],
    ['bare ampersands', 'AT&T & Co', 'AT&T & Co'],
    ['white space around', '\n  x \t', 'x'],
    ['comments within', 'a<!-- no -->b', 'ab'],
  ])('%s', (_, source, expected) => expect(rssItem(`<description>${source}</description>`).summary).toBe(expected))

  it.each([
    ['type=text', '<title type="text">1 &lt; 2</title>', '1 < 2'],
    ['type=html', '<title type="html">1 &amp;lt; 2</title>', '1 &lt; 2'],
    [
      'type=xhtml',
      '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">1 &lt; <i>2</i></div></title>',
      '1 &lt; <i>2</i>',
    ],
    [
      'xhtml under a prefix',
      '<title type="xhtml" xmlns:h="http://www.w3.org/1999/xhtml"><h:div><h:i>2</h:i></h:div></title>',
      '<i>2</i>',
    ],
    ['base64', '<title type="application/octet-stream">PGI+eDwvYj4=</title>', '<b>x</b>'],
  ])('Atom %s', (_, source, expected) => expect(atomItem(source).title).toBe(expected))

  it('entities that the document declares', () => {
    const text = `<!DOCTYPE rss [<!ENTITY who "A &amp; B"><!ENTITY both '&who;, &who;'>]>${rss('<title>&both;</title>')}`
    expect(parse(text).items[0]!.title).toBe('A & B, A & B')
    expect(parse(text).problems).toEqual([])
  })

  it('external entities are never followed', () => {
    const text = `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('<title>a&x;b</title>')}`
    expect(parse(text).items[0]!.title).toBe('a&x;b')
  })
})

describe('links', () => {
  const url = 'https://site.example/blog/feed.xml?page=1'
  it.each([
    ['/a', 'https://site.example/a'],
    ['a/b', 'https://site.example/blog/a/b'],
    ['../a', 'https://site.example/a'],
    ['//other.example/a', 'https://other.example/a'],
    ['?q=1', 'https://site.example/blog/feed.xml?q=1'],
    ['#f', 'https://site.example/blog/feed.xml?page=1#f'],
    ['http://x.example/ä?a=1&amp;b', 'http://x.example/ä?a=1&b'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
  ])('%s beside the document is %s', (link, expected) => {
    expect(rssItem(`<link>${link}</link>`, { url }).link).toBe(expected)
  })

  it('xml:base nests, and one that is no web address is ignored', () => {
    const entry = (base: string): string => `<link xml:base="${base}" href="x"/>`
    expect(atomItem(entry('b/'), 'xml:base="http://s.example/a/"').link).toBe('http://s.example/a/b/x')
    expect(atomItem(entry('javascript:alert(1)//'), 'xml:base="http://s.example/a/"').link).toBe('http://s.example/a/x')
  })

  it.each([
    ['<a href="x">', '<a href="https://site.example/blog/x">'],
    ["<img alt='a' src='/x.png'>", "<img alt='a' src='https://site.example/x.png'>"],
    ['<a href=x>', '<a href="https://site.example/blog/x">'],
    ['<A HREF="x">', '<A HREF="https://site.example/blog/x">'],
    ['<a href="http://o.example/x">', '<a href="http://o.example/x">'],
    ['<a href="mailto:x@y.example">', '<a href="mailto:x@y.example">'],
    ['text href="x" outside of tags', 'text href="x" outside of tags'],
    ['<code>&lt;a href="x"&gt;</code>', '<code>&lt;a href="x"&gt;</code>'],
  ])('in HTML %s becomes %s', (html, expected) => {
    expect(rssItem(`<description><![CDATA[${html}]]></description>`, { url }).summary).toBe(expected)
  })

  it('without any base they stay as they are', () => expect(rssItem('<link>/a</link>').link).toBe('/a'))

  it.each([
    ['link before guid', '<guid>http://g.example/</guid><link>http://l.example/</link>', 'http://l.example/'],
    ['a guid that is a link', '<guid>http://g.example/</guid>', 'http://g.example/'],
    ['a guid that is none', '<guid isPermaLink="false">http://g.example/</guid>', null],
    ['a guid that cannot be', '<guid>urn:x:1</guid>', null],
  ])('of an RSS item: %s', (_, source, expected) => expect(rssItem(source).link).toBe(expected))

  it('of an Atom entry: the page before other forms, self only for want of better', () => {
    expect(atomItem('<link rel="self" href="s"/><link type="application/json" href="j"/><link href="h"/>').link).toBe(
      'h',
    )
    expect(atomItem('<link rel="self" href="s"/>').link).toBe('s')
  })
})

describe('people', () => {
  it.each([
    ['me@x.example (My Name)', 'My Name', 'me@x.example'],
    ['My Name <me@x.example>', 'My Name', 'me@x.example'],
    ['My Name (me@x.example)', 'My Name', 'me@x.example'],
    ['me@x.example', null, 'me@x.example'],
    ['My Name', 'My Name', null],
    ['Name (mailto:me@x.example)', 'Name', 'me@x.example'],
  ])('%s', (source, name, email) => {
    const text = source.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(rssItem(`<author>${text}</author>`).authors).toEqual([{ name, email, url: null }])
  })

  it('dc:creator counts where there is no author', () => {
    expect(rssItem('<dc:creator>Two</dc:creator><author>One</author>').authors.map(({ name }) => name)).toEqual(['One'])
    expect(rssItem('<dc:creator>Two</dc:creator>').authors.map(({ name }) => name)).toEqual(['Two'])
  })
})

describe('what is wrong is repaired and reported', () => {
  it.each([
    ['truncated', '<rss><channel><title>x'],
    ['truncated', '<rss><channel><title>x</title></channel></rss'],
    ['mismatched-tag', '<rss><channel><title>x</channel></rss>'],
    ['undeclared-prefix', rss('<dc:creator>x</dc:creator>')],
    ['undeclared-prefix', rss('<title foo:bar="1">x</title>')],
    ['undefined-entity', rss('<title>&eacute;</title>')],
    ['bare-ampersand', rss('<title>a & b</title>')],
    ['bare-ampersand', rss('<link>http://x.example/?a=1&b=2</link>')],
    ['bare-less-than', rss('<title>1 < 2</title>')],
    ['control-character', rss('<title>a\u0008b</title>')],
    ['control-character', rss('<title>中\u0008’</title>')],
    ['control-character', rss('<title>a\ufffeb</title>')],
    ['control-character', rss('<title>a\uffffb</title>')],
    ['bad-character-reference', rss('<title>a&#0;b</title>')],
    ['bad-attribute', '<rss version=2.0><channel/></rss>'],
    ['duplicate-attribute', rss('<guid isPermaLink="true" isPermaLink="false">x</guid>')],
    ['misplaced-xml-declaration', `\n<?xml version="1.0"?>${rss('')}`],
    ['text-outside-root', `${rss('')}trailing`],
    ['content-after-root', `${rss('')}<x/>`],
    ['unclosed-section', rss('<title><![CDATA[x</title>')],
    ['bad-comment', `<!-- a -- b -->${rss('')}`],
    ['bad-cdata-end', rss('<title>a ]]> b</title>')],
    ['bad-json', '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": "x"'],
  ])('%s: %s', (code, text) => {
    const result = parse(text)
    expect(result.problems.map((problem) => problem.code)).toContain(code)
    expect(result.format).not.toBe('unknown')
  })

  it('every code is in the table', () => {
    for (const text of ['', '<', '<rss', '<rss a', '&', '{', '<rss><channel><item><title>&x;<b></title>']) {
      for (const code of codes(text)) expect(PARSE_PROBLEMS).toHaveProperty(code)
    }
  })

  it('one kind of problem is reported once', () => {
    expect(codes(rss('<title>a & b & c</title><link>&d</link>'))).toEqual(['bare-ampersand'])
  })

  it('items before the break are whole, the last as far as it goes', () => {
    const result = parse('<rss><channel><item><title>1</title><guid>a</guid></item><item><title>2</title><gu')
    expect(result.items.map(({ title, id }) => [title, id])).toEqual([
      ['1', 'a'],
      ['2', null],
    ])
  })

  it('an end tag that was forgotten does not swallow what follows', () => {
    const item = rssItem('<title>x<link>http://l.example/</link><description>d')
    expect([item.title, item.link, item.summary]).toEqual(['x', 'http://l.example/', 'd'])
  })

  it('items that were not closed are items all the same', () => {
    const result = parse('<rss><channel><item><title>1</title><item><title>2</title></channel></rss>')
    expect(result.items.map(({ title }) => title)).toEqual(['1', '2'])
  })

  it('HTML that was not escaped keeps its void elements', () => {
    expect(rssItem('<description>a<br>b<img src="x">c</description><title>t</title>')).toMatchObject({
      summary: 'a<br />b<img src="x" />c',
      title: 't',
    })
  })

  it('upper case is as good', () => {
    const text =
      '<RSS VERSION="2.0"><CHANNEL><ITEM><TITLE>x</TITLE><PUBDATE>2020-01-01</PUBDATE></ITEM></CHANNEL></RSS>'
    expect(parse(text).items[0]).toMatchObject({ title: 'x', published: Date.UTC(2020, 0, 1) })
  })

  it('a JSON feed that was cut off gives the items until then', () => {
    const result = parse(
      '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}, {"id": "2", "title": "a\\u00e4',
    )
    expect(result.items.map(({ id, title }) => [id, title])).toEqual([
      ['1', null],
      ['2', 'aä'],
    ])
  })
})
