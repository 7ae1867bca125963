import { type DelayCount, type DurationMs, SECOND_MS } from '../model/index.ts'

/**
 * Delays are counted in buckets that grow by √2, from a second to a month: a median or percentile read from them is off
 * by less than a bucket, and an hour of any source is a handful of numbers.
 */
export const MOST_BUCKET = 44

/** The bucket that holds a delay; bucket 0 is everything below a second. */
export function delayBucket(delayMs: DurationMs): number {
  const seconds = delayMs / SECOND_MS
  if (!(seconds >= 1)) return 0
  return Math.min(MOST_BUCKET, 1 + Math.floor(2 * Math.log2(seconds) + 1e-9))
}

/** Where a bucket ends; the last one is open. */
export function bucketEndMs(bucket: number): DurationMs {
  return bucket >= MOST_BUCKET ? Number.POSITIVE_INFINITY : SECOND_MS * 2 ** (bucket / 2)
}

/** The delay that this share of the items do not exceed; null where there are none. Ascending by bucket. */
export function delayQuantile(delays: readonly DelayCount[], share: number): DurationMs | null {
  const total = delays.reduce((sum, { items }) => sum + items, 0)
  if (total === 0) return null
  let rank = Math.min(1, Math.max(0, share)) * total
  for (const { bucket, items } of delays) {
    if (rank <= items) return within(bucket, rank / items)
    rank -= items
  }
  const last = delays.at(-1)
  return last === undefined ? null : within(last.bucket, 1)
}

/** Items spread over their bucket evenly on the logarithmic scale. */
function within(bucket: number, share: number): DurationMs {
  if (bucket === 0) return SECOND_MS * share
  const start = bucketEndMs(bucket - 1)
  return bucket >= MOST_BUCKET ? start : start * 2 ** (share / 2)
}
