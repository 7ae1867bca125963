import type { DurationMs, InstantMs, ItemSeq } from '../../model/index.ts'
import type { ErrorCode } from '../../runtime/errors.ts'
import type { PresentedItem } from '../present.ts'

/** One publication on its way to a subscriber. */
export interface OutgoingItem {
  /**
   * Names the publication: the same at every repetition, different for every other one of this and other feeds. A
   * receiver that remembers it gets each item exactly once.
   */
  readonly publicationId: string
  /** Place in the feed's order of publication. */
  readonly seq: number
  readonly publishedAt: InstantMs
  /** Its number in the archive. */
  readonly itemSeq: ItemSeq
  readonly item: PresentedItem
}

/** In the order of publication. */
export type OutgoingItems = readonly [OutgoingItem, ...(readonly OutgoingItem[])]

export interface OutgoingFeed {
  readonly name: string
  readonly title: string
  /** Absolute, without the ending that names a format. */
  readonly url: string
}

export interface Outgoing {
  readonly feed: OutgoingFeed
  /** Address, path or mail address, as written in the subscription. */
  readonly target: string
  /** What messages are signed or encrypted with, where the channel does that. */
  readonly secret: string
  /** null: as they come; else collected over this time. */
  readonly everyMs: DurationMs | null
  /** Never more than the channel's `mostItems`. */
  readonly items: OutgoingItems
}

export interface DeliveryProblem {
  readonly code: ErrorCode
  /** For people; holds no secret. */
  readonly message: string
}

/**
 * What came of an attempt. `retry`: not now; `notBefore` where the receiver said when. `isRefusal`: the receiver works
 * but does not want these items, so that trying for days would only keep the others waiting. `dead`: no use in trying
 * again, ever. `ended`: the receiver wants nothing any more, or may not have it.
 */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'retry'
      readonly problem: DeliveryProblem
      readonly notBefore: InstantMs | null
      readonly isRefusal: boolean
    }
  | { readonly kind: 'dead'; readonly problem: DeliveryProblem }
  | { readonly kind: 'ended'; readonly problem: DeliveryProblem }

/**
 * A way out of the node. Delivers at least once: the caller repeats what was not answered with `delivered`, with the
 * same items first. Expected failures are outcomes; deliver never rejects because of the receiver.
 */
export interface Channel {
  /** Items that one attempt may carry. */
  mostItems(everyMs: DurationMs | null): number
  deliver(outgoing: Outgoing, signal: AbortSignal): Promise<DeliveryOutcome>
  close(): Promise<void>
}

/** What is no end of the subscription. */
export type AttemptOutcome = Exclude<DeliveryOutcome, { readonly kind: 'ended' }>

export const DELIVERY_DONE: AttemptOutcome = { kind: 'delivered' }

export function retryLater(
  code: ErrorCode,
  message: string,
  { notBefore = null, isRefusal = false }: { readonly notBefore?: InstantMs | null; readonly isRefusal?: boolean } = {},
): AttemptOutcome {
  return { kind: 'retry', problem: { code, message }, notBefore, isRefusal }
}

export function dead(code: ErrorCode, message: string): AttemptOutcome {
  return { kind: 'dead', problem: { code, message } }
}
