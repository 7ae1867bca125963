import type { ItemSeq, QueryFeed } from '../../model/index.ts'
import type { CatchUpRecord, CatchUpStart } from '../query-feeds.ts'

/** Where a feed is in the archive. */
export interface CatchUpPlace extends Pick<QueryFeed, 'version' | 'catchUpAfter' | 'historyUpTo'> {
  /** The first item that it ever began after; null: it has not begun. */
  readonly beganAfter: ItemSeq | null
}

/** Of a feed whose query was never evaluated. */
export const NOT_BEGUN = { version: 0, catchUpAfter: null, historyUpTo: 0 } as const

/**
 * Up to where all queries were evaluated: before the first new item that the query reader has not acknowledged. Items
 * get their numbers in the order in which readers see them, so the first that waits is the one with the least number.
 */
export function processedUpTo(firstWaiting: ItemSeq | null, lastItem: ItemSeq): ItemSeq {
  return firstWaiting === null ? lastItem : firstWaiting - 1
}

/** From where the query of a saved feed is evaluated. A new one begins somewhere in any case. */
export function catchUpOf(catchUp: CatchUpStart, isNew: boolean): CatchUpStart {
  return isNew && catchUp === 'no' ? 'from now' : catchUp
}

/**
 * A feed that asks something new, from an item on. Never beyond what queries were evaluated on: what waits in the buffer
 * comes to it like to all others, and is news. Whatever was there before is history.
 */
export function beginCatchUp(
  { version, beganAfter }: Pick<CatchUpPlace, 'version' | 'beganAfter'>,
  from: Exclude<CatchUpStart, 'no'>,
  evaluatedUpTo: ItemSeq,
): CatchUpPlace & { readonly catchUpAfter: ItemSeq; readonly beganAfter: ItemSeq } {
  const after = from === 'from now' ? evaluatedUpTo : Math.min(evaluatedUpTo, Math.max(0, from.after))
  return {
    version: version + 1,
    catchUpAfter: after,
    historyUpTo: evaluatedUpTo,
    beganAfter: Math.min(beganAfter ?? after, after),
  }
}

/** A feed that must show some items no longer asks from the first that it holds, or ever began with. */
export function clearAfter(
  { beganAfter, historyUpTo, catchUpAfter }: CatchUpPlace,
  firstItem: ItemSeq | null,
): ItemSeq {
  return Math.min(
    beganAfter ?? historyUpTo,
    catchUpAfter ?? Number.POSITIVE_INFINITY,
    firstItem === null ? Number.POSITIVE_INFINITY : firstItem - 1,
  )
}

/** A stretch counts for a feed that asks the same as when the stretch was read, and is still at its beginning. */
export function isStretchOf(
  record: CatchUpRecord,
  version: number,
  feed: Pick<QueryFeed, 'version' | 'catchUpAfter'> | undefined,
): boolean {
  return feed?.version === version && feed.catchUpAfter === record.after
}

/** Where a feed is after a stretch; null: it has reached what arrives, and follows the buffer. */
export function catchUpAfterStretch({ isEnd, upTo }: CatchUpRecord): ItemSeq | null {
  return isEnd ? null : upTo
}

/** A feed that has caught up holds nothing that it must not. */
export function isClearingAfterStretch(isClearing: boolean, { isEnd }: CatchUpRecord): boolean {
  return isClearing && !isEnd
}

/** Within a stretch a feed holds what the record says, and nothing else. */
export function isWithdrawn({ after, upTo }: CatchUpRecord, itemSeq: ItemSeq, isGiven: boolean): boolean {
  return itemSeq > after && itemSeq <= upTo && !isGiven
}
