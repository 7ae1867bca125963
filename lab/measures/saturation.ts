import type { InstantMs } from '../../src/model/index.ts'
import { publishedBy, type TimedItem } from './feed.ts'

export { isSaturated, saturationCoefficient } from '../../src/model/index.ts'

/** T_sat of Figure 2.2: when the W-th item since the refresh appeared; null while it has not. */
export function saturatedSince(
  items: readonly TimedItem[],
  refreshedAt: InstantMs,
  windowSize: number,
): InstantMs | null {
  return items[publishedBy(items, refreshedAt) + windowSize - 1]?.at ?? null
}

export interface ItemLoss {
  readonly published: number
  readonly lost: number
  /** lost/published; 0 where nothing was published. */
  readonly share: number
}

/**
 * Items that fell out of the window unseen between refreshes (2.1.2), of those published after `from` and up to the last
 * refresh; later ones may still be fetched.
 */
export function itemLoss(
  items: readonly TimedItem[],
  refreshes: readonly InstantMs[],
  windowSize: number,
  from = Number.NEGATIVE_INFINITY,
): ItemLoss {
  const first = publishedBy(items, from)
  let known = first
  let lost = 0
  for (const refreshedAt of refreshes) {
    const end = publishedBy(items, refreshedAt)
    lost += Math.max(0, end - windowSize - known)
    known = Math.max(known, end)
  }
  const published = known - first
  return { published, lost, share: published > 0 ? lost / published : 0 }
}
