import { entryAt } from '../../model/entry-at.ts'
import type { DurationMs, InstantMs, SourceId } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Store } from '../../store/store.ts'
import { type History, historyOfSource } from './history.ts'

/** One thing that is learnt of all sources together: foresight's tables, SCC07's posting clusters. */
export interface SharedLearning {
  /** Observations of one source that it looks at, newest first. */
  historyRange(now: InstantMs): { readonly limit: number; readonly since?: InstantMs }
  /** Learns again and puts it where the strategy finds it. */
  learn(histories: readonly History[], now: InstantMs): Promise<void>
  /** As it was before the restart; when it was learnt, null: never. */
  resume(store: Pick<Store, 'state'>): Promise<InstantMs | null>
  /** After learning, and when the node ends. */
  save(store: Pick<Store, 'saveState'>): Promise<void>
  /** Waits after a start before which nothing was learnt. */
  readonly firstMs: readonly DurationMs[]
  nextAt(learntAt: InstantMs): InstantMs
}

export interface SharedModelStoreDeps {
  readonly store: Pick<Store, 'observations' | 'state' | 'saveState'>
  readonly clock: Clock
  readonly learning: SharedLearning
  /** Whether anything is to be learnt now; where not, it stays as it is. */
  readonly isLearning: (now: InstantMs) => boolean
}

/** What is common shows in so many sources. */
const MOST_SOURCES = 2_000

/**
 * Stores what is learnt of all sources together. Learnt again in the background from the stored observations, a source at a
 * time with everything else between, and swapped as a whole; it survives restarts.
 */
export class SharedModelStore {
  private learntAt: InstantMs | null = null
  private readonly deps: SharedModelStoreDeps

  constructor(deps: SharedModelStoreDeps) {
    this.deps = deps
  }

  async resume(): Promise<void> {
    const { learning, store } = this.deps
    this.learntAt = await learning.resume(store)
  }

  layer(ids: () => readonly SourceId[]): Layer {
    return { name: 'shared tables', run: (signal) => this.run(ids, signal) }
  }

  async run(ids: () => readonly SourceId[], signal: AbortSignal): Promise<void> {
    const { clock, learning, store } = this.deps
    // What the store refused before a failure.
    await learning.save(store)
    const waits = this.learntAt === null ? [...learning.firstMs] : []
    for (;;) {
      const now = clock.now()
      const waitMs = waits.shift() ?? Math.max(0, learning.nextAt(this.learntAt ?? now) - now)
      await clock.sleep(waitMs, signal)
      if (signal.aborted) break
      await this.build(ids(), signal)
    }
    await learning.save(store)
  }

  /** From the observations of these sources, or of as many of them as show enough. */
  async build(ids: readonly SourceId[], signal?: AbortSignal): Promise<void> {
    const { store, clock, learning } = this.deps
    const now = clock.now()
    if (!this.deps.isLearning(now)) {
      this.learntAt = now
      return
    }
    const histories: History[] = []
    for (const id of spreadOver(ids, MOST_SOURCES)) {
      if (signal?.aborted) return
      const history = historyOfSource(id, await store.observations(id, learning.historyRange(now)), now)
      if (history !== null) histories.push(history)
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.learntAt = now
    if (histories.length === 0) return
    await learning.learn(histories, now)
    await learning.save(store)
  }
}

function spreadOver(ids: readonly SourceId[], most: number): readonly SourceId[] {
  if (ids.length <= most) return ids
  return Array.from({ length: most }, (_, k) => entryAt(ids, Math.floor(((k + 0.5) * ids.length) / most)))
}
