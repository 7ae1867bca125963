import { DAY_MS, type DurationMs, type InstantMs } from './time.ts'

/** Thesis Definition 2.1.4: as many new items as the window holds, or more. */
export function isSaturated(streamDivergence: number, windowSize: number): boolean {
  return streamDivergence >= windowSize
}

const LATELY_MS: DurationMs = DAY_MS

/**
 * A loss can be chance, and the look that follows it comes too soon to prove that it was. Two losses in a day mean that the
 * source publishes faster than it is refreshed, whatever the last look showed. `lastLosses`: newest first.
 */
export function losesOften(lastLosses: readonly InstantMs[], now: InstantMs): boolean {
  const before = lastLosses[1]
  return before !== undefined && now - before < LATELY_MS
}

/**
 * Thesis Definition 2.1.7: the share of its items that a source loses, for W items in the window, λ items published and
 * r refreshes in the same unit of time. Exact only for a steady publisher.
 */
export function saturationCoefficient(windowSize: number, itemsPerHour: number, refreshesPerHour: number): number {
  const fetchable = windowSize * refreshesPerHour
  return fetchable < itemsPerHour ? 1 - fetchable / itemsPerHour : 0
}
