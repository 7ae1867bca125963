import type { PublishedEntry, QueryFeed, QueryFeedId, Subscription } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryStore } from './runner.ts'

type Publications = Pick<
  Store,
  | 'queryRevision'
  | 'queryFeeds'
  | 'publicationState'
  | 'publicationsAfter'
  | 'subscriptions'
  | 'recordDelivery'
  | 'requeuedDeadLetters'
  | 'settleDeadLetter'
>

/** Subscriptions that owners of query feeds have made, as the runner of deliveries sees them. */
export function ownDeliveryStore(
  store: Publications,
  endSubscription: (subscription: Subscription) => Promise<void>,
): DeliveryStore<Subscription, QueryFeed, PublishedEntry> {
  return {
    subscriptions: () => store.subscriptions(),
    feedsOf: queryFeedsById(store),
    pendingAfter: ({ id }, page) => store.publicationsAfter(id, { ...page, whole: true }),
    async publicationAt({ id }, seq) {
      const found = await store.publicationsAfter(id, { after: seq - 1, limit: 1, withHistory: true })
      return found.filter((entry) => entry.seq === seq)
    },
    lastSeq: async ({ id }) => (await store.publicationState(id)).lastSeq,
    recordDelivery: (id, delivery) => store.recordDelivery(id, delivery),
    endSubscription,
    requeuedDeadLetters: (limit) => store.requeuedDeadLetters(limit),
    settleDeadLetter: (id, failure) => store.settleDeadLetter(id, failure),
  }
}

/** There may be very many, and they change rarely. */
export function queryFeedsById(
  store: Pick<Store, 'queryRevision' | 'queryFeeds'>,
): () => Promise<ReadonlyMap<QueryFeedId, QueryFeed>> {
  let feeds = { revision: -1, byId: new Map<QueryFeedId, QueryFeed>() }
  return async () => {
    const revision = await store.queryRevision()
    if (revision !== feeds.revision) {
      feeds = { revision, byId: new Map((await store.queryFeeds()).map((feed) => [feed.id, feed])) }
    }
    return feeds.byId
  }
}
