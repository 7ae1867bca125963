import { type DurationMs, type InstantMs, SECOND_MS, type SourceId } from '../model/index.ts'
import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import type { PastObservation, SchedulerSource, StoredSchedule } from '../refresh/scheduler/scheduler.ts'
import type { Clock } from '../runtime/clock.ts'
import { repeat } from '../runtime/repeat.ts'
import { type StoredMoment, setSince } from '../runtime/steady-clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { SourcePart } from '../store/shards.ts'
import type { ScheduleEntry, Store } from '../store/store.ts'

/** With the moment of both clocks. */
export type SavedSchedule = StoredSchedule & StoredMoment

/** Price and token bucket; null: there are none yet, or of another form. */
export const SCHEDULE: NamedState<SavedSchedule | null> = jsonState('schedule', null, readSchedule)
/** As the crawler saved it last, in whichever process: of several, the one that saved last. */
export async function latestSchedule(store: Pick<Store, 'states'>): Promise<SavedSchedule | null> {
  return (await store.states(SCHEDULE))[0]?.value ?? null
}

/** Models written in one transaction: some milliseconds, so that fetching goes on between two of them. */
const BATCH = 250
/** One that is being refreshed is tried again after so long. */
const AGAIN_MS = 50
/** For sources that have come. */
const LOOK_EVERY_MS = SECOND_MS
/** Observations from which a model is learnt anew: more would hardly move it. */
const RELEARN_FROM = 1_000

export interface ModelStoreDeps {
  readonly store: Pick<Store, 'saveModels' | 'observations' | 'decisions' | 'state'>
  readonly scheduler: LiveScheduler
  readonly clock: Clock
  /** A model on disk is never older than this. */
  readonly everyMs: DurationMs
  /** For a crawler of some shards, which come and go: those of these sources. */
  readonly part?: (ids: readonly SourceId[]) => SourcePart
}

/**
 * Lets models and price survive the process. What was learnt is written in batches; what a kill took with it is learnt
 * again from the observations, which are stored with every refresh. Models of another strategy or version are rebuilt from
 * the observations as well, in the background.
 */
export class ModelStore {
  /** By source: since when something is missing; null: all of it. */
  private readonly behind = new Map<SourceId, InstantMs | null>()
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
    if (isBehind) this.behind.set(id, fits ? model.learntAt + 1 : null)
    return { memory: fits ? { form: model.form, bytes: model.state } : null, isBehind }
  }

  /** Two layers: what is learnt again takes as long as it takes, and checkpoints must not wait for it. */
  layers(): readonly Layer[] {
    const { clock, everyMs } = this.deps
    return [
      { name: 'models', run: repeat({ clock, everyMs, action: () => this.save() }), healthyAfterMs: null },
      { name: 'relearning', run: (signal) => this.relearn(signal) },
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
        const part = this.deps.part?.(ids)
        await store.saveModels(models, { also: { state: SCHEDULE, value }, ...(part && { part }) })
      } catch (error) {
        scheduler.untakeChanged(ids)
        throw error
      }
      await turn()
    } while (scheduler.changedCount > 0)
  }

  /** Where sources come and go there is always more to come. */
  private async relearn(signal: AbortSignal): Promise<void> {
    await this.catchUp(signal)
    while (this.deps.part !== undefined && !signal.aborted) {
      await this.deps.clock.sleep(LOOK_EVERY_MS, signal)
      await this.catchUp(signal)
    }
  }

  private async catchUp(signal: AbortSignal): Promise<void> {
    const { store, scheduler, clock } = this.deps
    // One that could not be read stays first in the queue.
    for (let next = firstOf(this.behind); next !== undefined && !signal.aborted; next = firstOf(this.behind)) {
      const [id, since] = next
      const found = await pastObservations(store, id, since)
      // What a clock that was ahead has left would be learnt as if the next years were known.
      const oldestFirst = found.filter(({ at }) => at <= clock.now())
      // It went and came back meanwhile, with a newer model.
      if (this.behind.get(id) !== since) continue
      const isDone = since === null ? scheduler.relearn(id, oldestFirst) : scheduler.catchUp(id, oldestFirst)
      this.behind.delete(id)
      if (isDone) await turn()
      else {
        this.behind.set(id, since)
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

function firstOf<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined {
  for (const entry of map) return entry
  return undefined
}

/** Lets everything else that is ready go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function readSchedule(stored: unknown): SavedSchedule | undefined {
  const { v, price, minutes } = (stored ?? {}) as Partial<SavedSchedule>
  return v === 1 && Number.isFinite(price) && Array.isArray(minutes) ? (stored as SavedSchedule) : undefined
}
