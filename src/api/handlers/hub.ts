import type { z } from 'zod'
import type { HubSubscription } from '../../model/index.ts'
import type { hubOperations, hubView } from '../operations/hub.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedsShownTo } from './subscriptions.ts'

export function hubHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof hubOperations> {
  const { store, services } = deps
  return {
    async showHub({ query: { feed: name, after = 0, limit } }, call) {
      const feeds = await feedsShownTo(call, deps)
      const meant = [...feeds.values()].filter((feed) => name === undefined || feed.name === name)
      const nameOf = (feedId: number) => feeds.get(feedId)?.name ?? ''
      const feedIds = meant.map(({ id }) => id)
      const crowds = await store.hubSubscribers(feedIds)
      const page = await store.hubSubscriptions({ feedIds, afterId: after, limit })
      return {
        url: services.hub.url,
        feeds: crowds.map(({ feedId, ...crowd }) => ({ feed: nameOf(feedId), ...crowd })),
        subscribers: page.map((one) => shownSubscriber(one, nameOf(one.feedId))),
        refused: call.isAdmin ? [...services.hub.refused()] : [],
      }
    },
  }
}

function shownSubscriber(one: HubSubscription, feed: string): z.input<typeof hubView>['subscribers'][number] {
  const { id, output, createdAt, leaseEndsAt, deliveredAt, failureCount, nextAttemptAt, lastError } = one
  const { format, url } = output
  const state = { deliveredAt, failureCount, nextAttemptAt, lastError }
  return { id, feed, format, host: new URL(url).host, createdAt, leaseEndsAt, ...state }
}
