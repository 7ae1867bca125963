import { isDeepStrictEqual } from 'node:util'
import type { DeadLetter, InstantMs, QueryFeedId, Subscription, SubscriptionOutput } from '../../model/index.ts'
import type { Delivery, QueryChange } from '../query-feeds.ts'
import { afterDelivery, lettersToBury, newDeliveryState } from '../rules/deliveries.ts'
import type { Queries } from './tables.ts'

export function subscribe(
  queries: Queries,
  feedId: QueryFeedId,
  { output, everyMs, secret }: Extract<QueryChange, { kind: 'subscribe' }>,
  now: InstantMs,
): void {
  const before = sameOutput(queries, feedId, output)
  const first = {
    id: before?.id ?? queries.lastSubscription + queries.step,
    feedId,
    output,
    secret,
    createdAt: now,
    ...newDeliveryState(queries.lastPublication),
  }
  queries.lastSubscription = Math.max(queries.lastSubscription, first.id)
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
  if (delivery.kind === 'dead') bury(queries, before, delivery)
  queries.subscriptions.set(id, { ...before, ...afterDelivery(before, delivery) })
}

function bury(queries: Queries, subscription: Subscription, delivery: Extract<Delivery, { kind: 'dead' }>): void {
  const { at, reason, publications } = delivery
  for (const publicationSeq of lettersToBury(subscription, publications)) {
    const publication = queries.publications.get(publicationSeq)
    if (publication === undefined) continue
    const { itemSeq } = publication
    queries.lastDeadLetter += queries.step
    const id = queries.lastDeadLetter
    const letter = { id, subscriptionId: subscription.id, publicationSeq, itemSeq, at, reason, isRequeued: false }
    queries.deadLetters.set(id, letter)
  }
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

export function listRequeuedLetters({ deadLetters }: Queries): readonly DeadLetter[] {
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
