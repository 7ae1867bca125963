import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readListing, readSourceDocument } from './document.ts'
import { suggestForBytes } from './suggest/suggest-page.ts'

const URL_OF_PAGE = 'https://a.example/'
const OPTIONS = { contentType: 'text/html', url: URL_OF_PAGE }

const piece = fc.constantFrom(
  ...'<ul> <li> </li> </ul> <a href="/1"> <a href="javascript:x"> </a> <p> <h2> </h2> <table> <tr> <td> </table> <dl> <dt> <dd>'.split(
    ' ',
  ),
  '<time datetime="2026-11-05">',
  '<div class="a b">',
  '</div>',
  '<script>if (a < b) "</p>"</script>',
  '<base href="//x y">',
  '<!-- ',
  ' -->',
  '<![CDATA[',
  'text & more',
  '3 May 2026',
  '\u0000',
  '&#xd800;',
  '<a title="',
)
const html = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
const selector = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        'li',
        '.a',
        '>',
        '~',
        '+',
        ' ',
        ',',
        ':has(',
        ':not(',
        ')',
        '[href]',
        '*',
        ':nth-child(2n)',
        '::x',
        '\\',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

describe('whatever a page is like', () => {
  it('any selectors read it without an exception, and links lead to the web', () => {
    fc.assert(
      fc.property(html, selector, selector, (page, list, title) => {
        const result = readListing(Buffer.from(page), OPTIONS, { list, title, date: 'time', content: 'p' })
        expect(['page', 'unknown']).toContain(result.format)
        expect(result.format === 'unknown').toBe(result.items.length === 0)
        for (const { link } of result.items) if (link !== null) expect(link).toMatch(/^https?:\/\//)
      }),
      { numRuns: 500 },
    )
  })

  it('bytes of any kind are read without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.option(fc.string()), (bytes, contentType) => {
        const options = { contentType, url: URL_OF_PAGE }
        readSourceDocument(bytes, options)
        readSourceDocument(Buffer.concat([Buffer.from('<urlset><url>'), bytes]), options)
        readListing(bytes, options, { element: 'body' })
      }),
    )
  })

  it('suggestions find the items that they show', () => {
    fc.assert(
      fc.property(fc.array(html, { minLength: 1, maxLength: 4 }), (parts) => {
        const page = Buffer.from(parts.map((part) => part.repeat(3)).join(''))
        for (const { selectors, items } of suggestForBytes({ body: page, ...OPTIONS })?.suggestions ?? []) {
          expect(readListing(page, OPTIONS, selectors).items).toEqual(items)
        }
      }),
      { numRuns: 200 },
    )
  })
})
