import {
  DAY_MS,
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  MINUTE_MS,
  type Observation,
  type SourceId,
  WEEK_MS,
} from '../model/index.ts'
import type { SiblingPair, SiblingSignals } from '../refresh/scheduler/sibling-signals.ts'
import { alignTables } from '../refresh/strategies/foresight/align-tables.ts'
import type { ForesightTables, SharedTables } from '../refresh/strategies/foresight/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import type { Store } from '../store/store.ts'

/** Where the store keeps the tables and who publishes with whom. */
export const TABLES_STATE = 'foresight-tables'
export const SIBLINGS_STATE = 'siblings'

/** Item dates of one source. */
export interface History {
  readonly id: SourceId
  /** All that are known, oldest first. */
  readonly times: Float64Array
  /** From here on nothing was missed; before it there are only the items of a first window. */
  readonly watchedFrom: InstantMs
  /** Dates that tell habits: of whole weeks, or of whole days, laid evenly over the week. */
  readonly habits: Float64Array
}

export interface Learnt {
  readonly tables: ForesightTables
  readonly siblings: readonly Pick<SiblingPair, 'source' | 'by'>[]
}

export interface SharedTablesDeps {
  readonly store: Pick<Store, 'observations' | 'nodeState' | 'saveNodeState'>
  readonly clock: Clock
  /** Where the strategy finds them. */
  readonly shared: SharedTables
  readonly signals: SiblingSignals
  /** Works them out, in another thread where there is one. */
  readonly learn: (histories: readonly History[]) => Promise<Learnt>
}

/** Shapes are few: so many sources show them, and so many observations of each. */
const MOST_SOURCES = 2_000
const MOST_OBSERVATIONS = 1_000
/** After a start without tables; then once a day, for habits change slowly. */
const FIRST_MS: readonly DurationMs[] = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]
const EVERY_MS = DAY_MS

interface Kept {
  readonly builtAt: InstantMs
  readonly tables: ForesightTables
}

/**
 * Keeps what the strategy learns of all sources together: tables of shapes, and siblings. Built anew in the background from
 * the stored observations, a source at a time with everything else between, and swapped as a whole; kept over restarts.
 */
export class SharedTablesKeeper {
  private builtAt: InstantMs | null = null
  /** What the store refused, until it takes it. */
  private unsaved: Kept | null = null
  private readonly deps: SharedTablesDeps

  constructor(deps: SharedTablesDeps) {
    this.deps = deps
  }

  /** As they were before the restart. */
  async resume(): Promise<void> {
    const { store, shared, signals } = this.deps
    const kept = readTables(await store.nodeState(TABLES_STATE))
    if (kept !== null) {
      shared.tables = kept.tables
      this.builtAt = kept.builtAt
    }
    const pairs = readSiblings(await store.nodeState(SIBLINGS_STATE))
    signals.set(pairs, pairs)
  }

  layer(ids: () => readonly SourceId[]): Layer {
    return { name: 'shared tables', run: (signal) => this.run(ids, signal) }
  }

  async run(ids: () => readonly SourceId[], signal: AbortSignal): Promise<void> {
    const { clock } = this.deps
    await this.saveTables()
    const waits = this.builtAt === null ? [...FIRST_MS] : []
    for (;;) {
      const now = clock.now()
      const waitMs = waits.shift() ?? Math.max(0, (this.builtAt ?? now) + EVERY_MS - now)
      await clock.sleep(waitMs, signal)
      if (signal.aborted) break
      await this.build(ids(), signal)
    }
    await this.saveSiblings()
  }

  /** From the observations of these sources, or of as many of them as show enough. */
  async build(ids: readonly SourceId[], signal?: AbortSignal): Promise<void> {
    const { store, clock, shared, signals, learn } = this.deps
    const histories: History[] = []
    for (const id of spreadOver(ids, MOST_SOURCES)) {
      if (signal?.aborted) return
      const observations = await store.observations(id, { limit: MOST_OBSERVATIONS })
      const history = historyOf(id, observations, clock.now())
      if (history !== null) histories.push(history)
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.builtAt = clock.now()
    if (histories.length === 0) return
    const learnt = await learn(histories)
    shared.tables = alignTables(shared.tables, learnt.tables)
    signals.set(learnt.siblings)
    this.unsaved = { builtAt: this.builtAt, tables: shared.tables }
    await this.saveTables()
    await this.saveSiblings()
  }

  private async saveTables(): Promise<void> {
    if (this.unsaved === null) return
    await this.deps.store.saveNodeState(TABLES_STATE, JSON.stringify(this.unsaved))
    this.unsaved = null
  }

  private async saveSiblings(): Promise<void> {
    const { store, signals } = this.deps
    await store.saveNodeState(SIBLINGS_STATE, JSON.stringify(signals.pairs()))
  }
}

/** A first window that reaches back so far shows all hours of the day. */
const LEAST_SPAN_MS = 3 * DAY_MS

/**
 * The first window of a busy feed shows the hours before the node came and no others, and so does a day of watching that
 * is not over: counted in, those hours would look like the busiest of all. The same with days: a node that was started on
 * a Monday must not believe on Friday that nobody publishes on Saturdays.
 */
export function historyOf(id: SourceId, newestFirst: readonly Observation[], now: InstantMs): History | null {
  const first = newestFirst.at(-1)
  if (first === undefined) return null
  const watchedFrom = first.previousAt ?? first.at
  const times = Float64Array.from(newestFirst.flatMap(({ itemTimes }) => itemTimes))
    .filter((time) => time <= now)
    .sort()
  const reachesBack = times.length > 0 && watchedFrom - times[0]! >= LEAST_SPAN_MS
  const habits = wholeWeeks(times, reachesBack ? times[0]! : watchedFrom, now)
  return habits.length === 0 ? null : { id, times, watchedFrom, habits }
}

function wholeWeeks(times: Float64Array, from: InstantMs, now: InstantMs): Float64Array {
  const weeks = Math.floor((now - from) / WEEK_MS)
  if (weeks > 0) return times.filter((time) => time >= now - weeks * WEEK_MS)
  const days = Math.floor((now - from) / DAY_MS)
  return times.filter((time) => time >= now - days * DAY_MS).map((time, index) => time + (index % 7) * DAY_MS)
}

/** As the store kept them; null: none, or of another form. */
export function readTables(text: string | null): Kept | null {
  const kept = parsed<Kept>(text)
  const { tables, builtAt } = kept ?? {}
  return tables?.v === 1 && tables.weeks.length > 0 && tables.minutes.length > 0 && Number.isFinite(builtAt)
    ? kept
    : null
}

function readSiblings(text: string | null): readonly SiblingPair[] {
  const pairs = parsed<readonly SiblingPair[]>(text)
  return Array.isArray(pairs) ? pairs.filter(({ record }) => record?.v === 1) : []
}

function parsed<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value)
  } catch {
    return null
  }
}

function spreadOver(ids: readonly SourceId[], most: number): readonly SourceId[] {
  if (ids.length <= most) return ids
  return Array.from({ length: most }, (_, k) => ids[Math.floor(((k + 0.5) * ids.length) / most)]!)
}
