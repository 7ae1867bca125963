import type { InstantMs, SourceId } from '../../src/model/index.ts'
import type { SourceFacts } from '../../src/refresh/strategy.ts'

/** One source of a simulated world: everything it will ever publish. */
export interface SimSource {
  readonly id: SourceId
  readonly name: string
  /** Publication times, ascending; equal times are separate items. */
  readonly times: Float64Array
  /** What the source says of when it published, where that is not the truth. */
  readonly stated?: Float64Array
  /** 1 where the item is relevant to the queries; null: all are. */
  readonly relevant: Uint8Array | null
  readonly windowSize: number
  readonly weight: number
  readonly cost: number
}

/** A world in virtual time. Strategies see it only through observations. */
export interface SimWorld {
  readonly startMs: InstantMs
  readonly endMs: InstantMs
  readonly sources: readonly SimSource[]
}

/** A source that publishes at these times, with the usual weight and cost. */
export function simSource(
  id: SourceId,
  times: Float64Array,
  windowSize: number,
  more: Partial<Pick<SimSource, 'name' | 'stated' | 'relevant' | 'weight' | 'cost'>> = {},
): SimSource {
  return { id, name: `source ${id}`, times, relevant: null, windowSize, weight: 1, cost: 1, ...more }
}

export function factsOf(source: SimSource, addedAt: InstantMs, lastRefreshAt: InstantMs | null): SourceFacts {
  const { id, weight, cost, windowSize } = source
  return { id, weight, cost, windowSize, addedAt, lastRefreshAt }
}

/** Items that all sources publish together. */
export function countWorldItems(world: SimWorld): number {
  return world.sources.reduce((sum, { times }) => sum + times.length, 0)
}

/** Index of the first time greater than `at`: how many items were published at or before it. */
export function countPublishedBy(times: Float64Array, at: InstantMs, from = 0): number {
  // Nothing new, as most refreshes.
  if (from === times.length || (times[from] ?? 0) > at) return from
  let low = from
  let high = times.length
  // Most refreshes bring few items: gallop from where the last one stopped.
  for (let step = 1; low + step < high; step *= 2) {
    if ((times[low + step] ?? 0) > at) {
      high = low + step
      break
    }
    low += step
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
