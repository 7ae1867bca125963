import type { Territory } from '../../crawler/territory.ts'
import { type DurationMs, type InstantMs, MINUTE_MS, type SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import { budgetShare } from '../../refresh/scheduler/local-allowance.ts'
import { TokenBucket } from '../../refresh/scheduler/token-bucket.ts'
import type { Config } from '../settings/config.ts'

/** Without a burst no minute gets more than its share, and a restart earns nothing. */
const BURST = 1
/** So long a page may wait for the budget that refreshes have spent; where the budget is small, as long as its share takes. */
const PATIENCE_MS: DurationMs = MINUTE_MS

/**
 * Pages, and icons likewise, are paid from the budget like refreshes, by who pays for their source, and from no more than their share of it: what they do not
 * need is left to refreshes, and together they never spend more than the budget. Of several crawlers each has as large a part of
 * the share as it has of the shards.
 */
export class PageBudget {
  readonly #share: TokenBucket
  readonly #scheduler: Pick<LiveScheduler, 'reserve'>
  readonly #territory: Territory | undefined
  readonly #patienceMs: DurationMs

  constructor(
    budget: Config['budget'],
    shareOfBudget: number,
    scheduler: Pick<LiveScheduler, 'reserve'>,
    territory: Territory | undefined,
    now: InstantMs,
  ) {
    const share = budgetShare(budget, shareOfBudget)
    this.#share = new TokenBucket(share, BURST, now, 0)
    this.#patienceMs = Math.max(PATIENCE_MS, share.perMs / share.requests)
    this.#scheduler = scheduler
    this.#territory = territory
  }

  /** When the share has room for another request. */
  nextAt(now: InstantMs): InstantMs {
    return this.#share.affordableAt(1, now)
  }

  /** When it may be made; null: whoever pays for the source cannot before long, and nothing was paid. */
  pay(sourceId: SourceId, now: InstantMs): InstantMs | null {
    const paidAt = this.#scheduler.reserve(sourceId, now, now + this.#patienceMs)
    if (paidAt !== null) this.#spend(now)
    return paidAt
  }

  /** Pays for a request that has to be made before that of a page, whenever that can be; the next page waits for it. */
  payBefore(now: InstantMs): InstantMs {
    this.#spend(now)
    return this.#scheduler.reserve(NO_SOURCE, now, Number.POSITIVE_INFINITY) ?? now
  }

  shift(byMs: DurationMs): void {
    this.#share.shift(byMs)
  }

  #spend(now: InstantMs): void {
    const territory = this.#territory
    const parts = territory === undefined ? 1 : territory.shards / Math.max(1, territory.tokens().size)
    this.#share.spend(parts, now)
  }
}

/** Ids begin at 1. */
const NO_SOURCE: SourceId = 0
