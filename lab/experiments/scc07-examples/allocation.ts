import { entryAt } from '../../../src/model/entry-at.ts'
import { HOUR_MS } from '../../../src/model/index.ts'
import { known } from '../../../src/refresh/estimators/index.ts'
import { constantIntensity } from '../../../src/refresh/intensity.ts'
import { scc07Allocation } from '../../../src/refresh/strategies/scc07.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import type { PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'

interface ExpectedSplit {
  readonly rate: number
  readonly weight: number
}

/** Theorem 1 as our strategy allocates at one price, against an optimiser that knows nothing of square roots. */
export function theorem1(seeds: number): PaperClaim {
  let furthest = 0
  let gain = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const random = sourceRandom(seed, 1)
    const sources = Array.from({ length: CONFIG.sources }, () => ({
      rate: 0.05 + 4 * random(),
      weight: 0.5 + 3 * random(),
    }))
    const ours = allocated(sources)
    const best = optimised(sources)
    furthest = Math.max(furthest, ...ours.map((m, k) => Math.abs(m / entryAt(best, k) - 1)))
    gain = Math.max(gain, delay(sources, ours) / delay(sources, best) - 1)
  }
  return {
    text: 'Theorem 1: allocation by the root of weight and rate is what a numeric optimiser finds',
    holds: furthest < 1e-3 && gain < 1e-6,
    figures: { furthestShare: furthest, delayAboveOptimum: gain },
  }
}

/** Σ wλT²/(2m), T = 1. */
function delay(sources: readonly ExpectedSplit[], allocation: readonly number[]): number {
  return sources.reduce((sum, { rate, weight }, k) => sum + (weight * rate) / (2 * entryAt(allocation, k)), 0)
}

function allocated(sources: readonly ExpectedSplit[]): number[] {
  const perHour = sources.map(({ rate, weight }) => {
    const estimator = known(constantIntensity(rate))
    const facts = { id: 0, weight, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: 0 }
    const due = scc07Allocation(estimator).dueAt(estimator.start({ ratePerHour: rate, at: 0 }), facts, 1)
    return HOUR_MS / due
  })
  const total = perHour.reduce((sum, each) => sum + each, 0)
  return perHour.map((each) => (each * CONFIG.requestsPerPeriod) / total)
}

/** Moves requests between two sources at a time, to the better split of what both have, until nothing changes. */
function optimised(sources: readonly ExpectedSplit[]): number[] {
  const allocation = sources.map(() => CONFIG.requestsPerPeriod / sources.length)
  for (let sweep = 0; sweep < 400; sweep++) {
    let moved = 0
    for (let k = 0; k < sources.length; k++) {
      const other = (k + 1 + (sweep % (sources.length - 1))) % sources.length
      const both = entryAt(allocation, k) + entryAt(allocation, other)
      const mine = bestSplit(entryAt(sources, k), entryAt(sources, other), both)
      moved = Math.max(moved, Math.abs(mine - entryAt(allocation, k)))
      allocation[k] = mine
      allocation[other] = both - mine
    }
    if (moved < 1e-9) break
  }
  return allocation
}

function bestSplit(a: ExpectedSplit, b: ExpectedSplit, both: number): number {
  const cost = (x: number) => (a.weight * a.rate) / x + (b.weight * b.rate) / (both - x)
  let low = 0
  let high = both
  for (let step = 0; step < 200; step++) {
    const left = low + (high - low) / 3
    const right = high - (high - low) / 3
    if (cost(left) < cost(right)) high = right
    else low = left
  }
  return (low + high) / 2
}
