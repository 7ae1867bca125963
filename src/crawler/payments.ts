import { type InstantMs, MINUTE_MS, SECOND_MS, type Source, type SourceId, type UserId } from '../model/index.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'

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
/** Sources come faster, and until it is known who added one the owner pays for it. */
const LEAST_MS = 5 * SECOND_MS

/** Passes on to the scheduler who pays for each source. */
export class Payments {
  private known: PayerMap | null = null
  private followedAt: InstantMs = Number.NEGATIVE_INFINITY
  /** There are sources whose payers were not read yet. */
  private hasNew = false
  private readonly deps: { readonly scheduler: LiveScheduler; readonly payers?: FindPayers }

  constructor(deps: { readonly scheduler: LiveScheduler; readonly payers?: FindPayers }) {
    this.deps = deps
  }

  /** Empty where there are none. */
  of({ id, addedAt }: Pick<Source, 'id' | 'addedAt'>): { readonly payers?: readonly UserId[] } {
    if (addedAt >= this.followedAt) this.hasNew = true
    return this.known === null ? {} : { payers: this.known.of(id) }
  }

  /** `by`: null for the operator. */
  asker(by: UserId | null): UserId | null {
    return by ?? this.known?.owner ?? null
  }

  async follow(now: InstantMs, sources: Iterable<SourceId>): Promise<void> {
    const { payers, scheduler } = this.deps
    const everyMs = this.hasNew ? LEAST_MS : FOLLOW_EVERY_MS
    if (payers === undefined || (now - this.followedAt < everyMs && now >= this.followedAt)) return
    this.followedAt = now
    this.hasNew = false
    const found = await payers()
    if (found === this.known) return
    this.known = found
    for (const id of sources) scheduler.setPayers(id, found.of(id))
  }
}
