import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/model/index.ts'
import { ESTIMATORS } from '../../src/refresh/estimators/index.ts'
import { findStrategy } from '../../src/refresh/strategies/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { type SimSource, simSource } from '../simulator/world.ts'
import { runCluster } from './cluster-run.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 2 * DAY_MS
const MEASURED_FROM = START + DAY_MS
const BUDGET = { requests: 120, perMs: HOUR_MS }
const GREEDY = 1
const MODEST = 2

/** The greedy one has few sources, of the shortest interval; the other has more, which follow the price. */
const payerOf = ({ id }: SimSource) => (id <= 12 ? GREEDY : MODEST)

function newStrategy() {
  const strategy = findStrategy('uniform')?.priced?.(ESTIMATORS.hybrid())
  if (strategy === undefined) throw new Error('no such strategy')
  return strategy
}

/** What of all requests is made for the modest one. */
function modestShare(crawlers: number): number {
  const random = seededRandom(3)
  const times = () => poissonTimes(12 / DAY_MS, START, END, random)
  const sources = Array.from({ length: 60 }, (_, index) => simSource(index + 1, times(), 20))
  const counts = [0, 0, 0]
  runCluster(
    {
      world: { startMs: START, endMs: END, sources },
      newStrategy,
      terms: { budget: BUDGET, factor: 1, burst: 2 },
      minIntervalMs: 5 * 60 * SECOND_MS,
      members: crawlers,
      memberOf: ({ id }) => id % crawlers,
      latencyMs: 20,
      settingsOf: (source) => ({
        payers: [payerOf(source)],
        intervalMs: payerOf(source) === GREEDY ? SECOND_MS : null,
      }),
      seed: 1,
    },
    {
      refreshed(source, at) {
        if (at >= MEASURED_FROM) counts[payerOf(source)] = (counts[payerOf(source)] ?? 0) + 1
      },
      ended() {},
    },
  )
  const [, greedy = 0, modest = 0] = counts
  expect(greedy + modest).toBeGreaterThan(0.95 * 24 * BUDGET.requests)
  return modest / (greedy + modest)
}

it.each([1, 3])('%i crawlers share the budget among those who pay, whatever one of them wants', (crawlers) => {
  expect(modestShare(crawlers)).toBeGreaterThan(0.45)
})
