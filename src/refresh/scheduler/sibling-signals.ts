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
  /** When `by` has published something that this one was not yet asked about; null: it has not. */
  signalledFor: InstantMs | null
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
      this.followers.set(source, { by, record, signalledFor: same?.by === by ? same.signalledFor : null })
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
    const { sourceId, newItems, overlap, previousAt } = observation
    if (previousAt === null || overlap === 'first') return []
    const follower = this.followers.get(sourceId)
    if (follower !== undefined) {
      const { signalledFor } = follower
      const items = signalledFor === null ? newItems : announced(observation, signalledFor, usual)
      follower.record = observeSignal(follower.record, signalledFor !== null, items)
      follower.signalledFor = null
    }
    const published = newItems > 0 ? freshest(observation) : null
    const told = published === null ? [] : (this.byLeader.get(sourceId) ?? [])
    for (const id of told) this.followers.get(id)!.signalledFor ??= published
    return told
  }
}

/**
 * Items about the time of the signal, beyond the usual; fewer than usual count against it, or chance alone would make every
 * busy pair siblings. Without dates nobody knows.
 */
function announced(
  { itemTimes }: Observation,
  about: InstantMs,
  usual: (from: InstantMs, to: InstantMs) => number,
): number {
  const near = itemTimes.filter((time) => Math.abs(time - about) <= NEAR_MS).length
  return near - usual(about - NEAR_MS, about + NEAR_MS)
}

/** When the newest item was published, if that was just now. */
function freshest({ at, itemTimes }: Observation): InstantMs | null {
  const newest = itemTimes.at(-1)
  return newest !== undefined && at - newest <= NEAR_MS ? newest : null
}
