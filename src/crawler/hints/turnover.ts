import type { DurationMs, InstantMs, SourceState } from '../../model/index.ts'

/** Enough items of a window to see its pace. */
const FEWEST = 3

/**
 * How long the source took to publish as many items as its window holds, from the oldest item shown to the refresh; null
 * where too few of them are dated.
 */
export function turnoverMs(
  window: readonly { readonly published: InstantMs | null }[],
  refreshedAt: InstantMs,
): DurationMs | null {
  let oldest = Number.POSITIVE_INFINITY
  let dated = 0
  for (const { published } of window) {
    if (published === null || published > refreshedAt || published <= 0) continue
    oldest = Math.min(oldest, published)
    dated++
  }
  if (dated < FEWEST) return null
  return ((refreshedAt - oldest) * window.length) / dated
}

/** At the pace of the window, half of it will be new by then: enough for surprises. null: the pace is unknown. */
export function safeUntil(
  { window, datesCredible }: Pick<SourceState, 'window' | 'datesCredible'>,
  refreshedAt: InstantMs,
): InstantMs | null {
  const ms = datesCredible ? turnoverMs(window, refreshedAt) : null
  return ms === null ? null : refreshedAt + ms / 2
}
