import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { FetchOutcome } from '../fetch/fetcher.ts'
import type { PipelineDeps, SourceRefresh } from '../pipeline.ts'
import { recordOf, type SeenPart } from './part.ts'

export interface StorePartsDeps extends Pick<PipelineDeps, 'store' | 'clock' | 'why' | 'lease'> {
  readonly scheduler: Pick<LiveScheduler, 'explain'>
}

interface CommonAnswer {
  readonly url: string
  readonly fetched: FetchOutcome
  /** The request is counted to the first of them. */
  readonly isCounted: boolean
}

/** What one answer showed of several sources, each stored by itself. */
export async function storeParts(
  parts: readonly SeenPart[],
  { url, fetched, isCounted }: CommonAnswer,
  { store, scheduler, why, lease, clock }: StorePartsDeps,
): Promise<SourceRefresh[]> {
  const refreshed: SourceRefresh[] = []
  for (const [index, part] of parts.entries()) {
    const { id } = part.source
    const next = scheduler.explain(id, clock.now())
    const check = { at: next?.nextAt ?? part.observation.at, reason: next?.reason ?? 'seen with others' }
    const record = recordOf(part, check, isCounted && index === 0)
    const decision = why === undefined ? {} : { decision: { ...why, expected: null } }
    const { added, changed } = await store.recordRefresh({ ...record, ...decision, ...(lease && { lease }) })
    refreshed.push({ url, fetched, record, isFixed: false, added, changed })
  }
  return refreshed
}
