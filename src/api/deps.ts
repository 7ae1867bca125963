import type { ItemBuffer } from '../buffer/buffer.ts'
import type { FeedService } from '../publisher/feeds.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

export interface ServerDeps {
  readonly store: Pick<Store, 'sources' | 'categories' | 'counts' | 'queryFeeds' | 'queryFeed' | 'feedTokens'>
  readonly feeds: FeedService
  readonly buffer?: Pick<ItemBuffer, 'state'>
  readonly clock: Clock
  readonly version: string
  /** Told of every failure that is not the client's. */
  readonly onError?: (error: unknown) => void
}
