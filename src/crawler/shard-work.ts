import { type DurationMs, type LeaseToken, SECOND_MS, type Shard, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { SourcePart } from '../store/shards.ts'
import type { ScheduleChanges, Store } from '../store/store.ts'
import { type Holding, Holdings, partOf } from './holdings.ts'
import type { Territory } from './territory.ts'

/** What was learnt of hosts: it must follow their shards. */
export interface HostMemory {
  /** For the crawlers that come next. */
  save(): Promise<void>
  /** What other crawlers have saved. */
  learn(): Promise<void>
}

export interface ShardWorkDeps {
  readonly territory: Territory
  readonly store: Pick<Store, 'scheduleChanges'>
  readonly hosts: HostMemory
  readonly clock: Clock
  /** Shards have come or gone: to be followed soon. */
  readonly onChange: () => void
  /** Sources that are no longer this crawler's. */
  readonly drop: (ids: Iterable<SourceId>) => void
  readonly saveModels: () => Promise<void>
}

/** What is under way for a shard that is to be another's has so long to end by itself. */
const END_WITHIN_MS = 5 * SECOND_MS

/** Follows the territory of a crawler: reads the sources of shards that come, and ends the work on those that go. */
export class ShardWork {
  readonly #deps: ShardWorkDeps
  readonly #holdings: Holdings

  constructor(deps: ShardWorkDeps) {
    this.#deps = deps
    this.#holdings = new Holdings(deps.territory, deps.clock)
  }

  /** As long as the crawler runs; returns how to end it. */
  begin(signal: AbortSignal): () => void {
    const { territory, onChange } = this.#deps
    this.#holdings.goOn()
    const callOff = () => this.#holdings.callOffAll()
    signal.addEventListener('abort', callOff, { once: true })
    const leave = [
      territory.onChange(() => {
        this.#holdings.callOffInvalid()
        onChange()
      }),
      territory.onLeave((tokens) => this.#leave(tokens)),
    ]
    return () => {
      signal.removeEventListener('abort', callOff)
      for (const end of leave) end()
    }
  }

  /** Like the store's, of the territory: with all sources of shards that have come, and without those of shards that went. */
  async changes(sinceRevision: number): Promise<ScheduleChanges> {
    const { store, territory, hosts } = this.#deps
    const gone = this.#holdings.departed()
    this.#deps.drop(gone.flatMap((holding) => [...holding.sources]))
    for (const holding of gone) this.#holdings.end(holding)
    const known = this.part()
    const arrived = this.#holdings.arrived()
    const none: ScheduleChanges = { revision: sinceRevision, changed: [], removed: [] }
    const news = known.shards.size === 0 ? none : await store.scheduleChanges(sinceRevision, known)
    if (arrived.size === 0) return news
    await hosts.learn()
    const whole = await store.scheduleChanges(0, partOf(arrived, territory.shards))
    this.#holdings.begin(arrived)
    // What has changed between the two is read once more the next time.
    const revision = known.shards.size === 0 ? whole.revision : news.revision
    return { revision, changed: [...news.changed, ...whole.changed], removed: news.removed }
  }

  /** Everything that was read; or the shards of these sources. */
  part(ids?: readonly SourceId[]): SourcePart {
    return this.#holdings.part(ids)
  }

  /** False: it is not of the territory. */
  assign(id: SourceId, url: string): boolean {
    return this.#holdings.assign(id, url)
  }

  forget(id: SourceId): void {
    this.#holdings.forget(id)
  }

  /** The shard of a source; null: it is not of the territory. */
  holdingOf(id: SourceId): Holding | null {
    return this.#holdings.of(id) ?? null
  }

  mayStart(holding: Holding): boolean {
    return this.#holdings.mayStart(holding)
  }

  /** False: its address has changed, and another shard has it by now. */
  isOf(holding: Holding, url: string): boolean {
    return this.#holdings.isOf(holding, url)
  }

  /** True: the store refused because another has the shard; it is given up. */
  isLost(holding: Holding | null, error: unknown): boolean {
    if (holding === null || !(error instanceof HeadwaterError) || error.code !== 'LEASE_LOST') return false
    this.#deps.territory.lose(holding.shard, holding.token)
    return true
  }

  /** Before shards are given back: nothing begins, what is under way ends, what was learnt is stored. */
  async #leave(tokens: ReadonlyMap<Shard, LeaseToken>): Promise<void> {
    const leaving = [...tokens].flatMap(([shard, token]) => {
      const holding = this.#holdings.get(shard)
      return holding?.token === token ? [holding] : []
    })
    for (const holding of leaving) holding.isLeaving = true
    await this.#endOf(leaving, END_WITHIN_MS)
    try {
      await this.#deps.saveModels()
      await this.#deps.hosts.save()
    } finally {
      this.#deps.drop(leaving.flatMap(({ sources }) => [...sources]))
      for (const holding of leaving) this.#holdings.end(holding)
    }
  }

  async #endOf(leaving: readonly Holding[], withinMs: DurationMs): Promise<void> {
    const ends = Promise.all(leaving.flatMap(({ running }) => [...running]))
    const over = new AbortController()
    await Promise.race([ends, this.#deps.clock.sleep(withinMs, over.signal)])
    over.abort()
    for (const { ending } of leaving) ending.abort()
    await ends
  }
}
