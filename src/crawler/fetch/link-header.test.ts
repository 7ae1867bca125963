import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linksIn } from './link-header.ts'

const BASE = 'https://site.example/feed/'

describe('Link fields (RFC 8288)', () => {
  it.each([
    ['<https://hub.example/>; rel="hub"', [['https://hub.example/', 'hub']]],
    [
      '<https://hub.example/>; rel=hub, <https://site.example/feed/>; rel=self',
      [
        ['https://hub.example/', 'hub'],
        [BASE, 'self'],
      ],
    ],
    [
      '</TheBook/chapter2>; rel="previous"; title*=UTF-8\'de\'letztes%20Kapitel',
      [['https://site.example/TheBook/chapter2', 'previous']],
    ],
    [
      '<http://example.org/>; rel="start http://example.net/relation/other"',
      [['http://example.org/', 'start,http://example.net/relation/other']],
    ],
    ['<a>; title="x, <b>; rel=hub"; rel="self"', [['https://site.example/feed/a', 'self']]],
    ['<a>; title="say \\"hub\\", please"; REL=Hub', [['https://site.example/feed/a', 'hub']]],
    ['<a> ; rel = "self" ; rel="hub"', [['https://site.example/feed/a', 'self']]],
    [
      '<a>;rel=hub,<b>;rel=hub',
      [
        ['https://site.example/feed/a', 'hub'],
        ['https://site.example/feed/b', 'hub'],
      ],
    ],
    ['<ftp://x.example/>; rel=hub, <javascript:1>; rel=hub', []],
    ['<a>', []],
    ['rel=hub', []],
    ['', []],
  ])('%s', (field, expected) => {
    expect(linksIn(field, BASE).map(({ url, rels }) => [url, rels.join(',')])).toEqual(expected)
  })

  it('is read in no time, whatever is in it', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (field) => Array.isArray(linksIn(field, BASE))))
    expect(linksIn(`<a>; rel="${'\\"'.repeat(20_000)}`, BASE).length).toBeLessThanOrEqual(1)
    expect(linksIn('<a>;'.repeat(20_000), BASE)).toEqual([])
    expect(linksIn(`<a>${'; x'.repeat(20_000)}`, BASE)).toEqual([])
  })
})
