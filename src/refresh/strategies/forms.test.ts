import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../model/index.ts'
import { estimatedDivergence } from '../divergence.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { periodic } from '../estimators/index.ts'
import type { PeriodicState } from '../estimators/periodic.ts'
import type { CycleSource, CycleStrategy, DivergenceView, PricedStrategy } from '../strategy.ts'
import { onlySat, onlySatCycle } from './only-sat.ts'
import { onlyTau, onlyTauCycle } from './only-tau.ts'
import { topKUtilityCycle } from './top-k-utility.ts'
import { raisedThreshold, twoSteps, twoStepsCycle } from './two-steps.ts'
import { uniform, uniformCycle } from './uniform.ts'

const NOW = Date.UTC(2026, 2, 3, 9, 40)
const estimator: IntensityEstimator<PeriodicState> = periodic()
const view = estimatedDivergence(estimator)
const never = () => 0

/** Sources with a learnt daily rate, last refreshed within the last four days. */
const sources = fc
  .array(
    fc.record({
      rates: fc.array(fc.double({ min: 0.001, max: 5, noNaN: true }), { minLength: 24, maxLength: 24 }),
      ageHours: fc.double({ min: 0.1, max: 96, noNaN: true }),
      weight: fc.constantFrom(0.5, 1, 3),
      cost: fc.constantFrom(1, 2),
      windowSize: fc.constantFrom(10, 20, 50),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((facts) =>
    facts.map(({ rates, ageHours, weight, cost, windowSize }, id): CycleSource<PeriodicState> => {
      const lastRefreshAt = NOW - ageHours * HOUR_MS
      const start = estimator.start({ ratePerHour: 1, at: lastRefreshAt })
      return {
        facts: { id, weight, cost, windowSize, addedAt: 0, lastRefreshAt },
        memory: { ...start, ratesPerHour: rates },
      }
    }),
  )

const threshold = fc.double({ min: 0.01, max: 5_000, noNaN: true })
const sortIds = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

/** Sources whose utility or mass lies on the border may fall on either side by rounding. */
function clear(all: readonly CycleSource<PeriodicState>[], price: number): boolean {
  return all.every(({ memory, facts }) => {
    const utility = view.utility(memory, facts, NOW) / (price * facts.cost)
    const mass = view.stream(memory, facts, NOW) / facts.windowSize
    return Math.abs(utility - 1) > 1e-9 && Math.abs(mass - 1) > 1e-9
  })
}

/** The cycle form of any priced strategy at a fixed price: refresh whatever is due by now. It knows no budget. */
function dueCycle<Memory>(strategy: PricedStrategy<Memory>, price: number): CycleStrategy<Memory, number> {
  return {
    id: strategy.id,
    begin: () => price,
    withBudget: (state) => state,
    select: (state, sources, now) => ({
      state,
      refresh: sources
        .filter(({ memory, facts }) => strategy.dueAt(memory, facts, state) <= now)
        .map(({ facts }) => facts.id),
    }),
  }
}

const pricedChoice =
  (strategy: Parameters<typeof dueCycle<PeriodicState>>[0], price: number) =>
  (all: readonly CycleSource<PeriodicState>[]) =>
    sortIds(dueCycle(strategy, price).select(price, all, NOW, never).refresh)

describe('cycle form and priced form choose the same sources', () => {
  it('only-tau', () => {
    fc.assert(
      fc.property(sources, threshold, (all, tau) => {
        fc.pre(clear(all, tau))
        const cycle = onlyTauCycle(view, { firstThreshold: tau, rule: null })
        const state = cycle.begin({ budgetPerCycle: 5, cycleMs: HOUR_MS })
        expect(sortIds(cycle.select(state, all, NOW, never).refresh)).toEqual(
          pricedChoice(onlyTau(estimator), tau)(all),
        )
      }),
    )
  })

  it('only-sat, with budget for all; its price 1 is the published strategy', () => {
    fc.assert(
      fc.property(sources, (chosenSources) => {
        const all = chosenSources.map((source) => ({ ...source, facts: { ...source.facts, weight: 1, cost: 1 } }))
        fc.pre(clear(all, 1))
        const cycle = onlySatCycle(view)
        expect(sortIds(cycle.select(1_000, all, NOW, never).refresh)).toEqual(pricedChoice(onlySat(estimator), 1)(all))
      }),
    )
  })

  it('two-steps, at τ·b/(b − b_sat), while fewer than b are saturated', () => {
    fc.assert(
      fc.property(sources, threshold, fc.integer({ min: 1, max: 80 }), (all, tau, budget) => {
        const saturated = all.filter(({ memory, facts }) => view.stream(memory, facts, NOW) >= facts.windowSize)
        const spent = saturated.reduce((sum, { facts }) => sum + facts.cost, 0)
        fc.pre(spent < budget)
        const price = raisedThreshold(tau, budget, spent)
        fc.pre(clear(all, price))
        const cycle = twoStepsCycle(view, { firstThreshold: tau, rule: null })
        const state = cycle.begin({ budgetPerCycle: budget, cycleMs: HOUR_MS })
        expect(sortIds(cycle.select(state, all, NOW, never).refresh)).toEqual(
          pricedChoice(twoSteps(estimator), price)(all),
        )
      }),
    )
  })

  it('top-k-utility is only-tau at the price of its last choice', () => {
    fc.assert(
      fc.property(sources, fc.integer({ min: 1, max: 10 }), (chosenSources, budget) => {
        const all = chosenSources.map((source) => ({ ...source, facts: { ...source.facts, cost: 1 } }))
        const cycle = topKUtilityCycle(view)
        const chosen = cycle.select(cycle.begin({ budgetPerCycle: budget, cycleMs: HOUR_MS }), all, NOW, never).refresh
        const utilities = all.map(({ memory, facts }) => view.utility(memory, facts, NOW))
        const last = Math.min(...chosen.map((id) => utilities[id]!))
        expect(sortIds(chosen)).toEqual(pricedChoice(onlyTau(estimator), last * (1 - 1e-9))(all))
      }),
    )
  })

  it('uniform: taking turns is one interval for all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 8 }), (perCycle, rounds) => {
        const count = perCycle * rounds
        const interval = rounds * HOUR_MS
        let state = uniformCycle.begin({ budgetPerCycle: perCycle, cycleMs: HOUR_MS })
        const last = new Array<number | null>(count).fill(null)
        for (let cycle = 0; cycle < 3 * rounds; cycle++) {
          const now = cycle * HOUR_MS
          const all = last.map((lastRefreshAt, id) => ({
            facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: 1e15, lastRefreshAt },
            memory: { phase: 1 },
          }))
          const turn = uniformCycle.select(state, all, now, never)
          if (cycle >= rounds) {
            const due = all.filter(({ facts, memory }) => uniform.dueAt(memory, facts, interval) <= now)
            expect(sortIds(turn.refresh)).toEqual(due.map(({ facts }) => facts.id))
          }
          for (const id of turn.refresh) last[id] = now
          state = turn.state
        }
      }),
    )
  })
})

describe('Algorithm 4.1 to the letter', () => {
  const source = (id: number, stream: number, window: number, utility: number) => ({
    facts: { id, weight: 1, cost: 1, windowSize: 10, addedAt: 0, lastRefreshAt: 0 },
    memory: { stream, window, utility },
  })
  const view: DivergenceView<ReturnType<typeof source>['memory']> = {
    stream: (memory) => memory.stream,
    window: (memory) => memory.window,
    utility: (memory) => memory.utility,
  }
  const choose = (budget: number, tau: number, all: ReturnType<typeof source>[]) => {
    const strategy = twoStepsCycle(view, { firstThreshold: tau })
    return strategy.select(strategy.begin({ budgetPerCycle: budget, cycleMs: 1 }), all, 0, never)
  }

  it('takes the b saturated sources with most to fetch, and nothing else when they use up b', () => {
    const all = [source(0, 12, 4, 99), source(1, 30, 9, 1), source(2, 10, 7, 1), source(3, 5, 5, 1e6)]
    expect(choose(2, 1, all).refresh).toEqual([1, 2])
  })

  it('raises τ by b/(b − b_sat) for the others', () => {
    const all = [source(0, 12, 4, 0), source(1, 3, 3, 1.9), source(2, 3, 3, 2), source(3, 3, 3, 2.1)]
    expect(choose(2, 1, all).refresh).toEqual([0, 2, 3])
  })

  it('passes over saturated sources without anything relevant', () => {
    expect(choose(2, 1, [source(0, 40, 0, 0), source(1, 10, 1, 0)]).refresh).toEqual([1])
  })

  it('then moves τ by Algorithm 4.2', () => {
    const busy = [source(0, 1, 1, 5), source(1, 1, 1, 5), source(2, 1, 1, 5)]
    expect(choose(2, 1, busy).state.threshold).toBeCloseTo(1.05)
    expect(choose(3, 1, busy).state.threshold).toBe(1)
    expect(choose(10, 1, busy).state.threshold).toBeCloseTo(0.95)
  })
})
