import { type InstantMs, MINUTE_MS, type SourceId, type UserId } from '../model/index.ts'
import type { Scheduler } from '../refresh/scheduler/scheduler.ts'

/** Who pays for what. */
export interface PayerMap {
  /** Of a source; never empty. */
  of(id: SourceId): readonly UserId[]
  /** For what nobody in particular asks for. */
  readonly owner: UserId
}

export type FindPayers = () => Promise<PayerMap>

/** Follows come and go slowly. */
const FOLLOW_EVERY_MS = MINUTE_MS

/** Keeps the scheduler told of who pays for each source. */
export class Payments {
  private known: PayerMap | null = null
  private followedAt: InstantMs = Number.NEGATIVE_INFINITY
  private readonly deps: { readonly scheduler: Scheduler<unknown>; readonly payers?: FindPayers }

  constructor(deps: { readonly scheduler: Scheduler<unknown>; readonly payers?: FindPayers }) {
    this.deps = deps
  }

  /** Empty where nobody is told of any. */
  of(id: SourceId): { readonly payers?: readonly UserId[] } {
    return this.known === null ? {} : { payers: this.known.of(id) }
  }

  /** `by`: null for whoever runs the node. */
  asker(by: UserId | null): UserId | null {
    return by ?? this.known?.owner ?? null
  }

  async follow(now: InstantMs, sources: Iterable<SourceId>): Promise<void> {
    const { payers, scheduler } = this.deps
    if (payers === undefined || (now - this.followedAt < FOLLOW_EVERY_MS && now >= this.followedAt)) return
    this.followedAt = now
    const found = await payers()
    if (found === this.known) return
    this.known = found
    for (const id of sources) scheduler.setPayers(id, found.of(id))
  }
}
