import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUrl } from '../runtime/parse-url.ts'
import { commonFeedPaths, normalizeSourceUrl, readPageLinks } from './discover.ts'

const PAGE = 'https://example.org/blog/post'
const discoverFeeds = (html: string, page: string) => readPageLinks(html, page).feeds
const urls = (html: string, page = PAGE) => discoverFeeds(html, page).map(({ url }) => url)
const link = (rest: string) => `<link rel="alternate" ${rest}>`

describe('feeds that a page names', () => {
  it('takes title, type and the address made absolute', () => {
    expect(discoverFeeds(link('type="application/rss+xml" title=" My  blog " href="/feed"'), PAGE)).toEqual([
      { url: 'https://example.org/feed', title: 'My blog', type: 'application/rss+xml', isDeclared: true },
    ])
  })

  it.each([
    ['Atom', link('type="application/atom+xml" href="a"'), 'https://example.org/blog/a'],
    ['JSON Feed', link('type="application/feed+json" href="/f.json"'), 'https://example.org/f.json'],
    ['JSON Feed by its old type', link('type="application/json" href="/feed.json"'), 'https://example.org/feed.json'],
    ['RDF', link('type="application/rdf+xml" href="/i.rdf"'), 'https://example.org/i.rdf'],
    ['text/xml', link('type="text/xml" href="/rss.xml"'), 'https://example.org/rss.xml'],
    ['parameters', link('type="application/rss+xml; charset=utf-8" href="/f"'), 'https://example.org/f'],
    ['rel=feed', '<link rel="feed" href="/f">', 'https://example.org/f'],
    [
      'several words in rel',
      '<link rel="home ALTERNATE" type="application/rss+xml" href="/f">',
      'https://example.org/f',
    ],
    ['no quotes, capitals', '<LINK REL=alternate TYPE=application/rss+xml HREF=/f>', 'https://example.org/f'],
    [
      'base',
      `<base href="https://cdn.example/x/">${link('type="application/rss+xml" href="f"')}`,
      'https://cdn.example/x/f',
    ],
    ['relative base', `<base href="/y/">${link('type="application/rss+xml" href="f"')}`, 'https://example.org/y/f'],
    [
      'base after the link',
      `${link('type="application/rss+xml" href="f"')}<base href="/y/">`,
      'https://example.org/y/f',
    ],
    ['entities', link('type="application/rss+xml" href="/f?a=1&amp;b=2"'), 'https://example.org/f?a=1&b=2'],
    ['feed scheme', link('type="application/rss+xml" href="feed:https://e.org/f"'), 'https://e.org/f'],
    ['feed host', link('type="application/rss+xml" href="feed://e.org/f"'), 'https://e.org/f'],
    ['no type, but the address says it', link('href="/feed.xml"'), 'https://example.org/feed.xml'],
    ['a type as it should not be', link('type="application/rss-xml" href="/f"'), 'https://example.org/f'],
    ['rel=service.feed', '<link rel="service.feed" href="/f">', 'https://example.org/f'],
    ['in the body', `<body><p>${link('type="application/rss+xml" href="/f"')}`, 'https://example.org/f'],
    ['fragment', link('type="application/rss+xml" href="/f#x"'), 'https://example.org/f'],
  ])('%s', (_, html, expected) => expect(urls(html)).toEqual([expected]))

  it('leaves alone what is no feed', () => {
    const html = [
      link('type="text/html" hreflang="de" href="/de"'),
      link('hreflang="de" href="/de/feed"'),
      link('media="only screen" href="https://m.example.org/rss"'),
      link('href="/mobile"'),
      link('type="application/json" href="/wp-json/wp/v2/posts/1"'),
      link('type="application/json+oembed" href="/oembed?format=json"'),
      link('type="text/xml+oembed" href="/wp-json/oembed/1.0/embed?format=xml"'),
      link('type="application/rss+xml" href="javascript:alert(1)"'),
      link('type="application/rss+xml" href=""'),
      link('type="application/rss+xml" href="http://["'),
      '<link rel="stylesheet" type="application/rss+xml" href="/feed.css">',
      '<script>"<link rel=alternate type=application/rss+xml href=/no>"</script>',
      '<!-- <link rel="alternate" type="application/rss+xml" href="/no"> -->',
    ].join('')
    expect(urls(html)).toEqual([])
  })

  it('puts feeds of comments last and names each address once', () => {
    const html = [
      link('type="application/rss+xml" title="Blog » Comments Feed" href="/comments/feed/"'),
      link('type="application/rss+xml" title="Blog » Feed" href="/feed/"'),
      link('type="application/atom+xml" title="Atom" href="/atom"'),
      link('type="application/rss+xml" href="/feed/"'),
    ].join('')
    expect(urls(html)).toEqual(['/feed/', '/atom', '/comments/feed/'].map((path) => `https://example.org${path}`))
  })

  it('takes anchors that look like a feed after the declared ones', () => {
    const anchors = `<a href="https://other.example/feed">Other</a><a href="/rss.xml"><b>RSS</b></a>
      <a href="/feedback">Feedback</a><a href="/progress">Progress</a><a href="/blog/?feed=rss2">x</a>`
    expect(discoverFeeds(anchors, PAGE)).toEqual([
      { url: 'https://example.org/rss.xml', title: 'RSS', type: null, isDeclared: false },
      { url: 'https://example.org/blog/?feed=rss2', title: 'x', type: null, isDeclared: false },
      { url: 'https://other.example/feed', title: 'Other', type: null, isDeclared: false },
    ])
    expect(urls(link('type="application/rss+xml" href="/f"') + anchors)).toEqual([
      'https://example.org/f',
      'https://example.org/rss.xml',
      'https://example.org/blog/?feed=rss2',
      'https://other.example/feed',
    ])
  })

  it.each([
    ['<a href="feed.xml">', ['/blog/feed.xml']],
    ['<a href="posts.xml">RSS feed</a>', ['/blog/posts.xml']],
    ['<a href="/s.xml"><img alt="Subscribe by RSS" src="i.png"></a>', ['/s.xml']],
    ['<a class="rss" href="news.json">News</a>', ['/blog/news.json']],
    ['<a href="sitemap.xml">Sitemap</a><a href="data.json">Data</a><a href="/about">RSS</a>', []],
  ])('reads %s as a person would', (html, paths) => {
    expect(urls(html)).toEqual(paths.map((path) => `https://example.org${path}`))
  })

  it('knows the address that a page calls its own', () => {
    const of = (html: string) => readPageLinks(html, PAGE).canonicalUrl
    expect(of('<link rel="canonical" href="/other">')).toBe('https://example.org/other')
    expect(of(`<link rel="canonical" href="${PAGE}">`)).toBeNull()
    expect(of('<link rel="canonical" href="javascript:x">')).toBeNull()
    expect(of('')).toBeNull()
  })

  it('copes with any text, depth and size', () => {
    const start = process.cpuUsage().user
    expect(urls(link('type="application/rss+xml" href="/f"') + '<div>'.repeat(100_000))).toEqual([
      'https://example.org/f',
    ])
    expect(urls('<a href="/feed">'.repeat(50_000))).toEqual(['https://example.org/feed'])
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(2_000)
    fc.assert(
      fc.property(fc.string(), fc.string(), (html, page) =>
        Array.isArray(discoverFeeds(`<a href="feed">${html}`, page)),
      ),
    )
  })
})

describe('the usual places', () => {
  it('are below the page before they are below the root', () => {
    expect(commonFeedPaths('https://example.org/')[0]).toBe('https://example.org/feed')
    expect(commonFeedPaths('https://example.org/blog/index.html')[0]).toBe('https://example.org/blog/feed')
  })

  it('tries the common paths at the root, each once', () => {
    const paths = commonFeedPaths('https://example.org:8080/blog/?x=1#y')
    for (const path of ['/feed', '/rss.xml', '/atom.xml', '/feed.json', '/index.xml', '/rss', '/feeds/posts/default']) {
      expect(paths).toContain(`https://example.org:8080${path}`)
    }
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.length).toBeLessThan(15)
  })

  it('has nothing for what is no page', () => {
    expect(commonFeedPaths('nonsense')).toEqual([])
    expect(commonFeedPaths('file:///etc/passwd')).toEqual([])
  })

  it('only ever returns addresses', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (page) =>
        commonFeedPaths(page).every((url) => parseUrl(url) !== null),
      ),
    )
  })
})

describe('addresses as people paste them', () => {
  it.each([
    ['https://example.org/feed', 'https://example.org/feed'],
    ['  HTTPS://Example.ORG/Feed \n', 'https://example.org/Feed'],
    ['example.org', 'https://example.org/'],
    ['example.org/feed.xml', 'https://example.org/feed.xml'],
    ['example.org:8080/feed', 'https://example.org:8080/feed'],
    ['localhost:8080', 'https://localhost:8080/'],
    ['http://example.org:80/', 'http://example.org/'],
    ['feed://example.org/rss', 'https://example.org/rss'],
    ['feed:https://example.org/rss', 'https://example.org/rss'],
    ['feed:http://example.org/rss', 'http://example.org/rss'],
    ['feed://https://example.org/rss', 'https://example.org/rss'],
    ['web+feed://example.org/rss', 'https://example.org/rss'],
    ['FEED:example.org/rss', 'https://example.org/rss'],
    ['//example.org/rss', 'https://example.org/rss'],
    ['http:/example.org/rss', 'http://example.org/rss'],
    ['https://example.org/feed#comments', 'https://example.org/feed'],
    ['https://example.org/?a=1&b=2', 'https://example.org/?a=1&b=2'],
    ['<https://example.org/feed>', 'https://example.org/feed'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://user:pw@example.org/', 'https://user:pw@example.org/'],
  ])('%s', (input, expected) => expect(normalizeSourceUrl(input)).toBe(expected))

  it.each([
    '',
    '   ',
    'ftp://example.org/',
    'javascript:alert(1)',
    'mailto:a@example.org',
    'http://',
    'https://exa mple.org/',
    'file:///etc/passwd',
    '#',
  ])('refuses %j with a coded error', (input) => {
    expect(() => normalizeSourceUrl(input)).toThrow(expect.objectContaining({ code: 'FETCH_BAD_URL' }))
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const once = normalizeSourceUrl(url)
        expect(normalizeSourceUrl(once)).toBe(once)
      }),
      { examples: [["http://a.aa/'#"]] },
    )
  })
})
