import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Observation } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { type ItemSpan, itemsInSpan, meanGapWithin, newestItem, oldestItem, withinSpan } from './item-span.ts'
import { meanGapMs } from './item-times.ts'

const SPAN_MS = 7 * DAY_MS

function observed(at: number, itemTimes: readonly number[]): Observation {
  return {
    sourceId: 1,
    previousAt: at - HOUR_MS,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes,
    notModified: false,
    bytes: 0,
    latencyMs: 0,
  }
}

/** What it stands for: one list, copied and sorted every time. */
function asOneList(times: readonly number[], { at, itemTimes }: Observation): number[] {
  return [...times, ...itemTimes].filter((time) => time >= at - SPAN_MS).sort((a, b) => a - b)
}

function listOf({ times, earlier = [], dropped = 0 }: ItemSpan): number[] {
  return [...earlier.slice(dropped), ...times]
}

describe('items of a span of time', () => {
  it.each([
    ['a few a day', 0.3, 0],
    ['hundreds a day, which is more than the newest hold', 12, 0],
    ['dates from before what is known', 4, 0.2],
  ])('are those of one list: %s', (_name, perHour, late) => {
    const random = seededRandom(7)
    let span: ItemSpan = { times: [] }
    let list: number[] = []
    let at = 1_700_000_000_000
    for (let refresh = 0; refresh < 400; refresh++) {
      // Now and then it is silent for longer than the span.
      const hours = random() < 0.01 ? 24 * 8 : 1 + Math.floor(random() * 5)
      at += hours * HOUR_MS
      const back = random() < late ? 30 * DAY_MS * random() : 0
      const count = hours > 24 ? 0 : Math.floor(random() * 2 * perHour * hours)
      const items = Array.from({ length: count }, () => at - back - random() * hours * HOUR_MS).sort((a, b) => a - b)
      const before = JSON.stringify(span)
      const next = withinSpan(span, observed(at, items), SPAN_MS)
      expect(JSON.stringify(span)).toBe(before)
      span = next
      list = asOneList(list, observed(at, items))
      expect(listOf(span)).toEqual(list)
      expect([itemsInSpan(span), oldestItem(span), newestItem(span)]).toEqual([list.length, list[0], list.at(-1)])
      expect(meanGapWithin(span)).toBe(meanGapMs(list))
    }
  })

  it('go on from a memory that was stored with one list', () => {
    const stored: ItemSpan = { times: Array.from({ length: 500 }, (_, k) => k * HOUR_MS) }
    const at = 500 * HOUR_MS
    const span = withinSpan(stored, observed(at, [at - 1]), SPAN_MS)
    expect(listOf(span)).toEqual(asOneList(stored.times, observed(at, [at - 1])))
  })

  it('are not copied where nothing is new and nothing too old', () => {
    const span: ItemSpan = { times: [DAY_MS], earlier: [HOUR_MS], dropped: 0 }
    expect(withinSpan(span, observed(2 * DAY_MS, []), SPAN_MS)).toBe(span)
  })

  it('leave nothing behind of a source that has ended', () => {
    const stored: ItemSpan = { times: [], earlier: [1, 2, 3], dropped: 0 }
    expect(withinSpan(stored, observed(9 * DAY_MS, []), SPAN_MS)).toEqual({ times: [], earlier: [], dropped: 0 })
  })
})
