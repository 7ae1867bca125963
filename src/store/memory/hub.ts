import type { HubOutput, HubSubscription, QueryFeedId } from '../../model/index.ts'
import type { HubStore } from '../hub.ts'
import { hostOfCallback } from '../rows/hub.ts'
import { afterDelivery, newDeliveryState } from '../rules/deliveries.ts'
import type { MemoryTables } from './tables.ts'

export function hubVerbs({ queries }: MemoryTables): HubStore {
  const { hubSubscriptions } = queries
  const all = () => [...hubSubscriptions.values()]
  const find = (feedId: QueryFeedId, { url, format }: HubOutput) =>
    all().find((one) => one.feedId === feedId && one.output.url === url && one.output.format === format)
  const isBehind = ({ feedId, deliveredSeq, edits, deliveredEdits }: HubSubscription) =>
    edits > deliveredEdits ||
    [...queries.publications.values()].some((one) => one.feedId === feedId && !one.isHistory && one.seq > deliveredSeq)
  return {
    async saveHubSubscription({ feedId, output, secret, leaseEndsAt }, now) {
      if (!queries.feeds.has(feedId)) return
      const before = find(feedId, output)
      const id = before?.id ?? queries.lastHubSubscription + queries.step
      queries.lastHubSubscription = Math.max(queries.lastHubSubscription, id)
      const begun = newDeliveryState(queries.lastPublication)
      const first = { createdAt: now, edits: 0, deliveredEdits: 0, ...begun, ...before }
      hubSubscriptions.set(id, { ...first, id, feedId, output, everyMs: null, secret, leaseEndsAt })
    },
    async endHubSubscription(feedId, output) {
      const found = find(feedId, output)
      if (found !== undefined) hubSubscriptions.delete(found.id)
    },
    async endLapsedHubSubscriptions(now) {
      const lapsed = all().filter(({ leaseEndsAt }) => leaseEndsAt <= now)
      for (const { id } of lapsed) hubSubscriptions.delete(id)
      return lapsed.length
    },
    async noteHubEdits(feedIds) {
      for (const one of all()) {
        if (feedIds.includes(one.feedId)) hubSubscriptions.set(one.id, { ...one, edits: one.edits + 1 })
      }
    },
    hubSubscriptionsBehind: async (now, { afterId, limit }) =>
      all()
        .filter((one) => one.id > afterId && one.leaseEndsAt > now && (one.nextAttemptAt ?? 0) <= now && isBehind(one))
        .slice(0, Math.max(0, limit)),
    async hubSubscribers(feedIds) {
      const crowds = feedIds.map((feedId) => {
        const own = all().filter((one) => one.feedId === feedId)
        return { feedId, subscribers: own.length, failing: own.filter((one) => one.failureCount > 0).length }
      })
      return crowds.filter(({ subscribers }) => subscribers > 0).sort((a, b) => a.feedId - b.feedId)
    },
    hubSubscriptions: async ({ feedIds, afterId, limit }) =>
      all()
        .filter((one) => one.id > afterId && feedIds.includes(one.feedId))
        .slice(0, Math.max(0, limit)),
    async hubCrowd(feedId, output) {
      const host = hostOfCallback(output)
      return {
        ofFeed: all().filter((one) => one.feedId === feedId).length,
        ofHost: all().filter((one) => hostOfCallback(one.output) === host).length,
        isKnown: find(feedId, output) !== undefined,
      }
    },
    async recordHubDelivery(id, delivery) {
      const before = hubSubscriptions.get(id)
      if (before === undefined) return
      const edits = delivery.kind === 'delivered' ? delivery.edits : 0
      const deliveredEdits = Math.max(before.deliveredEdits, edits)
      hubSubscriptions.set(id, { ...before, ...afterDelivery(before, delivery), deliveredEdits })
    },
  }
}
