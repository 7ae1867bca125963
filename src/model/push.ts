import type { SourceId } from './ids.ts'
import type { InstantMs } from './time.ts'

/** How a site tells of news: a WebSub hub, or a cloud of RSS 2.0. */
export type PushKind = 'websub' | 'rsscloud'

/**
 * The life of a push subscription: `new` until somebody has asked the hub; `pending` until the hub has verified that we asked;
 * `active` while its lease runs, and six hours of grace; `lapsed` after that, or where the hub said no, until it is active again.
 * A renewal leaves it active.
 */
export type PushStatus = 'new' | 'pending' | 'active' | 'lapsed'

/** That a source's hub is to tell us of news. At most one for each source. */
export interface PushSubscription {
  readonly sourceId: SourceId
  readonly kind: PushKind
  /** Where we subscribe. */
  readonly hub: string
  /** The address that the feed goes by there. */
  readonly topic: string
  /** Ends the address that the hub calls, and cannot be guessed. Another hub or topic gets another. */
  readonly key: string
  /** What the hub signs with; null: it cannot be read without the key that it was sealed with. */
  readonly secret: string | null
  readonly status: PushStatus
  readonly leaseEndsAt: InstantMs | null
  /** When something is to be done about it: subscribe, renew, try again. */
  readonly nextAt: InstantMs
  /** In a row. */
  readonly failures: number
  readonly lastError: string | null
  readonly pushedAt: InstantMs | null
  /** Pushes that were taken, that were not genuine, and that had been there before. */
  readonly pushes: number
  readonly refused: number
  readonly repeated: number
  /** When anything but these counts changed. */
  readonly changedAt: InstantMs
}
