import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxPerSource, mixedWindow, perSourceSlots } from './mixed-window.ts'

interface Arrival {
  readonly seq: number
  readonly sourceId: number
}

/** Batches as refreshes store them: so many items of one source. */
const histories = fc.array(
  fc.record({ sourceId: fc.integer({ min: 1, max: 6 }), items: fc.integer({ min: 1, max: 30 }) }),
  { maxLength: 20 },
)
const limits = fc.integer({ min: 0, max: 60 })

function arrivalsOf(history: readonly { sourceId: number; items: number }[]): Arrival[] {
  const arrivals: Arrival[] = []
  for (const { sourceId, items } of history) {
    for (let n = 0; n < items; n++) arrivals.push({ seq: arrivals.length + 1, sourceId })
  }
  return arrivals
}

const lastFirst = (arrivals: readonly Arrival[]) => [...arrivals].reverse()
const isNotFifth = ({ sourceId }: Arrival) => sourceId !== 5

describe('the window of a feed that mixes sources', () => {
  it.each([1, 4, 8])('shows what others had while %d flood', (floods) => {
    const others = arrivalsOf(Array.from({ length: 60 }, (_, n) => ({ sourceId: 1 + (n % 30), items: 1 })))
    const flood = arrivalsOf(Array.from({ length: floods }, (_, n) => ({ sourceId: 100 + n, items: 9_000 / floods })))
    const all = [...others, ...flood.map(({ seq, sourceId }) => ({ seq: 60 + seq, sourceId }))]
    const window = mixedWindow(lastFirst(all), () => true, 100)
    expect(window).toHaveLength(100)
    expect(window.filter(({ sourceId }) => sourceId < 100)).toHaveLength(50 - 5 * floods)
  })

  it('gives a busy source all places that nobody else can use', () => {
    const all = arrivalsOf([
      { sourceId: 1, items: 1 },
      { sourceId: 2, items: 200 },
    ])
    const window = mixedWindow(lastFirst(all), () => true, 100)
    expect(window.filter(({ sourceId }) => sourceId === 2)).toHaveLength(99)
  })

  it('is full while there is enough, half of it the last arrivals, the shared places shared', () => {
    fc.assert(
      fc.property(histories, limits, (history, limit) => {
        const all = lastFirst(arrivalsOf(history))
        const inFeed = all.filter(isNotFifth)
        const window = mixedWindow(all, isNotFifth, limit)
        expect(window).toHaveLength(Math.min(limit, inFeed.length))
        expect(window.every(isNotFifth)).toBe(true)
        expect(window.map(({ seq }) => seq)).toEqual([...window.map(({ seq }) => seq)].sort((a, b) => b - a))
        const last = inFeed.slice(0, limit - perSourceSlots(limit))
        expect(last.filter((one) => !window.includes(one))).toEqual([])
        const countOf = (id: number) => window.filter(({ sourceId }) => sourceId === id).length
        const enough = [1, 2, 3, 4, 6].map((id) => Math.min(maxPerSource(limit), countOf(id))).reduce((a, b) => a + b)
        for (const { sourceId } of inFeed.filter((one) => !window.includes(one))) {
          if (countOf(sourceId) < maxPerSource(limit)) expect(enough).toBeGreaterThanOrEqual(perSourceSlots(limit))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('never takes back what has left it', () => {
    fc.assert(
      fc.property(histories, limits, (history, limit) => {
        const arrivals = arrivalsOf(history)
        const removed = new Set<number>()
        let before: readonly Arrival[] = []
        for (let stored = 1; stored <= arrivals.length; stored++) {
          const window = mixedWindow(lastFirst(arrivals.slice(0, stored)), isNotFifth, limit)
          expect(window.filter(({ seq }) => removed.has(seq))).toEqual([])
          for (const { seq } of before) if (!window.some((one) => one.seq === seq)) removed.add(seq)
          before = window
        }
      }),
      { numRuns: 100 },
    )
  })
})
