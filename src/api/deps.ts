import type { ItemBuffer } from '../buffer/buffer.ts'
import type { InstantMs, QualityTally } from '../model/index.ts'
import type { FeedService } from '../publisher/feeds.ts'
import type { QualityMeasures } from '../quality/live.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

/** How good the node is, as app/quality.ts tells it. */
export interface QualityReader {
  /** Throws QUALITY_SCOPE, SOURCE_NOT_FOUND or FEED_NOT_FOUND. */
  report(scope: string, over: string): Promise<QualityMeasures & QualityPeriod>
  ever(): Promise<QualityTally>
}

interface QualityPeriod {
  readonly scope: string
  readonly over: string
  readonly from: InstantMs
  readonly to: InstantMs
}

export interface ServerDeps {
  readonly store: Pick<Store, 'sources' | 'categories' | 'counts' | 'queryFeeds' | 'queryFeed' | 'feedTokens'>
  readonly feeds: FeedService
  readonly buffer?: Pick<ItemBuffer, 'state'>
  /** Absent: nothing is said about quality, and there are no metrics. */
  readonly quality?: QualityReader
  readonly clock: Clock
  readonly version: string
  /** Told of every failure that is not the client's. */
  readonly onError?: (error: unknown) => void
}
