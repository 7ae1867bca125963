/** Thesis Definition 2.1.4: as many new items as the window holds, or more. */
export function isSaturated(streamDivergence: number, windowSize: number): boolean {
  return streamDivergence >= windowSize
}

/**
 * Thesis Definition 2.1.7: the share of its items that a source loses, for W items in the window, λ items published and
 * r refreshes in the same unit of time. Exact only for a steady publisher.
 */
export function saturationCoefficient(windowSize: number, itemsPerHour: number, refreshesPerHour: number): number {
  const fetchable = windowSize * refreshesPerHour
  return fetchable < itemsPerHour ? 1 - fetchable / itemsPerHour : 0
}
