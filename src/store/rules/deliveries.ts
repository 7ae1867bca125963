import type { PublicationSeq, Subscription } from '../../model/index.ts'
import type { Delivery } from '../query-feeds.ts'

export type DeliveryState = Pick<
  Subscription,
  'deliveredSeq' | 'deliveredAt' | 'failureCount' | 'nextAttemptAt' | 'lastError'
>

/** A subscription begins with what is published after it. */
export function newDeliveryState(lastPublication: PublicationSeq): DeliveryState {
  return { deliveredSeq: lastPublication, deliveredAt: null, failureCount: 0, nextAttemptAt: null, lastError: null }
}

/** Never goes back: what was delivered or given up stays so, whatever comes late. */
export function afterDelivery(before: DeliveryState, delivery: Delivery): DeliveryState {
  switch (delivery.kind) {
    case 'delivered':
      return {
        deliveredSeq: Math.max(before.deliveredSeq, delivery.upTo),
        deliveredAt: delivery.at,
        failureCount: 0,
        nextAttemptAt: null,
        lastError: null,
      }
    case 'failed':
      return {
        ...before,
        failureCount: before.failureCount + 1,
        nextAttemptAt: delivery.nextAttemptAt,
        lastError: delivery.error,
      }
    case 'dead':
      return {
        ...before,
        deliveredSeq: delivery.publications.reduce((last, seq) => Math.max(last, seq), before.deliveredSeq),
        failureCount: 0,
        nextAttemptAt: null,
        lastError: delivery.reason,
      }
  }
}

/** Which publications become dead letters: each once, in the order of their numbers, none that was settled before. */
export function lettersToBury(
  { deliveredSeq }: Pick<DeliveryState, 'deliveredSeq'>,
  publications: readonly PublicationSeq[],
): PublicationSeq[] {
  let last = deliveredSeq
  return publications.filter((seq) => {
    if (seq <= last) return false
    last = seq
    return true
  })
}
