import type { InstantMs, Observation } from '../../src/model/index.ts'
import type { Tally } from './tally.ts'
import { countPublishedBy, type SimSource } from './world.ts'

/**
 * A source that is seen by itself and with others. What a full window of the others has pushed out is not lost yet: its own
 * window may still show it. Delay counts up to the look that shows an item, or finds that it is gone.
 */
export class BundledSource {
  /** Items before this were shown, or are in `open`. */
  private reached = 0
  /** Items before this have taught. */
  private taught = 0
  /** Pushed out of the shared window unseen. */
  private open: number[] = []
  private lastAt: InstantMs | null = null

  constructor(
    readonly source: SimSource,
    private readonly tally: Tally,
  ) {}

  /** With others, `shown` items of it; `isFull`: nobody knows what is missing, so nothing is learnt. */
  seeShared(at: InstantMs, shown: number, isFull: boolean): Observation {
    const { source } = this
    const to = countPublishedBy(source.times, at, this.reached)
    const from = Math.max(this.reached, to - shown)
    for (let index = this.reached; index < from; index++) this.open.push(index)
    this.tally.countItems(source, at, from, to, from)
    this.reached = to
    const observation = this.observation(at, isFull ? from : this.taught, to, 'some', null)
    if (!isFull) this.teach(at, to)
    return observation
  }

  /** New items of a shared window that holds `shown` of its items. */
  countNew(at: InstantMs, shown: number): number {
    return Math.min(shown, countPublishedBy(this.source.times, at, this.reached) - this.reached)
  }

  /** By itself. */
  refresh(at: InstantMs): Observation {
    const { source, tally } = this
    const to = countPublishedBy(source.times, at, this.reached)
    const visibleFrom = Math.max(0, to - source.windowSize)
    for (const index of this.open) tally.countItems(source, at, index, index + 1, visibleFrom)
    tally.countItems(source, at, this.reached, to, Math.max(this.reached, visibleFrom))
    this.open = []
    this.reached = to
    const from = Math.max(this.taught, visibleFrom)
    const isFirst = this.lastAt === null
    const overlap = isFirst ? 'first' : to - from > 0 && to - from >= source.windowSize ? 'none' : 'some'
    const observation = this.observation(at, from, to, overlap, Math.min(source.windowSize, to))
    this.teach(at, to)
    return observation
  }

  end(endMs: InstantMs): void {
    const { source, tally } = this
    const to = countPublishedBy(source.times, endMs, this.reached)
    const visibleFrom = to - source.windowSize
    for (const index of this.open) tally.countItems(source, endMs, index, index + 1, visibleFrom)
    tally.ended(source, this.reached, to)
  }

  private teach(at: InstantMs, to: number): void {
    this.lastAt = at
    this.taught = to
  }

  private observation(
    at: InstantMs,
    from: number,
    to: number,
    overlap: Observation['overlap'],
    windowSize: number | null,
  ): Observation {
    return {
      sourceId: this.source.id,
      previousAt: this.lastAt,
      at,
      newItems: to - from,
      windowSize: to > from || overlap === 'first' ? windowSize : null,
      overlap,
      lostAtLeast: 0,
      itemTimes: Array.from(this.source.times.subarray(from, to)),
      notModified: to === from && this.lastAt !== null,
      bytes: 0,
      latencyMs: 0,
    }
  }
}
