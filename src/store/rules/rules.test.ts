import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLANK_ITEM, DAY_MS } from '../../model/index.ts'
import type { CatchUpRecord } from '../query-feeds.ts'
import { addressToMoveTo, formerAfterMove, refuseTaken } from './addresses.ts'
import { beginCatchUp, catchUpOf, clearAfter, isStretchOf, processedUpTo } from './catch-up.ts'
import { afterDelivery, lettersToBury, newDeliveryState } from './deliveries.ts'
import { publicationsToMake } from './publications.ts'
import { isNews, renamingsToMake } from './refreshes.ts'
import { cutoffsAt, isNeeded, isPastRetention, type PlaceInFeed } from './retention.ts'
import { compareText } from './text-order.ts'

describe('renaming', () => {
  it.each([
    ['a known key goes by another', 'a', ['a>b'], 'b'],
    ['a key that is taken stays with what has it', 'ab', ['a>b'], 'ab'],
    ['what is gone has nothing to rename', 'c', ['a>b'], 'c'],
    ['a chain goes to its end', 'a', ['a>b', 'b>c'], 'c'],
    ['a chain the other way round moves both', 'ab', ['b>c', 'a>b'], 'bc'],
    ['two cannot become one', 'ab', ['a>c', 'b>c'], 'bc'],
    ['a key renamed to itself stays', 'a', ['a>a'], 'a'],
    ['an exchange needs a free key', 'ab', ['a>b', 'b>a'], 'ab'],
  ])('%s', (_, known, arrows, expected) => {
    expect(keysAfter(known, arrows)).toBe(expected)
  })

  it('never loses an item nor makes two of one', () => {
    const key = fc.constantFrom(...'abcd')
    fc.assert(
      fc.property(fc.subarray([...'abcd']), fc.array(fc.tuple(key, key), { maxLength: 6 }), (known, pairs) => {
        const after = keysAfter(
          known.join(''),
          pairs.map(([from, to]) => `${from}>${to}`),
        )
        expect(new Set(after).size).toBe(known.length)
      }),
    )
  })
})

function keysAfter(known: string, arrows: readonly string[]): string {
  const keys = new Set(known)
  const renamings = arrows.map((arrow) => ({ from: arrow.charAt(0), to: arrow.charAt(2) }))
  for (const { from, to } of renamingsToMake(renamings, (key) => known.includes(key))) {
    expect(keys.delete(from)).toBe(true)
    expect(keys.has(to)).toBe(false)
    keys.add(to)
  }
  return [...keys].sort().join('')
}

it.each([
  ['says something else, later', 'new', 6, true],
  ['says something else, at the same moment', 'new', 5, true],
  ['says something else, but is older', 'new', 4, false],
  ['says the same', 'old', 6, false],
])('an edit that %s', (_, contentHash, changedAt, expected) => {
  const before = { id: null, contentHash: 'old', changedAt: 5 }
  expect(isNews(before, { ...BLANK_ITEM, key: 'k', contentHash, changedAt })).toBe(expected)
})

describe('retention', () => {
  const policy = { maxAgeMs: 10 * DAY_MS, maxItemsPerSource: 3, maxObservationAgeMs: null }
  const now = 100 * DAY_MS
  const cutoffs = cutoffsAt(policy, now)

  it.each([
    ['of the last day', 90, 0, false],
    ['a moment older', 90 - 1 / DAY_MS, 0, true],
    ['the last that a source may have', 100, 2, false],
    ['the first beyond', 100, 3, true],
  ])('an item %s', (_, day, rank, expected) => {
    expect(isPastRetention({ firstSeenAt: day * DAY_MS }, rank, policy, cutoffs)).toBe(expected)
  })

  const place = (more: Partial<PlaceInFeed> & { newer?: number }): PlaceInFeed => ({
    ...{ seq: 5, isHistory: false, limit: 2, deliveredUpTo: null },
    countNewer: () => more.newer ?? 2,
    ...more,
  })
  const needs = (places: readonly PlaceInFeed[], isInSourceWindow = false, isAwaited = false) =>
    isNeeded({ isInSourceWindow: () => isInSourceWindow, isAwaited: () => isAwaited, places: () => places }, policy)

  it.each([
    ['nobody has it', needs([]), false],
    ['its source shows it', needs([], true), true],
    ['a reader has not acknowledged it', needs([], false, true), true],
    ['it has left the window of a feed', needs([place({})]), false],
    ['it is the last in the window of a feed', needs([place({ newer: 1 })]), true],
    ['it has left one window of two', needs([place({}), place({ newer: 1 })]), true],
    ['a feed without LIMIT takes the window of the node', needs([place({ limit: null, newer: 99 })]), true],
    ['a subscription has not delivered it', needs([place({ deliveredUpTo: 4 })]), true],
    ['all subscriptions have', needs([place({ deliveredUpTo: 5 })]), false],
    ['it is history, which is not delivered', needs([place({ deliveredUpTo: 4, isHistory: true })]), false],
  ])('an item is needed: %s', (_, answer, expected) => {
    expect(answer).toBe(expected)
  })
})

describe('catching up', () => {
  it.each([
    ['from now', 'from now', 7, 7],
    ['from the archive', { after: 3 }, 7, 3],
    ['never beyond what queries were evaluated on', { after: 9 }, 7, 7],
    ['never before the first item', { after: -1 }, 7, 0],
  ] as const)('begins %s', (_, from, evaluatedUpTo, catchUpAfter) => {
    const place = beginCatchUp({ version: 4, beganAfter: 5 }, from, evaluatedUpTo)
    expect(place).toEqual({
      version: 5,
      catchUpAfter,
      historyUpTo: evaluatedUpTo,
      beganAfter: Math.min(5, catchUpAfter),
    })
  })

  it('a new feed begins in any case, an old one goes on where it asks the same', () => {
    expect([catchUpOf('no', true), catchUpOf('no', false)]).toEqual(['from now', 'no'])
  })

  it('queries were evaluated up to the first item that waits', () => {
    expect([processedUpTo(5, 9), processedUpTo(null, 9)]).toEqual([4, 9])
  })

  it('what is cleared asks again from the first that it holds or ever began with', () => {
    const place = { version: 1, catchUpAfter: null, historyUpTo: 9, beganAfter: 6 }
    expect([clearAfter(place, null), clearAfter(place, 4), clearAfter({ ...place, catchUpAfter: 2 }, 4)]).toEqual([
      6, 3, 2,
    ])
    expect(clearAfter({ ...place, beganAfter: null }, null)).toBe(9)
  })

  it('a stretch is for a feed that asks the same and is at its beginning', () => {
    const record: CatchUpRecord = { feeds: [], after: 3, upTo: 5, isEnd: false, publications: [], at: 0 }
    const places = [
      { version: 1, catchUpAfter: 3 },
      { version: 2, catchUpAfter: 3 },
      { version: 1, catchUpAfter: 5 },
      { version: 1, catchUpAfter: null },
      undefined,
    ]
    expect(places.map((place) => isStretchOf(record, 1, place))).toEqual([true, false, false, false, false])
  })
})

it('publishes once for each feed and item, whatever is repeated', () => {
  const one = fc.record({
    feedId: fc.integer({ min: 1, max: 3 }),
    version: fc.integer({ min: 1, max: 2 }),
    itemSeq: fc.integer({ min: 1, max: 4 }),
    joined: fc.constant([]),
  })
  fc.assert(
    fc.property(fc.array(one), fc.array(one), (before, given) => {
      const published = new Set(before.map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`))
      const due = publicationsToMake(given, {
        feed: (id) => (id === 3 ? undefined : { version: 1, historyUpTo: 2 }),
        hasItem: (seq) => seq !== 4,
        isPublished: (feedId, itemSeq) => published.has(`${feedId} ${itemSeq}`),
      })
      const names = due.map(({ feedId, itemSeq }) => `${feedId} ${itemSeq}`)
      expect(new Set([...published, ...names]).size).toBe(published.size + names.length)
      const wanted = given.filter(({ feedId, version, itemSeq }) => feedId < 3 && version === 1 && itemSeq < 4)
      expect(wanted.every(({ feedId, itemSeq }) => [...published, ...names].includes(`${feedId} ${itemSeq}`))).toBe(
        true,
      )
      expect(due.every(({ version, feedId, itemSeq }) => version === 1 && feedId < 3 && itemSeq < 4)).toBe(true)
      expect(due.every(({ itemSeq, isHistory }) => isHistory === itemSeq <= 2)).toBe(true)
    }),
  )
})

it('deliveries never go back, and each publication is given up once', () => {
  const start = newDeliveryState(4)
  const later = afterDelivery(start, { kind: 'delivered', upTo: 6, at: 1 })
  expect(afterDelivery(later, { kind: 'delivered', upTo: 5, at: 2 })).toMatchObject({ deliveredSeq: 6, deliveredAt: 2 })
  const failed = afterDelivery(later, { kind: 'failed', error: 'no', nextAttemptAt: 9 })
  expect(afterDelivery(failed, { kind: 'failed', error: 'no', nextAttemptAt: 9 }).failureCount).toBe(2)
  expect(lettersToBury(later, [5, 7, 7, 8])).toEqual([7, 8])
  const dead = { kind: 'dead', publications: [5, 7, 8], reason: 'gone', at: 3 } as const
  expect(afterDelivery(failed, dead)).toMatchObject({ deliveredSeq: 8, failureCount: 0, lastError: 'gone' })
})

describe('addresses', () => {
  const ownerOf = (url: string) => ({ 'http://a/': 1, 'http://b/': 2 })[url]

  it.each([
    ['goes where nobody is', 'http://c/', 'http://c/'],
    ['stays where another source is', 'http://b/', null],
    ['stays where it is', 'http://a/', null],
    ['stays if it has not moved', null, null],
    ['leaves a log-in behind', 'http://me:secret@c/', 'http://c/'],
  ])('a source %s', (_, movedTo, expected) => {
    expect(addressToMoveTo({ url: 'http://a/' }, movedTo, ownerOf)).toBe(expected)
  })

  it('is known by those that it moved from, until it is there again', () => {
    expect(formerAfterMove(['http://c/', 'http://d/'], 'http://a/', 'http://c/')).toEqual(['http://a/', 'http://d/'])
  })

  it('refuses what another has, and nothing else', () => {
    expect(() => refuseTaken(1, 'http://b/', ownerOf)).toThrow('http://b/')
    for (const url of ['http://a/', 'http://c/']) refuseTaken(1, url, ownerOf)
  })
})

it('orders names as the bytes of UTF-8', () => {
  expect(['\u{1f30a}', 'b', '\uff46', 'a', 'B'].sort(compareText)).toEqual(['B', 'a', 'b', '\uff46', '\u{1f30a}'])
})
