import type { InstantMs } from '../model/index.ts'
import type { SchedulerSource } from '../refresh/scheduler/scheduler.ts'
import type { ScheduleEntry } from '../store/store.ts'

/** Before the first refresh nobody knows the window; 20 is the commonest in the traces and in the papers. */
const USUAL_WINDOW = 20

export interface SchedulerSourceParts {
  readonly weight: number
  readonly memory: Pick<SchedulerSource, 'memory' | 'isBehind'>
  readonly payers: Pick<SchedulerSource, 'payers'>
  /** Models that were learnt again since then replace what is known. */
  readonly syncedBefore: InstantMs
}

/** A source of the store as the scheduler gets it. */
export function schedulerSourceOf(
  entry: ScheduleEntry,
  { weight, memory, payers, syncedBefore }: SchedulerSourceParts,
): SchedulerSource {
  const { model } = entry
  return {
    facts: {
      id: entry.id,
      weight,
      cost: model?.cost ?? 1,
      windowSize: model?.windowSize || USUAL_WINDOW,
      addedAt: entry.addedAt,
      lastRefreshAt: entry.lastSuccessAt,
    },
    intervalMs: entry.intervalMs,
    minIntervalMs: entry.minIntervalMs,
    maxIntervalMs: entry.maxIntervalMs,
    dueAt: entry.status === 'failing' ? entry.nextCheckAt : null,
    plannedAt: entry.nextCheckAt,
    ...memory,
    relearnt: (model?.relearntAt ?? Number.NEGATIVE_INFINITY) >= syncedBefore,
    paused: entry.paused,
    retired: entry.status === 'retired',
    ...payers,
  }
}
