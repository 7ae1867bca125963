import type { InstantMs } from '../../../model/index.ts'
import { since } from '../../divergence.ts'
import { reachesItems, utilityItemHours } from '../../intensity.ts'
import type { Countdown, CycleStrategy, LearntModel, SourceFacts } from '../../strategy.ts'
import { describeDuration } from '../../words.ts'
import type { OwnLimits } from '../own-limits.ts'
import { PAUSED, RETIRED, type SourceRows } from '../source-rows.ts'
import type { Explanation, NextCheck } from '../types.ts'
import type { CycleClock } from './cycle-clock.ts'

export interface CycleForecastDeps<Memory, State> {
  readonly strategy: CycleStrategy<Memory, State>
  readonly model: LearntModel<Memory>
  /** When τ will be reached, where that can be known for one source alone; absent: it cannot. */
  readonly reachedAt?: (memory: Memory, facts: SourceFacts, threshold: number) => InstantMs
  readonly rows: SourceRows<Memory>
  readonly limits: OwnLimits
  readonly clock: CycleClock
}

/** When a source is believed to be chosen if nothing changes, and why, for people: the strategy itself decides in its cycle. */
export class CycleForecast<Memory, State> {
  constructor(private readonly deps: CycleForecastDeps<Memory, State>) {}

  next(row: number, state: State): NextCheck {
    const { strategy, reachedAt, rows, limits, clock } = this.deps
    const { memory, facts } = rows.source(row)
    const { cycleMs, nextAt } = clock
    const last = facts.lastRefreshAt
    const ownMs = limits.intervalMs(facts.id)
    if (ownMs !== null) {
      return {
        at: last === null ? facts.addedAt : last + ownMs,
        reason: `every ${describeDuration(ownMs)} (its own interval)`,
      }
    }
    const cycles = `in cycles of ${describeDuration(cycleMs)} (${strategy.id})`
    if (last === null) return { at: nextAt, reason: `new: not refreshed yet; chosen ${cycles}` }
    const earliest = last + limits.minIntervalMs(facts.id)
    const latest = last + limits.maxIntervalMs(facts.id)
    const countdown = strategy.countdown?.(state, memory, facts)
    if (countdown !== undefined) {
      const at = Math.min(latest, Math.max(earliest, nextAt + (countdown.runsLeft - 1) * cycleMs))
      return { at: clock.cycleAt(at), reason: runsInWords(strategy.id, countdown) }
    }
    if (reachedAt === undefined) {
      return { at: clock.cycleAt(earliest), reason: `chosen ${cycles} while it is among those of highest utility` }
    }
    const threshold = this.threshold(state)
    const wished = Math.min(latest, Math.max(earliest, reachedAt(memory, facts, threshold)))
    const reason = `chosen ${cycles} when what waits is worth τ = ${threshold.toPrecision(2)}, or its window is full`
    return { at: clock.cycleAt(wished), reason }
  }

  /** τ; 0 where the strategy has none. */
  threshold(state: State): number {
    return this.deps.strategy.threshold?.(state) ?? 0
  }

  /** When its window will be full; Infinity: unknown. */
  fullAt(row: number): InstantMs {
    const { memory, facts } = this.deps.rows.source(row)
    const belief = this.deps.model.believes?.(memory)
    return belief === undefined
      ? Number.POSITIVE_INFINITY
      : reachesItems(belief.intensity, since(facts), facts.windowSize)
  }

  explain(row: number, state: State, now: InstantMs): Explanation {
    const { strategy, model, rows } = this.deps
    const { memory, facts } = rows.source(row)
    const { at, reason } = this.next(row, state)
    const price = this.threshold(state)
    const belief = model.believes?.(memory) ?? null
    const utility = belief === null ? null : facts.weight * utilityItemHours(belief.intensity, since(facts), now)
    const rests = rows.has(row, PAUSED) || rows.has(row, RETIRED)
    const fullAt = this.fullAt(row)
    return {
      strategy: strategy.id,
      price,
      nextAt: rests ? null : (rows.fixedAt(row) ?? at),
      reason,
      belief,
      expected: model.expected?.(memory, since(facts), now) ?? null,
      utility,
      worth: utility === null || !(price > 0) ? null : utility / (price * facts.cost),
      fullAt: Number.isFinite(fullAt) ? fullAt : null,
      counts: strategy.countdown?.(state, memory, facts).counts ?? null,
    }
  }
}

function runsInWords(id: string, { runsLeft, counts }: Countdown): string {
  const parts = Object.entries(counts).map(([name, value]) => `${name} ${Number(value.toPrecision(3))}`)
  return `${runsLeft === 1 ? 'at the next run' : `in ${runsLeft} runs`}: ${parts.join(', ')} (${id})`
}
