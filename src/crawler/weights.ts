import { type InstantMs, MINUTE_MS, type SourceId } from '../model/index.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import type { ScheduleEntry } from '../store/store.ts'

/** Which share of each source's items somebody wants; a source that is missing has `others`. */
export interface RelevanceMap {
  readonly of: ReadonlyMap<SourceId, number>
  readonly others: number
}

export type Relevance = (now: InstantMs) => Promise<RelevanceMap>

/** Readers and queries come and go slowly. */
const FOLLOW_EVERY_MS = MINUTE_MS

/** Importance of a source: the user's weight × its relevance to what is read, kept up to date in the scheduler. */
export class Weights {
  private readonly users = new Map<SourceId, number>()
  private relevance: RelevanceMap = { of: new Map(), others: 1 }
  private followedAt: InstantMs = Number.NEGATIVE_INFINITY
  private readonly deps: { readonly scheduler: LiveScheduler; readonly relevance?: Relevance }

  constructor(deps: { readonly scheduler: LiveScheduler; readonly relevance?: Relevance }) {
    this.deps = deps
  }

  of({ id, weight }: Pick<ScheduleEntry, 'id' | 'weight'>): number {
    if (this.deps.relevance !== undefined) this.users.set(id, weight)
    return weight * this.share(id)
  }

  async follow(now: InstantMs): Promise<void> {
    const { relevance, scheduler } = this.deps
    if (relevance === undefined || (now - this.followedAt < FOLLOW_EVERY_MS && now >= this.followedAt)) return
    this.followedAt = now
    this.relevance = await relevance(now)
    for (const [id, weight] of this.users) scheduler.setWeight(id, weight * this.share(id))
  }

  private share(id: SourceId): number {
    return this.relevance.of.get(id) ?? this.relevance.others
  }
}
