import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clairvoyant } from './clairvoyant.ts'
import { countPublishedBy, type SimWorld, simSource } from './world.ts'

const END = 100
const ascending = fc
  .array(fc.integer({ min: 0, max: END - 1 }), { minLength: 1, maxLength: 12 })
  .map((times) => times.sort((a, b) => a - b))

function world(times: readonly number[], windowSize: number): SimWorld {
  return { startMs: 0, endMs: END, sources: [simSource(0, Float64Array.from(times), windowSize)] }
}

/** Fewest polls on item times after which no interval holds more than W items; null where an instant alone has more. */
function fewestByTrying(times: readonly number[], windowSize: number): number | null {
  const moments = [...new Set(times)]
  const all = Float64Array.from(times)
  let fewest: number | null = null
  for (let chosen = 0; chosen < 2 ** moments.length; chosen++) {
    const polls = moments.filter((_, index) => chosen & (1 << index))
    const ends = [...polls.map((poll) => countPublishedBy(all, poll)), times.length]
    const keeps = ends.every((end, index) => end - (ends[index - 1] ?? 0) <= windowSize)
    if (keeps && (fewest === null || polls.length < fewest)) fewest = polls.length
  }
  return fewest
}

describe('clairvoyant limit with a window', () => {
  it('says how many polls keeping windows takes where the budget is too small, and stays within the budget', () => {
    fc.assert(
      fc.property(ascending, fc.nat({ max: 8 }), fc.integer({ min: 1, max: 3 }), (times, requests, windowSize) => {
        const needed = fewestByTrying(times, windowSize)
        fc.pre(needed !== null)
        const options = { fromMs: 0, toMs: END, requests }
        const outcome = clairvoyant(world(times, windowSize), { ...options, keepWindow: true })
        expect(outcome.requests).toBeLessThanOrEqual(requests)
        expect(outcome.keepsWindows).toBe(needed! <= requests)
        if (outcome.keepsWindows) {
          expect(outcome.requestsToKeepWindows).toBeNull()
        } else {
          expect(outcome.requestsToKeepWindows).toBe(needed)
          const free = clairvoyant(world(times, windowSize), { ...options, keepWindow: false })
          expect(outcome.polls).toEqual(free.polls)
        }
      }),
    )
  })

  it('does not ask for the impossible: more items at one instant than the window holds', () => {
    const burst = world([5, 5, 5, 5, 9, 30, 31], 2)
    const outcome = clairvoyant(burst, { fromMs: 0, toMs: END, requests: 3, keepWindow: true })
    expect(outcome.keepsWindows).toBe(true)
    expect(outcome.requests).toBeLessThanOrEqual(3)
  })
})
