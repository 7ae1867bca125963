import { type DurationMs, HOUR_MS, type InstantMs, type SourceId } from '../../model/index.ts'
import type { PricedStrategy } from '../strategy.ts'
import { describeDuration } from '../words.ts'
import { isOver, latestLook, patience } from './alarm.ts'
import { OwnLimits } from './own-limits.ts'
import type { SourceRows } from './source-rows.ts'
import type { NextCheck, OwnIntervals, SchedulerSource } from './types.ts'

export interface DueTimesOptions<Memory> {
  readonly rows: SourceRows<Memory>
  readonly strategy: PricedStrategy<Memory>
  readonly minIntervalMs: DurationMs
  readonly maxIntervalMs: DurationMs
}

/**
 * Patience with a silent source does not make it wait for longer than this: by then it costs next to nothing, and most of
 * the sources that were silent for weeks were refreshed once in days anyway, and found late when they woke up.
 */
const MOST_PATIENT_MS = 8 * HOUR_MS

/** When a source is due at a price: what the strategy wants, within the limits of node and source. */
export class DueTimes<Memory> {
  private readonly limits: OwnLimits
  private readonly options: DueTimesOptions<Memory>

  constructor(options: DueTimesOptions<Memory>) {
    this.options = options
    this.limits = new OwnLimits(options)
  }

  setOwn(id: SourceId, source: Pick<SchedulerSource, keyof OwnIntervals>): void {
    this.limits.set(id, source)
  }

  forget(id: SourceId): void {
    this.limits.forget(id)
  }

  dueAt(row: number, price: number): InstantMs {
    const { rows } = this.options
    const fixedAt = rows.fixedAt(row)
    if (fixedAt !== null) return fixedAt
    const last = rows.lastRefreshAt(row)
    if (last === null) return rows.addedAt(row)
    const ownMs = this.ownIntervalMs(row)
    if (ownMs !== null) return last + ownMs
    const targetAt = this.wishedAt(row, last, price)
    return Math.min(last + this.maxIntervalMs(row), Math.max(last + this.minIntervalMs(row), targetAt))
  }

  /** The same in words, without a time that was fixed. */
  plan(row: number, price: number): NextCheck {
    const { rows, strategy } = this.options
    const last = rows.lastRefreshAt(row)
    if (last === null) return { at: rows.addedAt(row), reason: 'new: not refreshed yet' }
    const ownMs = this.ownIntervalMs(row)
    if (ownMs !== null) return { at: last + ownMs, reason: `every ${describeDuration(ownMs)} (its own interval)` }
    const targetAt = this.wishedAt(row, last, price)
    const least = this.minIntervalMs(row)
    const most = this.maxIntervalMs(row)
    if (targetAt < last + least) {
      const reason = `not more often than every ${describeDuration(least)}, though the budget would allow it`
      return { at: last + least, reason }
    }
    if (targetAt > last + most) {
      return { at: last + most, reason: `at least every ${describeDuration(most)}, though hardly anything is expected` }
    }
    if (this.stretch(row, 0) > 1) {
      const reason = `after ${describeDuration(targetAt - last)}, to see whether its hub still works, which tells of news`
      return { at: targetAt, reason }
    }
    const patient = patience(rows.surprise(row)) > 1
    const reason = strategy.reason(rows.memory(row), rows.facts(row), price, patient ? undefined : targetAt)
    return { at: targetAt, reason }
  }

  /**
   * A time that was stored before a restart, or the shortest interval from now where a clock that was ahead has left it:
   * farther off than anything may be, or (`isCorrected`) of a source that was refreshed in the future.
   */
  plausibleTime(row: number, at: InstantMs | null, now: InstantMs, isCorrected: boolean): InstantMs | null {
    return this.limits.plausibleTime(this.options.rows.id(row), at, now, isCorrected)
  }

  /** After a refresh: as planned, sooner in an alarm, later where the publisher asks for it and no window overflows. */
  next(row: number, price: number, notBefore: NextCheck | null): NextCheck {
    const { rows } = this.options
    rows.setFixedAt(row, null)
    const planned = this.plan(row, price)
    rows.setDueAt(row, planned.at)
    const alarmed = this.alarmed(row, planned)
    if (alarmed !== null) {
      rows.setFixedAt(row, alarmed.at)
      return alarmed
    }
    if (notBefore === null || notBefore.at <= planned.at) return planned
    const fullAt = this.fullAt(row)
    const at = Math.max(planned.at, Math.min(notBefore.at, fullAt))
    rows.setFixedAt(row, at)
    return {
      at,
      reason: fullAt < notBefore.at ? `${notBefore.reason}, but its window will be full before` : notBefore.reason,
    }
  }

  /** A source that publishes faster than its model knows is refreshed before its window overflows. */
  private alarmed(row: number, planned: NextCheck): NextCheck | null {
    const { rows } = this.options
    const surprise = rows.surprise(row)
    if (!(surprise > 0) || this.ownIntervalMs(row) !== null) return null
    const last = rows.lastRefreshAt(row)!
    const windowSize = rows.windowSize(row)
    if (isOver(surprise, windowSize, planned.at - last)) rows.setSurprise(row, 0)
    const latest = Math.max(latestLook(surprise, last, windowSize), last + this.minIntervalMs(row))
    if (latest >= planned.at) return null
    return {
      at: latest,
      reason: `after ${describeDuration(latest - last)}: more came than expected; its window must not overflow`,
    }
  }

  /** Whether the strategy says when windows are full. */
  get knowsFull(): boolean {
    return this.options.strategy.urgentAt !== undefined
  }

  /** When its window is full; Infinity where the strategy does not ask. */
  fullAt(row: number): InstantMs {
    const { strategy, rows } = this.options
    return strategy.urgentAt?.(rows.memory(row), rows.facts(row)) ?? Number.POSITIVE_INFINITY
  }

  /** The price has nothing to say: a retry, a hint, a surprise, the user's own interval. */
  isTimed(row: number): boolean {
    return this.options.rows.fixedAt(row) !== null || this.ownIntervalMs(row) !== null
  }

  hasOwnInterval(row: number): boolean {
    return this.ownIntervalMs(row) !== null
  }

  minIntervalMs(row: number): DurationMs {
    return this.limits.minIntervalMs(this.options.rows.id(row))
  }

  maxIntervalMs(row: number): DurationMs {
    return this.limits.maxIntervalMs(this.options.rows.id(row))
  }

  private ownIntervalMs(row: number): DurationMs | null {
    return this.limits.intervalMs(this.options.rows.id(row))
  }

  /** What the strategy wishes, later where a source has been silent against its model. */
  private wishedAt(row: number, last: InstantMs, price: number): InstantMs {
    const { rows, strategy } = this.options
    const waitMs = rows.dueAtPrice(row, strategy, price) - last
    const patientMs = Math.min(waitMs * patience(rows.surprise(row)), MOST_PATIENT_MS)
    const calmMs = Math.max(waitMs, patientMs)
    const stretch = this.stretch(row, waitMs)
    if (stretch === 1) return last + calmMs
    // A hub that fails unseen must not cost a window.
    return Math.max(last + calmMs, Math.min(last + waitMs * stretch, this.fullAt(row)))
  }

  /** How many times longer it waits because its hub tells of news. */
  private stretch(row: number, waitMs: DurationMs): number {
    const { rows, strategy } = this.options
    return strategy.pushes?.stretch(rows.id(row), waitMs) ?? 1
  }
}
