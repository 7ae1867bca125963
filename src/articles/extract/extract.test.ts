import { describe, expect, it } from 'vitest'
import type { Article } from '../article.ts'
import { extractArticle } from './extract.ts'

const PROSE =
  'The ferry between the old harbour and the island will sail again from Easter, the council said on Wednesday, after a pause that began with a storm. '
const BODY = `<h1>Ferry returns</h1>${`<p>${PROSE.repeat(2)}</p>`.repeat(5)}`

function read(head: string, body = BODY, url = 'https://example.org/news/ferry'): Article {
  const html = `<!doctype html><html><head>${head}</head><body><article>${body}</article></body></html>`
  const extraction = extractArticle({ url, contentType: 'text/html; charset=utf-8', body: Buffer.from(html) })
  if (extraction.kind === 'failure') throw new Error(extraction.reason)
  return extraction.article
}
const jsonLd = (article: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'NewsArticle', ...article })}</script>`
const dayOf = ({ published }: Article) => (published === null ? null : new Date(published).toISOString().slice(0, 10))

describe('who is believed, where several say something', () => {
  it.each([
    [
      'JSON-LD before og:title',
      `${jsonLd({ headline: 'From JSON-LD' })}<meta property="og:title" content="From Open Graph">`,
      'From JSON-LD',
    ],
    [
      'og:title before the heading',
      '<meta property="og:title" content="From Open Graph"><title>Ferry returns</title>',
      'From Open Graph',
    ],
    ['the heading that the title repeats', '<title>Ferry returns | Gazette</title>', 'Ferry returns'],
    [
      'without the name of the site',
      '<meta property="og:site_name" content="Gazette"><meta property="og:title" content="A ferry - Gazette">',
      'A ferry',
    ],
    ['entities in JSON-LD', jsonLd({ headline: 'Cats &amp; dogs &#8211; again' }), 'Cats & dogs – again'],
    ['the heading alone', '', 'Ferry returns'],
  ])('title: %s', (_, head, title) => {
    expect(read(head).title).toBe(title)
  })

  it.each([
    [
      'JSON-LD before meta',
      `${jsonLd({ author: { name: 'Ann Ash' } })}<meta name="author" content="Bob Birch">`,
      '',
      'Ann Ash',
    ],
    [
      'meta before the byline',
      '<meta name="author" content="Bob Birch">',
      '<p class="byline">By Cy Cedar</p>',
      'Bob Birch',
    ],
    [
      'an address is nobody',
      '<meta property="article:author" content="https://facebook.com/gazette">',
      '<p class="byline">By Cy Cedar</p>',
      'Cy Cedar',
    ],
    ['the byline without its date', '', '<div class="author">by Cy Cedar | 3 May 2020</div>', 'Cy Cedar'],
    ['a link to the author', '', '<p>Text by <a rel="author" href="/d">Di Dogwood</a></p>', 'Di Dogwood'],
    ['nobody', '', '', null],
  ])('author: %s', (_, head, byline, author) => {
    expect(read(head, `${byline}${BODY}`).author).toBe(author)
  })

  it.each([
    [
      'JSON-LD before meta',
      `${jsonLd({ datePublished: '2020-01-02T03:04:05Z' })}<meta name="date" content="2019-01-01">`,
      '',
      '2020-01-02',
    ],
    [
      'meta before a time element',
      '<meta property="article:published_time" content="2020-02-03">',
      '<time datetime="2018-01-01">x</time>',
      '2020-02-03',
    ],
    [
      'a time element before text',
      '',
      '<span class="date">May 4, 2021</span><time datetime="2020-03-04">x</time>',
      '2020-03-04',
    ],
    ['text', '', '<span class="date">Updated May 4, 2021 at noon</span>', '2021-05-04'],
    ['German text', '', '<span class="date">4. März 2021</span>', '2021-03-04'],
    ['Japanese text', '', '<span class="date">2021年3月4日</span>', '2021-03-04'],
    ['not that of a comment', '', '<div class="comments"><time datetime="2018-01-01">x</time></div>', null],
    ['none', '', '', null],
  ])('date: %s', (_, head, line, day) => {
    expect(dayOf(read(head, `${BODY}${line}`))).toBe(day)
  })

  it('date: the address, where nothing else says it', () => {
    expect(dayOf(read('', BODY, 'https://example.org/2019/11/19/ferry.html'))).toBe('2019-11-19')
  })
})

describe('the lead image', () => {
  it.each([
    [
      'og:image with its size',
      '<meta property="og:image" content="/a.jpg"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
      '',
      { url: 'https://example.org/a.jpg', width: 1200, height: 630 },
    ],
    [
      'JSON-LD',
      jsonLd({ image: { '@type': 'ImageObject', url: 'https://cdn.example/b.jpg', width: 800, height: 600 } }),
      '',
      { url: 'https://cdn.example/b.jpg', width: 800, height: 600 },
    ],
    [
      'the first of the text that is no pixel',
      '',
      '<img src="p.gif" width="1" height="1"><img src="/c.jpg" width="640" height="480">',
      { url: 'https://example.org/c.jpg', width: 640, height: 480 },
    ],
    [
      'never a pixel',
      '<meta property="og:image" content="/a.gif"><meta property="og:image:width" content="1"><meta property="og:image:height" content="1">',
      '',
      null,
    ],
    ['never a data address', '<meta property="og:image" content="data:image/png;base64,AAAA">', '', null],
  ])('%s', (_, head, images, expected) => {
    expect(read(head, `${BODY}${images}<p>${PROSE}</p>`).leadImage).toEqual(expected)
  })
})

describe('language', () => {
  const german = `<p>${'Die Brücke über die Aller ist seit dem Donnerstag für alle Fahrzeuge gesperrt, teilte die Straßenmeisterei mit. '.repeat(5)}</p>`
  it.each([
    [
      'declared',
      '<meta http-equiv="content-language" content="de-CH">',
      german,
      { language: 'de-CH', languageIs: 'declared' },
    ],
    ['detected', '', german, { language: 'de', languageIs: 'detected' }],
    [
      'a declaration in the wrong script',
      '<meta http-equiv="content-language" content="en">',
      `<p>${'Первые автомобили проехали по новому мосту во вторник утром. '.repeat(6)}</p>`,
      { language: 'ru', languageIs: 'detected' },
    ],
  ])('%s', (_, head, body, expected) => {
    expect(read(head, body)).toMatchObject(expected)
  })
})

describe('walls', () => {
  it.each([
    [
      'a paywall that is declared, and a text that is cut',
      jsonLd({ isAccessibleForFree: false }),
      `<p>${PROSE.repeat(3)}</p><p>Subscribe to continue reading.</p>`,
      'paywall',
    ],
    [
      'declared, but the whole text is there',
      jsonLd({ isAccessibleForFree: 'False' }),
      `<p>${PROSE.repeat(8)}</p>`.repeat(5),
      null,
    ],
    [
      'a page about cookies alone',
      '',
      `<p>We and our partners store cookies to process personal data with your consent. ${'Manage your cookie consent and privacy choices here. '.repeat(4)}</p>`,
      'consent',
    ],
    ['an article that mentions a cookie', '', `<p>${PROSE.repeat(8)} He ate a cookie.</p>`, null],
    ['no wall', '', BODY, null],
  ])('%s', (_, head, body, wall) => {
    expect(read(head, body).wall).toBe(wall)
  })

  it('are not to be relied on', () => {
    expect(
      read(jsonLd({ isAccessibleForFree: false }), `<p>${PROSE.repeat(2)}</p><p>Subscribe to continue reading.</p>`)
        .confidence,
    ).toBeLessThan(0.2)
    expect(read(jsonLd({ headline: 'Ferry' })).confidence).toBeGreaterThan(0.7)
  })
})

describe('what is declared', () => {
  it('sections before keywords, each once', () => {
    const head = `<meta property="article:section" content="Transport"><meta property="article:tag" content="Ferries"><meta name="news_keywords" content="ferries, islands">`
    expect(read(head).categories).toEqual(['Transport', 'Ferries', 'islands'])
  })

  it('the canonical address, absolute', () => {
    expect(read('<link rel="canonical" href="/ferry">').canonicalUrl).toBe('https://example.org/ferry')
    expect(read('<meta property="og:url" content="https://www.example.org/f">').canonicalUrl).toBe(
      'https://www.example.org/f',
    )
    expect(read('').canonicalUrl).toBeNull()
  })

  it('addresses in the text, relative to the base', () => {
    const { html } = read('<base href="https://cdn.example/x/">', `${BODY}<p>${PROSE}<a href="../y">y</a></p>`)
    expect(html).toContain('href="https://cdn.example/y"')
  })
})

describe('lines between paragraphs that are not of the article', () => {
  it.each([
    'Lesen Sie auch: Das Freibad öffnet später',
    'Das könnte Sie auch interessieren',
    'Jeden Werktag das Wichtigste aus der Stadt. Jetzt kostenlos anmelden.',
    'Der Morgen-Newsletter',
    'Inscrivez-vous gratuitement à notre newsletter du matin',
    'Читайте также: мост закрыли до весны',
    'Te puede interesar: la cosecha cae',
    '＞＞関連記事はこちら',
    '相关阅读：小城新开航线',
    'Was this page helpful?',
  ])('%s', (line) => {
    const body = BODY.replace('</p><p>', `</p><p>${line}</p><p>`)
    expect(read('', body).text).not.toContain(line)
  })

  it.each([
    'Related companies said nothing about the price of the harbour, which the island wants to know.',
    'Porträts der Fischer hängen seit dem Herbst in der Halle am Hafen.',
    'По темени его ударила ветка, но капитан не оставил штурвал.',
    'Her newsletter, of which nobody had heard before the storm, has many readers now.',
  ])('but not: %s', (line) => {
    const body = BODY.replace('</p><p>', `</p><p>${line}</p><p>`)
    expect(read('', body).text).toContain(line)
  })
})
