import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { PricedCourse, runPriced } from '../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { SourceTally } from './source-tally.ts'
import { type Course, Stretch } from './stretch.ts'

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
  const taken: number[] = []
  const begin = (price: number): Course => {
    const course = new PricedCourse({ world, strategy, price, seed: 1 })
    return {
      goOn(...asked) {
        const took = course.goOn(...asked)
        taken.push(...took.map(({ id }) => id))
        return took
      },
    }
  }
  return { taken, made: new Stretch([0, world.endMs], world.sources, 100, begin) }
}

it('runs no source twice at one knob, and counts each for those who ask for it', () => {
  const { taken, made } = stretch()
  const part = [world.sources[1]!]
  const ofPart = made.requestsAt(HOUR_MS, part, 1e6)
  const all = made.requestsAt(HOUR_MS, world.sources, 1e6)
  expect(made.requestsAt(HOUR_MS, part, 1e6)).toBe(ofPart)
  expect(taken).toEqual([1, 0, 2])
  expect(stretch().made.requestsAt(HOUR_MS, world.sources, 1e6)).toBe(all)
  expect(made.requestsAt(2 * HOUR_MS, world.sources, 1e6)).toBeLessThan(all)
})

it('gives up after the source with which there are too many requests', () => {
  const { taken, made } = stretch()
  expect(made.requestsAt(HOUR_MS, world.sources, 10)).toBeGreaterThan(10)
  expect(taken).toEqual([0])
})

it('shows a tally what it would have seen itself, whatever was run first', () => {
  const { made } = stretch()
  made.requestsAt(HOUR_MS, [world.sources[1]!], 1e6)
  made.requestsAt(HOUR_MS, world.sources, 1e6)
  const seen = new SourceTally(0, world.endMs, 90, 3)
  const strategy = findStrategy('uniform')!.priced!(undefined as never)
  runPriced({ world, strategy, price: HOUR_MS, seed: 1 }, seen)
  expect(made.show(HOUR_MS, new SourceTally(0, world.endMs, 90, 3))).toEqual(seen)
})
