import { dayOf, HOUR_MS, type InstantMs, type Item, type PublicationSeq } from '../../model/index.ts'
import {
  DEFAULT_FEED_WINDOW,
  KEEP_NODE_QUALITY_MS,
  KEEP_SOURCE_QUALITY_MS,
  REMEMBER_REMOVED_MS,
  REMEMBER_REMOVED_SOURCE_MS,
} from '../defaults.ts'
import { REMEMBER_DAYS } from '../intake.ts'
import type { RetentionPolicy } from '../store.ts'

/** Before which moment things go, each by its own time; null: never. */
export interface Cutoffs {
  /** By `firstSeenAt`. */
  readonly itemsBefore: InstantMs | null
  readonly observationsBefore: InstantMs | null
  /** Keys of removed items, by when they were removed. */
  readonly removedItemsBefore: InstantMs
  readonly removedSourcesBefore: InstantMs
  /** Days of intake. By the time of retention alone: a clock that is ahead for an hour must not cost what was learnt. */
  readonly intakeBeforeDay: number
  /** Hours (since 1970) of the sums of quality. */
  readonly sourceQualityBeforeHour: number
  readonly nodeQualityBeforeHour: number
}

export function cutoffsAt({ maxAgeMs, maxObservationAgeMs }: RetentionPolicy, now: InstantMs): Cutoffs {
  const hourBefore = (keepMs: number) => Math.floor((now - keepMs) / HOUR_MS)
  return {
    itemsBefore: maxAgeMs === null ? null : now - maxAgeMs,
    observationsBefore: maxObservationAgeMs === null ? null : now - maxObservationAgeMs,
    removedItemsBefore: now - REMEMBER_REMOVED_MS,
    removedSourcesBefore: now - REMEMBER_REMOVED_SOURCE_MS,
    intakeBeforeDay: dayOf(now) - REMEMBER_DAYS,
    sourceQualityBeforeHour: hourBefore(KEEP_SOURCE_QUALITY_MS),
    nodeQualityBeforeHour: hourBefore(KEEP_NODE_QUALITY_MS),
  }
}

/** How many items a source may have; null: any number. */
export function mostItemsOf({ maxItemsPerSource }: RetentionPolicy): number | null {
  return maxItemsPerSource === null ? null : Math.max(0, maxItemsPerSource)
}

/** Too old, or too many. `rank`: how many of its source's items are newer, by (sortAt, seq). */
export function isPastRetention(
  { firstSeenAt }: Pick<Item, 'firstSeenAt'>,
  rank: number,
  policy: RetentionPolicy,
  { itemsBefore }: Cutoffs,
): boolean {
  const most = mostItemsOf(policy)
  return (itemsBefore !== null && firstSeenAt < itemsBefore) || (most !== null && rank >= most)
}

/** A place of an item in a query feed. */
export interface PlaceInFeed {
  readonly seq: PublicationSeq
  readonly isHistory: boolean
  /** LIMIT of the feed. */
  readonly limit: number | null
  /** What the slowest subscription of the feed has delivered; null: it has none. */
  readonly deliveredUpTo: PublicationSeq | null
  /** How many of the feed's publications are newer; counting may stop at `most`. */
  countNewer(most: number): number
}

/** What may keep an expired item. Checked in this order, up to the first that does. */
export interface Needs {
  isInSourceWindow(): boolean
  /** A reader of the buffer has not acknowledged it. */
  isAwaited(): boolean
  places(): Iterable<PlaceInFeed>
}

/** An expired item stays as long as somebody has still to see it, or would see it as new when it is shown again. */
export function isNeeded(needs: Needs, { feedWindow = DEFAULT_FEED_WINDOW }: RetentionPolicy): boolean {
  if (needs.isInSourceWindow() || needs.isAwaited()) return true
  for (const place of needs.places()) if (isUndelivered(place) || isInFeedWindow(place, feedWindow)) return true
  return false
}

/** What is history is shown, but not delivered. */
function isUndelivered({ seq, isHistory, deliveredUpTo }: PlaceInFeed): boolean {
  return !isHistory && deliveredUpTo !== null && deliveredUpTo < seq
}

function isInFeedWindow(place: PlaceInFeed, feedWindow: number): boolean {
  const window = place.limit ?? feedWindow
  return place.countNewer(window) < window
}
