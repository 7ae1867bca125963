import type { Subscription } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'

/** Somebody may be changing queries at this moment; then it is tried again with the next item. */
const ATTEMPTS = 5

/** A browser ends its notifications itself. All other subscriptions end who made them; no receiver can. */
export function endOwn(
  store: Pick<Store, 'queryFeeds' | 'queryRevision' | 'changeQueries'>,
  clock: Pick<Clock, 'now'>,
): (subscription: Subscription) => Promise<void> {
  return async ({ feedId, output }) => {
    if (output.kind !== 'webpush') return
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const revision = await store.queryRevision()
      const feed = (await store.queryFeeds()).find(({ id }) => id === feedId)
      if (feed === undefined) return
      const end = { kind: 'unsubscribe', feed: feed.name, output } as const
      if (await store.changeQueries([end], revision, clock.now())) return
    }
  }
}
