import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeHtml } from '../sanitize.ts'
import { openSignedImage, signedImages } from './image-address.ts'
import { moveImages } from './move-images.ts'
import { pictureType } from './picture-type.ts'

const KEY = 'a key'
const addressOf = signedImages(KEY, 'https://node.example')
const parts = (address: string | null) =>
  /^https:\/\/node\.example\/images\/([^/]+)\/([^/]+)$/.exec(address ?? '') ?? []

describe('signed addresses of pictures', () => {
  it('lead back to the picture, and to no other', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.webUrl(), (url, other) => {
        const [, signature = '', address = ''] = parts(addressOf(url))
        expect(openSignedImage(KEY, signature, address)).toBe(new URL(url).href)
        expect(openSignedImage('another key', signature, address)).toBeNull()
        const [, , otherAddress = ''] = parts(addressOf(other))
        if (otherAddress !== address) expect(openSignedImage(KEY, signature, otherAddress)).toBeNull()
      }),
    )
  })

  it('have one writing each', () => {
    const [, signature = '', address = ''] = parts(addressOf('https://a.example/x.png'))
    for (const changed of [
      `${address}=`,
      `${address}A`,
      ` ${address}`,
      address.slice(0, -1),
      address.replace(/.$/, '~'),
    ]) {
      expect([changed, openSignedImage(KEY, signature, changed)]).toEqual([changed, null])
    }
    for (const changed of ['', signature.slice(1), `${signature}A`, signature.toLowerCase()]) {
      expect(openSignedImage(KEY, changed, address)).toBeNull()
    }
  })

  it.each([
    '',
    'x.png',
    'data:image/png;base64,AA',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a.example/x',
    `https://a.example/${'x'.repeat(5_000)}`,
  ])('are not made of %j', (url) => expect(addressOf(url)).toBeNull())
})

describe('pictures of an article', () => {
  const here = (url: string) => (url.startsWith('https:') ? `/i/${encodeURIComponent(url)}` : null)
  const A = '/i/https%3A%2F%2Fa.example%2F1.png'

  it.each([
    [
      '<p>a<img src="https://a.example/1.png" alt="x &amp; &quot;y&quot;">b</p>',
      `<p>a<img src="${A}" alt="x &amp; &quot;y&quot;">b</p>`,
    ],
    ['<img src="https://a.example/1.png"/>', `<img src="${A}">`],
    ['<img srcset="https://a.example/1.png 1x, https://a.example/1.png 2x">', `<img srcset="${A} 1x, ${A} 2x">`],
    [
      '<picture><source srcset="https://a.example/1.png 200w" media="(x)"></picture>',
      `<picture><source srcset="${A} 200w" media="(x)"></picture>`,
    ],
    [
      '<video poster="https://a.example/1.png" src="https://a.example/v.mp4"></video>',
      `<video poster="${A}" src="https://a.example/v.mp4"></video>`,
    ],
    ['<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'],
    ['<img src="http://plain.example/1.png" alt="a">', '<img alt="a">'],
    ['<a href="https://a.example/1.png">1</a>', '<a href="https://a.example/1.png">1</a>'],
  ])('%s', (html, moved) => expect(moveImages(html, here)).toBe(moved))

  it('are all moved, and the result is as safe as before', () => {
    const tag = fc.constantFrom('img', 'video', 'source', 'p', 'picture', 'a')
    const piece = fc
      .tuple(tag, fc.constantFrom('src', 'srcset', 'poster', 'alt', 'title'), fc.string())
      .map(
        ([name, attribute, text]) =>
          `<${name} ${attribute}="https://evil.example/${text.replace(/["<>]/g, '')}">${text}`,
      )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const moved = moveImages(sanitizeHtml(pieces.join(''), 'https://a.example/'), addressOf)
        expect(moved).not.toMatch(
          /<(?:img [^>]*src|img [^>]*srcset|source [^>]*srcset|video [^>]*poster)="(?!https:\/\/node\.example\/images\/)/,
        )
        expect(moved).not.toMatch(/<script|\son\w+=/i)
      }),
    )
  })
})

describe('pixels that count readers', () => {
  it.each([
    '<p>a<img src="https://t.example/p.gif" width="1" height="1"></p>',
    '<p>a<img src="https://t.example/p.gif" height="1px" width="0" alt=""></p>',
    '<p>a<img src="https://t.example/p.gif" style="width:1px;height:1px"></p>',
    '<p>a<img src="https://t.example/p.gif" style="height: 0; width: 1px" /></p>',
    '<P>a<IMG SRC=https://t.example/p.gif WIDTH=1 HEIGHT=1></P>',
    '<p>a<img src="https://t.example/p.gif" width=" 1 " style="height:1px"></p>',
  ])('%s', (html) => expect(sanitizeHtml(html, 'https://a.example/')).toBe('<p>a</p>'))

  it.each([
    '<img src="https://a.example/x.png" width="1" height="100">',
    '<img src="https://a.example/x.png" width="10" height="1">',
    '<img src="https://a.example/x.png" width="100" height="100">',
    '<img src="https://a.example/x.png" style="width:100%;height:1px">',
    '<img src="https://a.example/x.png">',
    '<table width="1"><tbody><tr><td width="1" height="1">x</td></tr></tbody></table>',
  ])('leaves %s', (html) => expect(sanitizeHtml(html, 'https://a.example/').replace(' />', '>')).toBe(html))
})

describe('what kind of picture', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x00\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['\x00\x00\x00\x20ftypavif', 'image/avif'],
    ['\x00\x00\x01\x00\x01', 'image/x-icon'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', null],
    ['<?xml version="1.0"?><svg/>', null],
    ['<html>', null],
    ['GIF', null],
    ['%PDF-1.7', null],
    ['', null],
  ])('%j', (text, type) => expect(pictureType(Buffer.from(text, 'latin1'))).toBe(type))
})
