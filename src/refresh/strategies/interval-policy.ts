import type { DurationMs, InstantMs, Observation, Random } from '../../model/index.ts'
import { describeMs } from '../describe.ts'
import type { PricedStrategy, SourceFacts } from '../strategy.ts'

/** A policy that knows no budget, only an interval after each refresh: the peers', advaRSS. */
export interface IntervalPolicy<Memory extends { readonly intervalMs: DurationMs }> {
  readonly id: string
  start(facts: SourceFacts, random: Random): Memory
  observe(memory: Memory, observation: Observation, facts: SourceFacts, random: Random): Memory
  /** Typical interval, for a first price. */
  readonly usualMs: DurationMs
  readonly because: string
}

/**
 * The price is the one factor on all intervals and limits that lets such a policy meet a budget
 * (traces/README: policies that know no budget). 1 is the policy as its authors ship it.
 */
export function intervalStrategy<Memory extends { readonly intervalMs: DurationMs }>(
  policy: IntervalPolicy<Memory>,
): PricedStrategy<Memory> {
  return {
    id: policy.id,
    start: policy.start,
    observe: policy.observe,
    dueAt: (memory, facts, price) =>
      facts.lastRefreshAt === null ? facts.addedAt : facts.lastRefreshAt + price * memory.intervalMs,
    reason: (memory, _facts, price) =>
      `after ${describeMs(price * memory.intervalMs)}: ${policy.because} (${policy.id})`,
    firstPrice: (sources, budget) => (Math.max(1, sources) * budget.perMs) / budget.requests / policy.usualMs,
  }
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Times of the new items; where dates are not credible, the moment they were seen. */
export function timesOf(observation: Observation): readonly InstantMs[] {
  const { itemTimes, newItems, at } = observation
  return itemTimes.length > 0 || !(newItems > 0) ? itemTimes : new Array<InstantMs>(Math.floor(newItems)).fill(at)
}
