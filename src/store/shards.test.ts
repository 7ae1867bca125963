import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInPart, shardOf } from './shards.ts'

const OF = 1_024

describe('the shard of a source', () => {
  it.each([
    ['https://example.co.uk/a', 'http://feeds.Example.CO.UK:8080/b?c', true],
    ['https://a.example.org/', 'https://b.example.org/', true],
    ['https://münchen.de/', 'https://xn--mnchen-3ya.de/feed', true],
    ['http://192.168.1.7/a', 'http://192.168.1.7:81/b', true],
    ['http://localhost/a', 'http://localhost:9/b', true],
    ['https://example.org/', 'https://example.com/', false],
  ])('%s and %s: together %s', (one, other, isSame) => {
    expect(shardOf(one, OF) === shardOf(other, OF)).toBe(isSame)
  })

  it('never changes: owners of shards store these numbers', () => {
    const urls = ['https://example.org/feed', 'https://www.bbc.co.uk/news', 'http://192.168.1.7/', 'no address', '']
    expect(urls.map((url) => shardOf(url, OF))).toMatchInlineSnapshot(`
      [
        291,
        622,
        185,
        337,
        11,
      ]
    `)
  })

  it('is one of those that there are, whatever the address is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), fc.integer({ min: 1, max: 5_000 }), (url, of) => {
        const shard = shardOf(url, of)
        expect(Number.isInteger(shard) && shard >= 0 && shard < of).toBe(true)
      }),
    )
  })

  it('spreads sites evenly', () => {
    const counts = new Array<number>(64).fill(0)
    for (let k = 0; k < 64_000; k++) counts[shardOf(`https://site${k}.example/feed`, 64)]! += 1
    // 1,000 each by chance: five times the deviation of 31 to both sides.
    expect(Math.min(...counts)).toBeGreaterThan(840)
    expect(Math.max(...counts)).toBeLessThan(1_160)
  })

  it('makes parts that have every source once', () => {
    const parts = [0, 1, 2].map((part) => ({
      shards: new Set(Array.from({ length: OF }, (_, k) => k).filter((k) => k % 3 === part)),
      of: OF,
    }))
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(parts.filter((part) => isInPart(url, part))).toHaveLength(1)
        expect(isInPart(url, undefined)).toBe(true)
      }),
    )
  })
})
