import type { InstantMs } from './time.ts'

/** Why a source was refreshed when it was. */
export type Cause =
  /** Never refreshed before. */
  | 'new'
  /** Somebody asked for it. */
  | 'asked'
  /** Its window was believed full. */
  | 'full'
  /** What had come was believed to be worth the price. */
  | 'worth'
  /** Its own interval, a retry after a failure, a hint of the publisher, a surprise. */
  | 'time'
  /** A page that shows its items, too, had something new. */
  | 'signal'
  /** Its hub had told of news. */
  | 'push'
  /** The share of the budget that is set aside for learning (thesis 7.3.4). */
  | 'learning'
  /** Before its time, with budget that would have been lost. */
  | 'spare'

/** A refresh as it was decided. */
export interface Decision {
  readonly cause: Cause
  readonly at: InstantMs
  /** τ at that moment. */
  readonly price: number
  /** Items believed to have come since the last refresh; null where the strategy has no publication model. */
  readonly expected: number | null
}
