import { type InstantMs, MINUTE_MS, type Observation, type SourceId } from '../../model/index.ts'
import { expectedItems, NO_SIGNALS, observeSignal, type SignalRecord } from '../strategies/foresight/index.ts'

/** `source` tends to publish when `by` does; what that has proved worth so far. */
export interface SiblingPair {
  readonly source: SourceId
  readonly by: SourceId
  readonly record: SignalRecord
}

interface Follower {
  by: SourceId
  record: SignalRecord
  /** When `by` was found with something new that this one was not yet asked about; null: it was not. */
  signalledAt: InstantMs | null
}

/** Siblings publish within ten minutes of each other or so: what is older announces nothing, what is farther was not meant. */
const NEAR_MS = 20 * MINUTE_MS

/**
 * Feeds that publish together: when one of them is found with something new, the others are told. How often that was
 * true, and of how many of their items, is learnt from every refresh that follows, whether or not the signal moved it.
 */
export class SiblingSignals {
  private followers = new Map<SourceId, Follower>()
  private readonly byLeader = new Map<SourceId, SourceId[]>()

  /** Takes over who follows whom; what was learnt of a pair that stays is kept. */
  set(pairs: readonly Pick<SiblingPair, 'source' | 'by'>[], learnt: readonly SiblingPair[] = []): void {
    const known = new Map(learnt.map((pair) => [pair.source, pair]))
    const before = this.followers
    this.followers = new Map()
    this.byLeader.clear()
    for (const { source, by } of pairs) {
      const same = before.get(source)
      const stored = known.get(source)
      const record = same?.by === by ? same.record : stored?.by === by ? stored.record : NO_SIGNALS
      this.followers.set(source, { by, record, signalledAt: same?.by === by ? same.signalledAt : null })
      this.byLeader.set(by, [...(this.byLeader.get(by) ?? []), source])
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
    return follower === undefined ? 0 : Math.max(0, expectedItems(follower.record))
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
      const { signalledAt } = follower
      const items = signalledAt === null ? newItems : announced(observation, signalledAt, usual)
      follower.record = observeSignal(follower.record, signalledAt !== null, items)
      follower.signalledAt = null
    }
    const told = newItems > 0 && isFresh(observation) ? (this.byLeader.get(sourceId) ?? []) : []
    for (const id of told) this.followers.get(id)!.signalledAt ??= at
    return told
  }
}

/**
 * Items that were waiting when the signal came, beyond the usual: what comes after it is no reason to look now. Fewer than usual count against it, or chance alone would make every
 * busy pair siblings. Without dates nobody knows.
 */
function announced(
  { itemTimes }: Observation,
  signalledAt: InstantMs,
  usual: (from: InstantMs, to: InstantMs) => number,
): number {
  const from = signalledAt - NEAR_MS
  const waiting = itemTimes.filter((time) => time > from && time <= signalledAt).length
  return waiting - usual(from, signalledAt)
}

function isFresh({ at, itemTimes }: Observation): boolean {
  const newest = itemTimes.at(-1)
  return newest !== undefined && at - newest <= NEAR_MS
}
