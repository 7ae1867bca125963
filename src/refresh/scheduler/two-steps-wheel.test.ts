import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MINUTE_MS, type Observation } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { estimatedDivergence } from '../divergence.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { hybrid } from '../estimators/index.ts'
import { reachesItems } from '../intensity.ts'
import { twoStepsCycle } from '../strategies/two-steps.ts'
import type { CycleSource, SourceFacts } from '../strategy.ts'
import { TwoStepsWheel, type WheelModel } from './two-steps-wheel.ts'

const START = Date.UTC(2026, 5, 1)
const CYCLE_MS = 10 * MINUTE_MS

interface Live<State> extends CycleSource<State> {
  facts: SourceFacts
  memory: State
}

function wheelModel<State>(estimator: IntensityEstimator<State>, sources: readonly Live<State>[]): WheelModel {
  const view = estimatedDivergence(estimator)
  const at = (index: number) => sources[index]!
  return {
    size: sources.length,
    cost: (index) => at(index).facts.cost,
    utility: (index, now) => view.utility(at(index).memory, at(index).facts, now),
    saturated: (index, now) => view.stream(at(index).memory, at(index).facts, now) >= at(index).facts.windowSize,
    saturatedAt: (index) =>
      reachesItems(estimator.intensity(at(index).memory), since(at(index).facts), at(index).facts.windowSize),
    fullWindow: (index) => at(index).facts.weight * at(index).facts.windowSize,
    since: (index) => since(at(index).facts),
    id: (index) => at(index).facts.id,
  }
}

const since = (facts: SourceFacts) => facts.lastRefreshAt ?? facts.addedAt

const world = fc.record({
  seed: fc.integer(),
  sources: fc.integer({ min: 1, max: 25 }),
  mostPerHour: fc.constantFrom(0.5, 3, 20),
  budget: fc.constantFrom(1, 2, 3.5, 6),
  firstThreshold: fc.constantFrom(1e-3, 1, 50, 1e4),
  // All alike: every choice is a tie.
  alike: fc.boolean(),
})

describe('2Steps on a timing wheel', () => {
  it('chooses, cycle by cycle, what the scan of Algorithm 4.1 chooses, while τ moves and models learn', () => {
    fc.assert(
      fc.property(world, (given) => {
        const estimator = hybrid()
        const random = seededRandom(given.seed)
        const begin = (): Live<ReturnType<typeof estimator.start>>[] =>
          Array.from({ length: given.sources }, (_, id) => ({
            facts: {
              id,
              weight: given.alike ? 1 : 1 + (id % 3),
              cost: given.alike ? 1 : 1 + (id % 2),
              windowSize: given.alike ? 20 : [10, 20, 40][id % 3]!,
              addedAt: START - CYCLE_MS,
              lastRefreshAt: START - CYCLE_MS,
            },
            memory: estimator.start({
              ratePerHour: given.alike ? 1 : (given.mostPerHour * (id + 1)) / given.sources,
              at: START,
            }),
          }))
        const scanned = begin()
        const wheeled = begin()
        const scan = twoStepsCycle(estimatedDivergence(estimator), { firstThreshold: given.firstThreshold })
        let state = scan.begin({ budgetPerCycle: given.budget, cycleMs: CYCLE_MS })
        const wheel = new TwoStepsWheel(wheelModel(estimator, wheeled), {
          budgetPerCycle: given.budget,
          cycleMs: CYCLE_MS,
          startMs: START,
          firstThreshold: given.firstThreshold,
        })
        for (let cycle = 0; cycle < 250; cycle++) {
          const now = START + cycle * CYCLE_MS
          const choice = scan.select(state, scanned, now, random)
          state = choice.state
          const chosen = wheel.decide()
          expect(chosen.toSorted((a, b) => a - b)).toEqual(choice.refresh.toSorted((a, b) => a - b))
          expect(wheel.threshold).toBe(state.threshold)
          for (const index of chosen) {
            const source = scanned[index]!
            const newItems = Math.floor(random() * 30)
            const observation = seen(source.facts, now, newItems)
            const memory = estimator.observe(source.memory, observation)
            const facts = { ...source.facts, lastRefreshAt: now }
            scanned[index] = { facts, memory }
            wheeled[index]!.facts = facts
            wheeled[index]!.memory = memory
            wheel.sleep(index)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('looks at few sources: far fewer than the scan', () => {
    const estimator = hybrid()
    const sources = Array.from({ length: 400 }, (_, id) => ({
      facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: START, lastRefreshAt: START },
      memory: estimator.start({ ratePerHour: 0.01 * (1 + (id % 50)), at: START }),
    }))
    const wheel = new TwoStepsWheel(wheelModel(estimator, sources), {
      budgetPerCycle: 2,
      cycleMs: CYCLE_MS,
      startMs: START,
    })
    for (let cycle = 0; cycle < 1_000; cycle++) {
      for (const index of wheel.decide()) {
        sources[index]!.facts = { ...sources[index]!.facts, lastRefreshAt: START + cycle * CYCLE_MS }
        wheel.sleep(index)
      }
    }
    expect(wheel.woken).toBeLessThan(0.25 * 400 * 1_000)
  })
})

function seen(facts: SourceFacts, at: number, newItems: number): Observation {
  return {
    sourceId: facts.id,
    previousAt: facts.lastRefreshAt,
    at,
    newItems: Math.min(newItems, facts.windowSize),
    windowSize: facts.windowSize,
    overlap: newItems >= facts.windowSize ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 0,
    latencyMs: 1,
  }
}
