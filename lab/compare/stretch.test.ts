import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { PricedCourse } from '../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { SourceTally } from './source-tally.ts'
import { Stretch } from './stretch.ts'

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
  const refreshed: number[] = []
  const course = (price: number) => new PricedCourse({ world, strategy, price, seed: 1 })
  class Watched extends SourceTally {
    override refreshed(...[source, at, met]: Parameters<SourceTally['refreshed']>) {
      refreshed.push(source.id)
      super.refreshed(source, at, met)
    }
  }
  return { refreshed, made: new Stretch(world.endMs, course, () => new Watched(0, world.endMs, 90, 3)) }
}

it('runs no source twice at one knob, and counts each for those who ask for it', () => {
  const { refreshed, made } = stretch()
  const part = [world.sources[1]!]
  const ofPart = made.requestsAt(HOUR_MS, part, 1e6)
  expect(ofPart).toBe(refreshed.length)
  const all = made.requestsAt(HOUR_MS, world.sources, 1e6)
  expect(all).toBe(refreshed.length)
  expect(made.requestsAt(HOUR_MS, part, 1e6)).toBe(ofPart)
  expect(refreshed).toHaveLength(all)
  expect(stretch().made.requestsAt(HOUR_MS, world.sources, 1e6)).toBe(all)
  expect(made.requestsAt(2 * HOUR_MS, world.sources, 1e6)).toBeLessThan(all)
})

it('gives up after the source with which there are too many requests', () => {
  const { refreshed, made } = stretch()
  expect(made.requestsAt(HOUR_MS, world.sources, 10)).toBeGreaterThan(10)
  expect(new Set(refreshed)).toEqual(new Set([0]))
})
