import type { InstantMs } from '../model/index.ts'
import { type Dated, publishedBy } from './feed.ts'

/** Definition 2.1.4: as many new items as the window holds, or more. */
export function isSaturated(streamDivergence: number, windowSize: number): boolean {
  return streamDivergence >= windowSize
}

/** T_sat of Figure 2.2: when the W-th item since the refresh appeared; null while it has not. */
export function saturatedSince(items: readonly Dated[], refreshedAt: InstantMs, windowSize: number): InstantMs | null {
  return items[publishedBy(items, refreshedAt) + windowSize - 1]?.at ?? null
}

/**
 * Definition 2.1.7: the share of its items that a steady source loses, for W items in the window, λ items published and
 * r refreshes in the same unit of time.
 */
export function saturationCoefficient(windowSize: number, itemsPerHour: number, refreshesPerHour: number): number {
  const fetchable = windowSize * refreshesPerHour
  return fetchable < itemsPerHour ? 1 - fetchable / itemsPerHour : 0
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
  items: readonly Dated[],
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
