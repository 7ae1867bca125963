import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLetterHtml } from './letter-html.ts'

const NONE = () => null
const clean = (html: string) => cleanLetterHtml(html, NONE)

describe('the HTML of a letter', () => {
  it.each([
    ['a pixel by its attributes', 'a<img src="https://t/" width="1" height="1">b', 'ab'],
    ['one of no size', 'a<img width=0 height=0 src=x>b', 'ab'],
    ['one side is enough, if the other is not said', 'a<IMG SRC=x WIDTH="1px">b', 'ab'],
    ['a pixel by its style', `a<img src=x style="border:0;width:1px; height: 1px !important">b`, 'ab'],
    ['a style counts more than an attribute', '<img width=600 height=1 style="width:1px" src=x>', ''],
    ['a hidden image', 'a<img src="x" style="display : none">b', 'ab'],
    ['a hidden image of XHTML', 'a<img src="x" hidden/>b', 'ab'],
    ['hidden text with all that is in it', '<div style="display:none">x<p>y<b>z</b></p></div>seen', 'seen'],
    ['a line for previews, of no height', '<div style="max-height:0px;overflow:hidden">x</div>seen', 'seen'],
    ['hidden text that nobody closes', 'seen<p hidden>x<i>y', 'seen'],
    ['hidden text that its neighbour closes', '<p style="visibility:hidden">x<p>seen', '<p>seen'],
    ['within what is hidden a pixel goes with it', '<i hidden>a<img width=1 height=1></i>b', 'b'],
    ['an image that did not come with the letter', 'a<img src="cid:gone">b', 'ab'],
  ])('loses %s', (_name, html, expected) => expect(clean(html)).toBe(expected))

  it.each([
    ['an image of usual size', '<img src="https://a/b.jpg" width="600" height="300">'],
    ['a line across the page', '<img src="https://a/line.gif" width="600" height="1">'],
    ['an image that does not say its size', '<img src="https://a/b.jpg">'],
    ['a style that only looks like hiding', '<p style="display:none-such; color:red" data-style="display:none">x</p>'],
    ['what is cut off at some height', '<div style="max-height:0.5em;overflow:hidden">x</div>'],
    ['a percentage', '<img src="x" width="100%" style="width:100%;max-width:1px">'],
    ['what is broken', '<p <b>>& &amp; <a href="x"y>z</p></div><!-- <img width=1 height=1> -->'],
  ])('keeps %s as it is', (_name, html) => expect(clean(html)).toBe(html))

  it('shows the images that came with it', () => {
    const html = '<p><img alt=\'"a" & b\' src="CID:pic%401" width=8></p>'
    expect(cleanLetterHtml(html, (id) => (id === 'pic@1' ? 'data:image/png;base64,AA==' : null))).toBe(
      '<p><img alt="&quot;a&quot; &amp; b" src="data:image/png;base64,AA==" width="8"></p>',
    )
  })

  it('is never more than it was, whatever it is', () => {
    const token = fc.constantFrom(
      ...['<p>', '</p>', '<p hidden>', '<img width=1>', '<img src="cid:a">', '<div style="display:none">', '</div>'],
      ...[
        '<',
        '>',
        '<!--',
        '-->',
        '<script>',
        '</script>',
        '"',
        'text',
        '<table><tr><td hidden>',
        '</table>',
        '<br hidden>',
      ],
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const html = tokens.join('')
        const cleaned = clean(html)
        expect(cleaned.length).toBeLessThanOrEqual(html.length)
        expect(clean(cleaned).length).toBeLessThanOrEqual(cleaned.length)
      }),
    )
  })
})
