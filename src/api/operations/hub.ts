import { z } from 'zod'
import { operation } from './operation.ts'
import { feedName, id, instant, instantOrNull, limit } from './shared.ts'

const hubFeed = z.object({
  /** The name of a query feed, or the path of another, as /feeds/all. */
  feed: z.string(),
  subscribers: z.int(),
  /** Of these, whose last message failed. */
  failing: z.int(),
})

const hubSubscriber = z.object({
  id: z.int(),
  feed: z.string(),
  format: z.enum(['rss', 'atom', 'json']),
  /** Of its callback; the rest of the address may be its secret. */
  host: z.string(),
  createdAt: instant,
  leaseEndsAt: instant,
  deliveredAt: instantOrNull,
  failureCount: z.int(),
  nextAttemptAt: instantOrNull,
  lastError: z.string().nullable(),
})

const refusedCall = z.object({
  door: z.enum(['hub', 'push', 'peer']),
  /** Of docs/errors.md; `forged` and `repeated`: pushes that are taken without a word and not followed. */
  code: z.string(),
  count: z.int(),
})

export const hubView = z.object({
  /** Where subscribers send their requests; null: the setting hub is off. */
  url: z.string().nullable(),
  feeds: z.array(hubFeed),
  subscribers: z.array(hubSubscriber),
  /** Of programs of strangers, since this process began; empty for who may not administer the node. */
  refused: z.array(refusedCall),
})

export const hubOperations = {
  showHub: operation('showHub', 'Subscriptions', {
    method: 'GET',
    path: '/api/hub',
    right: 'read',
    summary:
      'Who has subscribed at the hub (WebSub) to feeds that one may change (administrators: also to the built-in ones), and what it has refused',
    query: z.object({ feed: feedName.optional(), after: id.optional(), limit: limit(100, 1_000) }),
    answer: hubView,
  }),
}
