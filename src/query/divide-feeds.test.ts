import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideFeeds, type FeedReads } from './divide-feeds.ts'

const SHARDS = 8
const feed = (id: number, ...reads: string[]): FeedReads => ({ id, name: `f${id}`, reads })

/** Any feeds, which read any others, themselves and names that are no feeds. */
const anyFeeds = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .array(fc.integer({ min: 1, max: 70 }), { maxLength: 3 })
          .map((read) => feed(id, ...read.map((n) => `f${n}`))),
      ),
    ),
  )

/** Feeds that can be reached from one, read or reader, said plainly. */
function related(feeds: readonly FeedReads[], from: FeedReads): ReadonlySet<FeedReads> {
  const found = new Set([from])
  for (const one of found) {
    for (const other of feeds) if (one.reads.includes(other.name) || other.reads.includes(one.name)) found.add(other)
  }
  return found
}

describe('divideFeeds', () => {
  it('gives every feed one shard, and the same one to all that read each other', () => {
    fc.assert(
      fc.property(anyFeeds, (feeds) => {
        const shards = divideFeeds(feeds, SHARDS)
        expect([...shards.keys()].sort()).toEqual(feeds.map(({ id }) => id).sort())
        for (const one of feeds) {
          const shard = shards.get(one.id) ?? -1
          expect(shard).toBeGreaterThanOrEqual(0)
          expect(shard).toBeLessThan(SHARDS)
          for (const other of related(feeds, one)) expect(shards.get(other.id)).toBe(shard)
        }
      }),
    )
  })

  it('does not depend on the order of the feeds: matchers come to the same answer', () => {
    fc.assert(
      fc.property(anyFeeds, (feeds) => {
        const backwards = [...feeds].reverse()
        expect([...divideFeeds(backwards, SHARDS)].sort()).toEqual([...divideFeeds(feeds, SHARDS)].sort())
      }),
    )
  })

  it('spreads feeds that have nothing to do with each other evenly', () => {
    const shards = divideFeeds(
      Array.from({ length: 80 }, (_, id) => feed(id + 1, 'a-source')),
      SHARDS,
    )
    const counts = Array.from(
      { length: SHARDS },
      (_, shard) => [...shards.values()].filter((one) => one === shard).length,
    )
    expect(counts).toEqual(Array(SHARDS).fill(10))
  })

  it.each([
    ['a reader comes to what it reads', [feed(1), feed(2), feed(11, 'f1')], { 1: 1, 2: 2, 11: 1 }],
    [
      'two cascades that one feed joins go by the older one',
      [feed(3), feed(6), feed(9, 'f3', 'f6')],
      { 3: 3, 6: 3, 9: 3 },
    ],
    ['without that feed they part again', [feed(3), feed(6)], { 3: 3, 6: 6 }],
    ['what reads the same source has nothing in common', [feed(1, 's'), feed(2, 's')], { 1: 1, 2: 2 }],
  ])('%s', (_, feeds, expected) => {
    expect(Object.fromEntries(divideFeeds(feeds, SHARDS))).toEqual(expected)
  })
})
