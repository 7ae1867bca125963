import { isDeepStrictEqual } from 'node:util'
import type { DeadLetter, InstantMs, QueryFeedId, Subscription, SubscriptionOutput } from '../../model/index.ts'
import type { Delivery, QueryChange } from '../query-feeds.ts'
import type { Queries } from './world.ts'

export function subscribe(
  queries: Queries,
  feedId: QueryFeedId,
  { output, everyMs, secret }: Extract<QueryChange, { kind: 'subscribe' }>,
  now: InstantMs,
): void {
  const before = sameOutput(queries, feedId, output)
  const first = {
    id: before?.id ?? ++queries.lastSubscription,
    feedId,
    output,
    secret,
    createdAt: now,
    deliveredSeq: queries.lastPublication,
    deliveredAt: null,
    failureCount: 0,
    nextAttemptAt: null,
    lastError: null,
  }
  queries.subscriptions.set(first.id, { ...(before ?? first), everyMs })
}

function sameOutput(queries: Queries, feedId: QueryFeedId, output: SubscriptionOutput): Subscription | undefined {
  return [...queries.subscriptions.values()].find(
    (one) => one.feedId === feedId && isDeepStrictEqual(one.output, output),
  )
}

export function unsubscribe(queries: Queries, feedId: QueryFeedId, output: SubscriptionOutput | null): void {
  if (output === null) dropSubscriptions(queries, feedId)
  else drop(queries, sameOutput(queries, feedId, output)?.id)
}

export function dropSubscriptions(queries: Queries, feedId: QueryFeedId): void {
  for (const one of queries.subscriptions.values()) if (one.feedId === feedId) drop(queries, one.id)
}

function drop(queries: Queries, id: number | undefined): void {
  if (id === undefined) return
  queries.subscriptions.delete(id)
  for (const letter of queries.deadLetters.values()) {
    if (letter.subscriptionId === id) queries.deadLetters.delete(letter.id)
  }
}

export function recordDelivery(queries: Queries, id: number, delivery: Delivery): void {
  const before = queries.subscriptions.get(id)
  if (before === undefined) return
  const calm = { failureCount: 0, nextAttemptAt: null }
  switch (delivery.kind) {
    case 'delivered': {
      const deliveredSeq = Math.max(before.deliveredSeq, delivery.upTo)
      const after = { ...before, ...calm, deliveredSeq, deliveredAt: delivery.at, lastError: null }
      queries.subscriptions.set(id, after)
      return
    }
    case 'failed': {
      const { error, nextAttemptAt } = delivery
      const failureCount = before.failureCount + 1
      queries.subscriptions.set(id, { ...before, failureCount, nextAttemptAt, lastError: error })
      return
    }
    case 'dead':
      bury(queries, { ...before, ...calm, lastError: delivery.reason }, delivery)
  }
}

function bury(queries: Queries, subscription: Subscription, delivery: Extract<Delivery, { kind: 'dead' }>): void {
  let { deliveredSeq } = subscription
  for (const seq of delivery.publications) {
    const publication = queries.publications.get(seq)
    if (publication !== undefined && seq > deliveredSeq) {
      const id = ++queries.lastDeadLetter
      const { itemSeq } = publication
      const { at, reason } = delivery
      queries.deadLetters.set(id, {
        id,
        subscriptionId: subscription.id,
        publicationSeq: seq,
        itemSeq,
        at,
        reason,
        isRequeued: false,
      })
    }
    deliveredSeq = Math.max(deliveredSeq, seq)
  }
  queries.subscriptions.set(subscription.id, { ...subscription, deliveredSeq })
}

export function requeueDeadLetters(
  { deadLetters }: Queries,
  which: { readonly ids: readonly number[] } | { readonly subscriptionId: number },
): number {
  const found = [...deadLetters.values()].filter((letter) =>
    'ids' in which ? which.ids.includes(letter.id) : letter.subscriptionId === which.subscriptionId,
  )
  for (const letter of found) deadLetters.set(letter.id, { ...letter, isRequeued: true })
  return found.length
}

export function listRequeued({ deadLetters }: Queries): readonly DeadLetter[] {
  return [...deadLetters.values()]
    .filter((letter) => letter.isRequeued)
    .sort((a, b) => a.publicationSeq - b.publicationSeq || a.id - b.id)
}

export function settleDeadLetter(
  { deadLetters }: Queries,
  id: number,
  failure: { readonly reason: string; readonly at: InstantMs } | null,
): void {
  const letter = deadLetters.get(id)
  if (failure === null) deadLetters.delete(id)
  else if (letter !== undefined) deadLetters.set(id, { ...letter, ...failure, isRequeued: false })
}
