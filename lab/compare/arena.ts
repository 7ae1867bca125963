import { DAY_MS } from '../../src/model/index.ts'
import { learnTables } from '../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { countPublishedBy, countWorldItems, type SimWorld } from '../simulator/world.ts'
import { learnDailyPatterns } from './learnt.ts'
import { LEARNING_MS, type LearntTogether } from './policies.ts'

/** A trace made ready: what all policies at all budgets share. */
export interface Arena {
  readonly learnt: LearntTogether
  readonly world: SimWorld
  readonly measureFromMs: number
  readonly seed: number
  readonly items: number
}

export function arenaOf(world: SimWorld, seed: number): Arena {
  const measureFromMs = world.startMs + LEARNING_MS
  return {
    world,
    measureFromMs,
    learnt: {
      patterns: learnDailyPatterns(world, measureFromMs, seed),
      tables: learnTables(learningTimes(world, measureFromMs), seededRandom(seed)),
    },
    seed,
    items: countWorldItems(world),
  }
}

function learningTimes(world: SimWorld, untilMs: number): Float64Array[] {
  return world.sources.map(({ times, stated }) => (stated ?? times).subarray(0, countPublishedBy(times, untilMs - 1)))
}

export function measuredDays({ world, measureFromMs }: Arena): number {
  return (world.endMs - measureFromMs) / DAY_MS
}

/** Requests that every policy may spend in the measured time. */
export function budgetOf(arena: Arena, perDay: number): number {
  return Math.round(perDay * arena.world.sources.length * measuredDays(arena))
}
