import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArticlePage, Extraction } from '../article.ts'
import { extractArticle } from './extract.ts'
import { MOST_PAGE_BYTES } from './limits.ts'

const page = (html: string | Uint8Array, contentType: string | null = 'text/html; charset=utf-8'): ArticlePage => ({
  url: 'https://example.org/articles/1',
  contentType,
  body: typeof html === 'string' ? Buffer.from(html) : html,
})
const outcomeOf = (extraction: Extraction) => (extraction.kind === 'failure' ? extraction.reason : 'article')
const PROSE = 'The ferry sails again, the council said, after a pause that began with a storm and ended with a vote. '

describe('a page that is no article', () => {
  it.each([
    ['a PDF that is called HTML', page('%PDF-1.7\n%âãÏÓ\n1 0 obj <html><p>text</p>'), 'not-html'],
    ['a PDF that is called so', page(`<html><p>${PROSE}</p>`, 'application/pdf'), 'not-html'],
    ['a picture', page(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])), 'not-html'],
    ['a film', page(Buffer.concat([Buffer.alloc(4, 1), Buffer.from('ftypmp42')]), 'video/mp4'), 'not-html'],
    ['JSON', page('{"text":"hello"}', 'application/json'), 'not-html'],
    ['plain text without a type', page(PROSE.repeat(20), null), 'not-html'],
    ['50 MB', page(Buffer.alloc(50 * 1024 * 1024, 'a')), 'too-large'],
    ['one byte too much', page(Buffer.alloc(MOST_PAGE_BYTES + 1, 32)), 'too-large'],
    ['nothing', page(''), 'no-text'],
    [
      'scripts alone',
      page(`<html><body><script>${'document.write("text");'.repeat(5_000)}</script></body>`),
      'no-text',
    ],
    ['styles alone', page(`<html><head><style>${'p{color:red}'.repeat(5_000)}</style></head><body></body>`), 'no-text'],
    ['a comment that never ends', page(`<html><body><!-- ${PROSE.repeat(100)}`), 'no-text'],
    ['50,000 levels', page(`${'<div>'.repeat(50_000)}<p>${PROSE.repeat(9)}</p>`), 'too-costly'],
    ['a million elements', page('<b></b>'.repeat(1_000_000)), 'too-costly'],
  ])('%s', (_, hostile, reason) => {
    expect(outcomeOf(extractArticle(hostile))).toBe(reason)
  })
})

describe('a page that is nested, long or broken without measure gives its text all the same', () => {
  const paragraphs = `<p>${PROSE.repeat(3)}</p>`.repeat(5)
  it.each([
    ['9,000 levels of div', `${'<div>'.repeat(9_000)}${paragraphs}${'</div>'.repeat(9_000)}`],
    ['6,000 levels of tags that nobody closes', `${'<b><i><span>'.repeat(2_000)}${paragraphs}`],
    ['500 tables in each other', `${'<table><tr><td>'.repeat(500)}${paragraphs}`],
    ['an attribute of 4 MB', `<div class="${'x '.repeat(2_000_000)}">${paragraphs}</div>`],
    [
      '100,000 attributes',
      `<div ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(' ')}>${paragraphs}</div>`,
    ],
    ['a data address of 3 MB', `${paragraphs}<img src="data:image/png;base64,${'A'.repeat(3_000_000)}">`],
    ['JSON-LD nested 100,000 times', `<script type="application/ld+json">${'['.repeat(100_000)}</script>${paragraphs}`],
    [
      'JSON-LD of 3 MB',
      `<script type="application/ld+json">{"@type":"Article","x":"${'y'.repeat(3_000_000)}"}</script>${paragraphs}`,
    ],
    ['a base that is a script', `<base href="javascript:alert(1)">${paragraphs}<a href="x">x</a>`],
    ['bytes that are no UTF-8', `${paragraphs}\ud800${'\0'.repeat(1_000)}`],
    ['two bodies and a head in the middle', `<body>${paragraphs}<head><title>x</title></head><body>${paragraphs}`],
    ['3,000 paragraphs', `<p>${PROSE}</p>`.repeat(3_000)],
    ['a paragraph of 1 MB', `<p>${PROSE.repeat(10_000)}</p>`],
  ])('%s', (_, html) => {
    const extraction = extractArticle(page(`<html><body>${html}</body></html>`))
    expect(outcomeOf(extraction)).toBe('article')
    if (extraction.kind === 'article') expect(extraction.article.text).toContain(PROSE.trim().slice(0, 60))
  })
})

const tag = fc.constantFrom(
  ...'html head body div p a img table tr td ul li article section h1 h2 span b br form noscript template svg math title meta base iframe pre'.split(
    ' ',
  ),
)
const attribute = fc
  .tuple(
    fc.constantFrom(
      'class',
      'id',
      'href',
      'src',
      'srcset',
      'style',
      'itemprop',
      'property',
      'content',
      'datetime',
      'lang',
      'rel',
      'width',
    ),
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        'article',
        'comment',
        'javascript:x',
        '//x',
        'author',
        'og:title',
        '2019-11-19',
        'canonical',
        '1',
      ),
    ),
  )
  .map(([name, value]) => ` ${name}="${value}"`)
const piece = fc.oneof(
  fc.tuple(tag, fc.array(attribute, { maxLength: 3 })).map(([name, attributes]) => `<${name}${attributes.join('')}>`),
  tag.map((name) => `</${name}>`),
  fc.constant(`<p>${PROSE}</p>`),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<!--',
    '-->',
    '<![CDATA[',
    '<!doctype html>',
    '&amp;',
    '&#x0;',
    '<script type="application/ld+json">{"@type":"Article","author":',
    '</script>',
  ),
)

describe('random pages', () => {
  it('never throw, and give absolute addresses alone', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const extraction = extractArticle(page(pieces.join('')))
        if (extraction.kind === 'failure') return
        const { article } = extraction
        const addresses = [...article.html.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
        expect(addresses.filter((address) => !/^(?:https?:|mailto:|tel:|data:image\/)/i.test(address))).toEqual([])
        expect(article.text.trim()).toBe(article.text)
        expect(article.confidence).toBeGreaterThanOrEqual(0)
        expect(article.confidence).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 },
    )
  })

  it('of random bytes never throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom(null, 'text/html', 'text/html; charset=utf-16'),
        (bytes, type) => {
          extractArticle(page(bytes, type))
        },
      ),
      { numRuns: 200 },
    )
  })
})
