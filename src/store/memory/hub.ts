import type { BuiltInTopic, HubOutput, HubSubscription, QueryFeedId } from '../../model/index.ts'
import type { HubStore } from '../hub.ts'
import { hostOfCallback } from '../rows/hub.ts'
import { afterDelivery, newDeliveryState } from '../rules/deliveries.ts'
import type { MemoryTables, Queries } from './tables.ts'

export function hubVerbs({ queries }: MemoryTables): HubStore {
  const { hubSubscriptions, hubTopics } = queries
  const topicOf = (feedId: QueryFeedId) => [...hubTopics.values()].find((one) => one.feedId === feedId)
  const builtIn = (feedId: QueryFeedId): BuiltInTopic | null => {
    const topic = topicOf(feedId)
    return topic === undefined ? null : { path: topic.path, edition: topic.edition }
  }
  const all = () => [...hubSubscriptions.values()].map((one) => ({ ...one, builtIn: builtIn(one.feedId) }))
  const find = (feedId: QueryFeedId, { url, format }: HubOutput) =>
    all().find((one) => one.feedId === feedId && one.output.url === url && one.output.format === format)
  const isBehind = ({ feedId, deliveredSeq, edits, deliveredEdits, builtIn: topic }: HubSubscription) =>
    (topic?.edition ?? 0) > deliveredSeq ||
    edits > deliveredEdits ||
    [...queries.publications.values()].some((one) => one.feedId === feedId && !one.isHistory && one.seq > deliveredSeq)
  return {
    ...topicVerbs(queries),
    async saveHubSubscription({ feedId, output, secret, leaseEndsAt, path }, now) {
      if (path !== undefined && !hubTopics.has(path))
        hubTopics.set(path, { feedId, path, hasChanged: false, edition: 0 })
      const topic = builtIn(feedId)
      if (topic === null && !queries.feeds.has(feedId)) return
      const before = find(feedId, output)
      const id = before?.id ?? queries.lastHubSubscription + queries.step
      queries.lastHubSubscription = Math.max(queries.lastHubSubscription, id)
      const begun = newDeliveryState(topic?.edition ?? queries.lastPublication)
      const first = { createdAt: now, edits: 0, deliveredEdits: 0, builtIn: topic, ...begun, ...before }
      hubSubscriptions.set(id, { ...first, id, feedId, output, everyMs: null, secret, leaseEndsAt })
    },
    async endHubSubscription(feedId, output) {
      const found = find(feedId, output)
      if (found !== undefined) hubSubscriptions.delete(found.id)
    },
    async endLapsedHubSubscriptions(now) {
      const lapsed = all().filter(({ leaseEndsAt }) => leaseEndsAt <= now)
      for (const { id } of lapsed) hubSubscriptions.delete(id)
      for (const { path, feedId } of hubTopics.values())
        if (!all().some((one) => one.feedId === feedId)) hubTopics.delete(path)
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

function topicVerbs({ hubTopics }: Queries): Pick<HubStore, 'noteHubNews' | 'beginHubEditions' | 'hubTopics'> {
  return {
    async noteHubNews(paths) {
      const rows = [...hubTopics.values()].filter(
        ({ path, hasChanged }) => !hasChanged && (paths?.includes(path) ?? true),
      )
      for (const row of rows) hubTopics.set(row.path, { ...row, hasChanged: true })
      return rows.length
    },
    async beginHubEditions(now, pauseMs) {
      for (const row of hubTopics.values()) {
        if (!row.hasChanged || (row.edition > now - pauseMs && row.edition <= now)) continue
        hubTopics.set(row.path, { ...row, hasChanged: false, edition: Math.max(row.edition + 1, now) })
      }
    },
    hubTopics: async () =>
      [...hubTopics.values()].map(({ feedId, path }) => ({ feedId, path })).sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}
