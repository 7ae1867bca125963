import {
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  MINUTE_MS,
  type Observation,
  type SourceId,
} from '../../../model/index.ts'
import type { Signals } from '../../strategy.ts'
import { afterSignal, expectedOfSignal, NO_SIGNALS, observeSignal, type SignalRecord } from './signals.ts'

/** `source` tends to publish when `by` does; what that has proved worth so far. */
export interface SiblingPair {
  readonly source: SourceId
  readonly by: SourceId
  readonly record: SignalRecord
}

interface Follower {
  by: SourceId
  record: SignalRecord
  refreshedAt: InstantMs
  /** `by` was found with something, and this one was not refreshed since; null: no signal. */
  signal: Signal | null
}

interface Signal {
  readonly at: InstantMs
  /** When that was published. */
  readonly about: InstantMs
}

/** Siblings publish within ten minutes of each other or so: what is farther was not meant. */
const NEAR_MS = 20 * MINUTE_MS
/** From so many items a signal on, a sibling is kept. */
const PROVED_ITEMS = 0.2
/** What was published longer ago is no news any more. */
const OLD_MS = 6 * HOUR_MS

/**
 * Feeds that publish together: when one of them is found with something new, the others get a signal. How often that was
 * true, and of how many of their items, is learnt from every refresh that follows, whether or not the signal moved it.
 */
export class SiblingSignals {
  private followers = new Map<SourceId, Follower>()
  private readonly byLeader = new Map<SourceId, SourceId[]>()

  /** Takes over who follows whom; what was learnt of a pair that stays is kept, and so is a pair that was worth it. */
  set(pairs: readonly Pick<SiblingPair, 'source' | 'by'>[], learnt: readonly SiblingPair[] = []): void {
    const known = new Map(learnt.map((pair) => [pair.source, pair]))
    const before = this.followers
    this.followers = new Map()
    this.byLeader.clear()
    for (const { source, by: found } of pairs) {
      const same = before.get(source)
      const stored = known.get(source)
      // In a family of several any may be the best by a hair: one that has proved its worth stays.
      const stays = same !== undefined && (same.by === found || expectedOfSignal(same.record) >= PROVED_ITEMS)
      const by = stays ? same.by : found
      if (stays) this.followers.set(source, same)
      else {
        const record = stored?.by === by ? stored.record : NO_SIGNALS
        const refreshedAt = same?.refreshedAt ?? Number.NEGATIVE_INFINITY
        this.followers.set(source, { by, record, refreshedAt, signal: null })
      }
      this.byLeader.set(by, [...(this.byLeader.get(by) ?? []), source])
    }
  }

  /** The clock was set: when something was published by it is not known any more, when it was refreshed is. */
  shift(byMs: DurationMs): void {
    for (const follower of this.followers.values()) {
      follower.refreshedAt += byMs
      follower.signal = null
    }
  }

  /** For keeping over a restart. */
  pairs(): readonly SiblingPair[] {
    return [...this.followers].map(([source, { by, record }]) => ({ source, by, record }))
  }

  leaderOf(source: SourceId): SourceId | null {
    return this.followers.get(source)?.by ?? null
  }

  /** Items to be expected of a source because its sibling has just published. */
  expected(source: SourceId): number {
    const follower = this.followers.get(source)
    return follower === undefined ? 0 : Math.max(0, expectedOfSignal(follower.record))
  }

  /**
   * Learns from a refresh; returns the sources that what it found is a signal for. `usual`: what was to be expected of the
   * refreshed source between two moments anyway, which a signal has not announced.
   */
  observed(observation: Observation, usual: (from: InstantMs, to: InstantMs) => number): readonly SourceId[] {
    const { sourceId, at, newItems, overlap, previousAt } = observation
    if (previousAt === null || overlap === 'first') return []
    const follower = this.followers.get(sourceId)
    if (follower !== undefined) {
      const { signal } = follower
      const items = signal === null ? newItems : signalsOf(observation, previousAt, signal, usual)
      follower.record = observeSignal(follower.record, signal !== null, items)
      follower.refreshedAt = at
      follower.signal = null
    }
    const about = newItems > 0 ? observation.itemTimes.at(-1) : undefined
    if (about === undefined || at - about > OLD_MS) return []
    const followers = (this.byLeader.get(sourceId) ?? []).filter((id) => this.followers.get(id)!.refreshedAt < about)
    for (const id of followers) this.followers.get(id)!.signal ??= { at, about }
    return followers
  }
}

/** Siblings as the scheduler hears of them. `expected`: what is believed of a source between two moments. */
export function listenTo<Memory>(
  siblings: SiblingSignals,
  expected: (memory: Memory, from: InstantMs, to: InstantMs) => number,
): Signals<Memory> {
  return {
    observe: (observation, memory) => siblings.observed(observation, (from, to) => expected(memory, from, to)),
    isWorthChecking(id, memory, now, dueAt) {
      const ratePerHour = (expected(memory, now, dueAt) * HOUR_MS) / (dueAt - now)
      return afterSignal(dueAt, now, ratePerHour, siblings.expected(id)) < dueAt
    },
    shift: (byMs) => siblings.shift(byMs),
  }
}

/**
 * Items that were waiting when the signal came, beyond the usual: what comes after it is no reason to look now. Fewer than
 * usual count against it, or chance alone would make every busy pair siblings. Without dates nobody knows.
 */
function signalsOf(
  { itemTimes }: Observation,
  previousAt: InstantMs,
  { at, about }: Signal,
  usual: (from: InstantMs, to: InstantMs) => number,
): number {
  const from = Math.max(previousAt, about - NEAR_MS)
  const to = Math.min(at, about + NEAR_MS)
  const waiting = itemTimes.filter((time) => time > from && time <= to).length
  return waiting - Math.max(0, usual(from, to))
}
