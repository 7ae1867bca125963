import type { Territory } from '../../crawler/territory.ts'
import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS, type SourceId } from '../../model/index.ts'
import { budgetShare } from '../../refresh/scheduler/local-allowance.ts'
import { TokenBucket } from '../../refresh/scheduler/token-bucket.ts'
import type { Config } from '../settings/config.ts'
import { type PaidRequest, type PayingDeps, payFor } from './paid-request.ts'

/** One that goes out, and what is earned for the next while it waits for its host. A restart earns nothing. */
const BURST = 2
/** So long a page may wait for the budget that refreshes have spent; where the budget is small, as long as its share takes. */
const PATIENCE_MS: DurationMs = MINUTE_MS
/** Then pages of others have their turn. */
const ASKING_MS: DurationMs = 2 * SECOND_MS

/**
 * Pages, and icons likewise, are paid from the budget like refreshes, by who pays for their source, and from no more than their share of it: what they do not
 * need is left to refreshes, and together they never spend more than the budget. Of several crawlers each has as large a part of
 * the share as it has of the shards.
 */
export class PageBudget {
  readonly #share: TokenBucket
  readonly #paying: PayingDeps
  readonly #territory: Territory | undefined
  readonly #patienceMs: DurationMs

  constructor(budget: Config['budget'], shareOfBudget: number, paying: PayingDeps, territory: Territory | undefined) {
    const share = budgetShare(budget, shareOfBudget)
    this.#share = new TokenBucket(share, BURST, paying.clock.now(), 0)
    this.#patienceMs = Math.max(PATIENCE_MS, share.perMs / share.requests)
    this.#paying = paying
    this.#territory = territory
  }

  /** When the share has room for another request. */
  nextAt(now: InstantMs): InstantMs {
    return this.#share.affordableAt(1, now)
  }

  /** Waits until it may be made; null: whoever pays for the source cannot before long, and nothing was paid. */
  async pay(sourceId: SourceId, signal: AbortSignal): Promise<PaidRequest | null> {
    const terms = { sourceId, patienceMs: this.#patienceMs, askingMs: ASKING_MS }
    const spent = this.#spend()
    const paid = await payFor(terms, this.#paying, signal)
    if (paid === null) this.#share.refund(spent)
    return paid
  }

  /** Pays for a request that has to be made before that of a page, whenever that can be; the next page waits for it. */
  payBefore(signal: AbortSignal): Promise<PaidRequest | null> {
    this.#spend()
    return payFor({ sourceId: NO_SOURCE, patienceMs: this.#patienceMs, askingMs: NEVER }, this.#paying, signal)
  }

  shift(byMs: DurationMs): void {
    this.#share.shift(byMs)
  }

  #spend(): number {
    const territory = this.#territory
    const parts = territory === undefined ? 1 : territory.shards / Math.max(1, territory.tokens().size)
    this.#share.spend(parts, this.#paying.clock.now())
    return parts
  }
}

/** Ids begin at 1. */
const NO_SOURCE: SourceId = 0
const NEVER = Number.POSITIVE_INFINITY
