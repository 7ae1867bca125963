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
      const queries = [...(await feedsShownTo(call, deps)).values()]
      const builtIn = call.isAdmin ? await store.hubTopics() : []
      const names = new Map([
        ...queries.map(({ id, name: own }) => [id, own] as const),
        ...builtIn.map(({ feedId, path }) => [feedId, path] as const),
      ])
      const nameOf = (feedId: number) => names.get(feedId) ?? ''
      const feedIds = [...names.keys()].filter((id) => name === undefined || nameOf(id) === name)
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
