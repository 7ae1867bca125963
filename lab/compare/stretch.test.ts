import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { PricedSourceRun, runPriced } from '../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { SourceTally } from './source-tally.ts'
import { type ResumableRun, Stretch } from './stretch.ts'

const world: SimWorld = {
  startMs: 0,
  endMs: 10 * DAY_MS,
  sources: [3, 5, 7].map((every, id) =>
    simSource(
      id,
      Float64Array.from({ length: 30 }, (_, k) => k * every * HOUR_MS),
      20,
    ),
  ),
}

function stretch() {
  const strategy = findStrategy('uniform')!.priced!(undefined as never)
  const calls: number[] = []
  const begin = (price: number): ResumableRun => {
    const run = new PricedSourceRun({ world, strategy, price, seed: 1 })
    return {
      goOn(...args) {
        const took = run.goOn(...args)
        calls.push(...took.map(({ id }) => id))
        return took
      },
    }
  }
  return { calls, stretch: new Stretch([0, world.endMs], world.sources, 100, begin) }
}

it('runs no source twice at one knob, and counts each for those who ask for it', () => {
  const { calls, stretch: subject } = stretch()
  const part = [world.sources[1]!]
  const ofPart = subject.requestsAt(HOUR_MS, part, 1e6)
  const all = subject.requestsAt(HOUR_MS, world.sources, 1e6)
  expect(subject.requestsAt(HOUR_MS, part, 1e6)).toBe(ofPart)
  expect(calls).toEqual([1, 0, 2])
  expect(stretch().stretch.requestsAt(HOUR_MS, world.sources, 1e6)).toBe(all)
  expect(subject.requestsAt(2 * HOUR_MS, world.sources, 1e6)).toBeLessThan(all)
})

it('gives up after the source with which there are too many requests', () => {
  const { calls, stretch: subject } = stretch()
  expect(subject.requestsAt(HOUR_MS, world.sources, 10)).toBeGreaterThan(10)
  expect(calls).toEqual([0])
})

it('shows a tally what it would have seen itself, whatever was run first', () => {
  const { stretch: subject } = stretch()
  subject.requestsAt(HOUR_MS, [world.sources[1]!], 1e6)
  subject.requestsAt(HOUR_MS, world.sources, 1e6)
  const tally = new SourceTally(0, world.endMs, 90, 3)
  const strategy = findStrategy('uniform')!.priced!(undefined as never)
  runPriced({ world, strategy, price: HOUR_MS, seed: 1 }, tally)
  expect(subject.show(HOUR_MS, new SourceTally(0, world.endMs, 90, 3))).toEqual(tally)
})
