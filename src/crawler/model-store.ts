import type { DurationMs, InstantMs, SourceId } from '../model/index.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import type { PastObservation, SchedulerSource, StoredSchedule } from '../refresh/scheduler/scheduler.ts'
import type { Clock } from '../runtime/clock.ts'
import { repeat } from '../runtime/repeat.ts'
import { type StoredMoment, setSince } from '../runtime/steady-clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { ScheduleEntry, Store } from '../store/store.ts'

/** With the moment of both clocks. */
export type SavedSchedule = StoredSchedule & StoredMoment

/** Price and token bucket; null: there are none yet, or of another form. */
export const SCHEDULE: NamedState<SavedSchedule | null> = jsonState('schedule', null, readSchedule)
/** Models written in one transaction: some milliseconds, so that fetching goes on between two of them. */
const BATCH = 250
/** One that is being refreshed is tried again after so long. */
const AGAIN_MS = 50
/** Observations from which a model is learnt again: more would hardly move it. */
const RELEARN_FROM = 1_000

export interface ModelStoreDeps {
  readonly store: Pick<Store, 'saveModels' | 'observations' | 'decisions' | 'state'>
  readonly scheduler: LiveScheduler
  readonly clock: Clock
  /** A model on disk is never older than this. */
  readonly everyMs: DurationMs
}

/**
 * Lets models and price survive the process. What was learnt is written in batches; what a kill took with it is learnt
 * again from the observations, which are stored with every refresh. Models of another strategy or version are rebuilt from
 * the observations as well, in the background.
 */
export class ModelStore {
  private readonly behind: { readonly id: SourceId; readonly since: InstantMs | null }[] = []
  private readonly deps: ModelStoreDeps

  constructor(deps: ModelStoreDeps) {
    this.deps = deps
  }

  /** Price and token bucket as they were; before any source is taken over. */
  async resume(): Promise<void> {
    const { store, scheduler, clock } = this.deps
    const saved = await store.state(SCHEDULE)
    if (saved !== null) scheduler.resume(saved, clock.now(), setSince(saved, clock))
  }

  /** The memory of a source as it was stored; notes what it lacks. */
  memoryOf({ id, model, lastSuccessAt }: ScheduleEntry): Pick<SchedulerSource, 'memory' | 'isBehind'> {
    const fits = model !== null && model.form === this.deps.scheduler.form
    const isNew = lastSuccessAt !== null && !this.deps.scheduler.has(id)
    const isBehind = isNew && !(fits && model.learntAt >= lastSuccessAt)
    if (isBehind) this.behind.push({ id, since: fits ? model.learntAt + 1 : null })
    return { memory: fits ? { form: model.form, bytes: model.state } : null, isBehind }
  }

  /** Two layers: what is learnt again takes as long as it takes, and checkpoints must not wait for it. */
  layers(): readonly Layer[] {
    const { clock, everyMs } = this.deps
    return [
      { name: 'models', run: repeat({ clock, everyMs, action: () => this.save() }), healthyAfterMs: null },
      { name: 'relearning', run: (signal) => this.catchUp(signal) },
    ]
  }

  /** Writes all that changed since the last time, in batches. */
  async save(): Promise<void> {
    const { store, scheduler, clock } = this.deps
    do {
      const ids = scheduler.takeChanged(BATCH)
      const models = ids.flatMap((sourceId) => {
        const memory = scheduler.memory(sourceId)
        if (memory === null) return []
        const { bytes, ...rest } = memory
        return [{ sourceId, ...rest, state: bytes, relearntAt: null }]
      })
      const value: SavedSchedule = { ...scheduler.snapshot(clock.now()), monotonicMs: clock.monotonicMs() }
      try {
        await store.saveModels(models, { also: { state: SCHEDULE, value } })
      } catch (error) {
        scheduler.untakeChanged(ids)
        throw error
      }
      await turn()
    } while (scheduler.changedCount > 0)
  }

  private async catchUp(signal: AbortSignal): Promise<void> {
    const { store, scheduler, clock } = this.deps
    // One that could not be read stays first in the queue.
    for (let next = this.behind[0]; next !== undefined && !signal.aborted; next = this.behind[0]) {
      const { id, since } = next
      const found = await pastObservations(store, id, since)
      // What a clock that was ahead has left would be learnt as if the next years were known.
      const oldestFirst = found.filter(({ at }) => at <= clock.now())
      const isDone = since === null ? scheduler.relearn(id, oldestFirst) : scheduler.catchUp(id, oldestFirst)
      this.behind.shift()
      if (isDone) await turn()
      else {
        this.behind.push(next)
        await clock.sleep(AGAIN_MS, signal)
      }
    }
  }
}

/** What was seen of a source, with why it was refreshed, oldest first; null: as far back as models are learnt from. */
export async function pastObservations(
  store: Pick<Store, 'observations' | 'decisions'>,
  id: SourceId,
  since: InstantMs | null,
): Promise<readonly PastObservation[]> {
  const found = await store.observations(id, { limit: RELEARN_FROM, ...(since === null ? {} : { since }) })
  const causes = new Map((await store.decisions(id, found.length)).map(({ at, cause }) => [at, cause]))
  return found.map((observation) => ({ ...observation, cause: causes.get(observation.at) ?? null })).toReversed()
}

/** Lets everything else that is ready go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function readSchedule(stored: unknown): SavedSchedule | undefined {
  const { v, price, minutes } = (stored ?? {}) as Partial<SavedSchedule>
  return v === 1 && Number.isFinite(price) && Array.isArray(minutes) ? (stored as SavedSchedule) : undefined
}
