import {
  addCounts,
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  MINUTE_MS,
  NO_COUNTS,
  type QualityTally,
  SECOND_MS,
  subtractCounts,
} from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type RepeatedRun, repeat } from '../../runtime/repeat.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

/** The sums of one step of time. */
export interface QualityStep {
  readonly from: InstantMs
  readonly to: InstantMs
  readonly tally: QualityTally
}

/** What the node did lately, finer than the hours that the store keeps, for curves of a node that is young. */
export interface RecentQuality {
  note(at: InstantMs, tally: QualityTally): void
  /** Notes what the stored sums have grown by since the last time, in whichever process that was done. */
  readonly follow: RepeatedRun
  /** Whole steps of the last `spanMs`, oldest first, from the first in which there was anything. */
  steps(spanMs: DurationMs, stepMs: DurationMs, now: InstantMs): readonly QualityStep[]
  /** Requests a minute in the last hour, or since it began; null: nothing is remembered. */
  requestsPerMinute(now: InstantMs): number | null
  /** Saves now and then, and at the end. */
  readonly run: RepeatedRun
}

const EMPTY: QualityTally = { ...NO_COUNTS, delays: [] }
const SAVE_EVERY_MS = 5 * MINUTE_MS
const TEN_SECONDS_MS = 10 * SECOND_MS
const TEN_MINUTES_MS = 10 * MINUTE_MS

/** The sums are one small row. */
const FOLLOW_EVERY_MS = TEN_SECONDS_MS

/** The first of them is never whole. */
const ENOUGH_MINUTES = 5

interface QualityRingSize {
  readonly stepMs: DurationMs
  readonly retainedMs: DurationMs
}

/** Finest first: what is seen in the first minutes, in the first hours, in the first day. */
const FINEST: QualityRingSize = { stepMs: TEN_SECONDS_MS, retainedMs: 20 * MINUTE_MS }
const COARSER: readonly QualityRingSize[] = [
  { stepMs: MINUTE_MS, retainedMs: 2 * HOUR_MS },
  { stepMs: TEN_MINUTES_MS, retainedMs: 26 * HOUR_MS },
]

type Entry = readonly [start: InstantMs, tally: QualityTally]

/** By ring. What another version wrote is forgotten: it was of a day. */
const RECENT_QUALITY: NamedState<readonly (readonly Entry[])[]> = jsonState('recent-quality', [], (stored) =>
  Array.isArray(stored) && stored.every(Array.isArray) ? stored : undefined,
)

export async function openRecentQuality(
  store: Pick<Store, 'state' | 'saveState' | 'qualityEver'>,
  clock: Clock,
): Promise<RecentQuality> {
  const finest = new QualityRing(FINEST)
  const rings = [finest, ...COARSER.map((size) => new QualityRing(size))]
  const saved = await store.state(RECENT_QUALITY)
  for (const [index, ring] of rings.entries()) ring.load(saved[index] ?? [])
  const steps: RecentQuality['steps'] = (spanMs, stepMs, now) => {
    const ring = rings.findLast((one) => stepMs % one.stepMs === 0) ?? finest
    return ring.steps(spanMs, stepMs, now)
  }
  const note: RecentQuality['note'] = (at, tally) => {
    for (const ring of rings) ring.add(at, tally)
  }
  let sum = await store.qualityEver()
  const look = async () => {
    const before = sum
    sum = await store.qualityEver()
    // It was done within the last step: half of it ago, on average.
    if (sum.requests > before.requests) note(clock.now() - FOLLOW_EVERY_MS / 2, growth(before, sum))
  }
  return {
    note,
    follow: repeat({ clock, everyMs: FOLLOW_EVERY_MS, action: look }),
    steps,
    requestsPerMinute(now) {
      const minutes = steps(HOUR_MS, MINUTE_MS, now)
      const [stepMs, last] =
        minutes.length >= ENOUGH_MINUTES
          ? [MINUTE_MS, minutes]
          : [TEN_SECONDS_MS, steps(20 * MINUTE_MS, TEN_SECONDS_MS, now)]
      if (last.length < 2) return null
      const requests = last.reduce((sum, { tally }) => sum + tally.requests, 0)
      return (requests * MINUTE_MS) / (last.length * stepMs)
    },
    run: repeat({
      clock,
      everyMs: SAVE_EVERY_MS,
      action: () =>
        store.saveState(
          RECENT_QUALITY,
          rings.map((ring) => ring.entries()),
        ),
    }),
  }
}

class QualityRing {
  readonly stepMs: DurationMs
  private readonly retainedMs: DurationMs
  private readonly sums = new Map<InstantMs, QualityTally>()

  constructor({ stepMs, retainedMs }: QualityRingSize) {
    this.stepMs = stepMs
    this.retainedMs = retainedMs
  }

  load(entries: readonly Entry[]): void {
    for (const [start, tally] of entries) this.sums.set(start, tally)
  }

  entries(): readonly Entry[] {
    return [...this.sums]
  }

  add(at: InstantMs, tally: QualityTally): void {
    const start = Math.floor(at / this.stepMs) * this.stepMs
    const before = this.sums.get(start)
    if (before === undefined) this.forgetBefore(start - this.retainedMs)
    this.sums.set(start, before === undefined ? tally : joined(before, tally))
  }

  steps(spanMs: DurationMs, stepMs: DurationMs, now: InstantMs): readonly QualityStep[] {
    const until = Math.floor(now / stepMs) * stepMs
    const steps: QualityStep[] = []
    for (let from = until - Math.floor(spanMs / stepMs) * stepMs; from < until; from += stepMs) {
      let tally = EMPTY
      for (let start = from; start < from + stepMs; start += this.stepMs) {
        const part = this.sums.get(start)
        if (part !== undefined) tally = joined(tally, part)
      }
      if (steps.length > 0 || tally.requests > 0) steps.push({ from, to: from + stepMs, tally })
    }
    return steps
  }

  private forgetBefore(start: InstantMs): void {
    for (const one of this.sums.keys()) if (one < start) this.sums.delete(one)
  }
}

function joined(a: QualityTally, b: QualityTally): QualityTally {
  const delays = new Map(a.delays.map(({ bucket, items }) => [bucket, items]))
  for (const { bucket, items } of b.delays) delays.set(bucket, (delays.get(bucket) ?? 0) + items)
  const sorted = [...delays].sort(([x], [y]) => x - y)
  return { ...addCounts(a, b), delays: sorted.map(([bucket, items]) => ({ bucket, items })) }
}

function growth(before: QualityTally, after: QualityTally): QualityTally {
  const known = new Map(before.delays.map(({ bucket, items }) => [bucket, items]))
  const delays = after.delays.map(({ bucket, items }) => ({ bucket, items: items - (known.get(bucket) ?? 0) }))
  return { ...subtractCounts(after, before), delays: delays.filter(({ items }) => items > 0) }
}
