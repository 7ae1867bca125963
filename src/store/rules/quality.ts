import { addCounts, type DelayCount, HOUR_MS, type InstantMs, NO_COUNTS, type QualityTally } from '../../model/index.ts'

export const NO_TALLY: QualityTally = { ...NO_COUNTS, delays: [] }

/** Sums are stored by the hour, counted since 1970. */
export function hourOf(at: InstantMs): number {
  return Math.floor(at / HOUR_MS)
}

/** Hours that begin in [since, until): from the first to before the last. */
export function hoursWithin(since: InstantMs, until: InstantMs): { readonly from: number; readonly to: number } {
  return { from: Math.max(0, Math.ceil(since / HOUR_MS)), to: Math.ceil(until / HOUR_MS) }
}

export function addTallies(a: QualityTally, b: QualityTally): QualityTally {
  return { ...addCounts(a, b), delays: addDelays(a.delays, b.delays) }
}

/** By bucket, each once. */
function addDelays(a: readonly DelayCount[], b: readonly DelayCount[]): DelayCount[] {
  const counts = new Map<number, number>()
  for (const { bucket, items } of [...a, ...b]) counts.set(bucket, (counts.get(bucket) ?? 0) + items)
  return [...counts].sort(([x], [y]) => x - y).map(([bucket, items]) => ({ bucket, items }))
}
