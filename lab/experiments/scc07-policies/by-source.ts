import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { type Arena, measuredDays } from '../../compare/arena.ts'
import { pricedPolicy } from '../../compare/policies.ts'
import type { PolicyRow } from '../../compare/types.ts'
import { runPriced } from '../../simulator/priced-run.ts'
import { Tally } from '../../simulator/tally.ts'
import type { SimSource } from '../../simulator/world.ts'

/** What one source waited under two policies, and what might explain the difference. */
export interface SourceDifference {
  readonly name: string
  readonly itemsPerDay: number
  /** Requests a day under the first and the second policy. */
  readonly requestsPerDay: readonly [number, number]
  /** Mean delay, minutes. */
  readonly delayMinutes: readonly [number, number]
  /** Share of the whole difference in total delay that is this source's; above 0: it speaks for the second. */
  readonly shareOfDifference: number
  /** Items within a minute of the one before: they come in bursts, of which the hour of the day says little. */
  readonly inBursts: number
  /** Mean logarithm of what the day learnt says of the items that came, over a flat day; below 0: it misled. */
  readonly patternNats: number
}

/** Both policies again at the prices that met the budget, source by source; the greatest differences first. */
export function differencesBySource(arena: Arena, first: PolicyRow, second: PolicyRow): readonly SourceDifference[] {
  const days = measuredDays(arena)
  const tallies = [first, second].map(({ policy, price }) => talliesOf(arena, policy, price!))
  const total = sumOf(entryAt(tallies, 1)) - sumOf(entryAt(tallies, 0))
  return arena.world.sources
    .map((source, index) => {
      const [a, b] = [entryAt(entryAt(tallies, 0), index), entryAt(entryAt(tallies, 1), index)]
      return {
        name: source.name,
        itemsPerDay: a.items / days,
        requestsPerDay: [a.requests / days, b.requests / days] as const,
        delayMinutes: [a.meanDelayMs / MINUTE_MS, b.meanDelayMs / MINUTE_MS] as const,
        shareOfDifference: total === 0 ? 0 : (b.delaySumMs - a.delaySumMs) / total,
        inBursts: burstShare(source, arena.measureFromMs),
        patternNats: patternNats(arena, source, index),
      }
    })
    .sort((a, b) => b.shareOfDifference - a.shareOfDifference)
}

function talliesOf(arena: Arena, policy: string, price: number): Tally[] {
  const { world, seed, measureFromMs, learnt } = arena
  const strategy = pricedPolicy(policy, learnt)!
  return world.sources.map((source) => {
    const tally = new Tally(measureFromMs, world.endMs)
    runPriced({ world: { ...world, sources: [source] }, strategy, price, seed }, tally)
    return tally
  })
}

function sumOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { delaySumMs }) => sum + delaySumMs, 0)
}

function burstShare({ times }: SimSource, fromMs: number): number {
  let items = 0
  let close = 0
  for (let index = 1; index < times.length; index++) {
    if (entryAt(times, index) < fromMs) continue
    items++
    if (entryAt(times, index) - entryAt(times, index - 1) <= MINUTE_MS) close++
  }
  return items > 0 ? close / items : 0
}

/** The day as the learning phase gave it, a twentieth of it flat, against the items measured. */
function patternNats({ learnt: { patterns }, measureFromMs }: Arena, { times }: SimSource, index: number): number {
  const counts = entryAt(patterns.counts, index)
  const learnt = counts.reduce((sum, count) => sum + count, 0)
  if (learnt === 0) return 0
  let items = 0
  let nats = 0
  for (const time of times) {
    if (time < measureFromMs) continue
    const hour = Math.floor((time % DAY_MS) / HOUR_MS)
    items++
    nats += Math.log(0.05 + (0.95 * 24 * entryAt(counts, hour)) / learnt)
  }
  return items > 0 ? nats / items : 0
}
