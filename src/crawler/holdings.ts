import { setMaxListeners } from 'node:events'
import type { DurationMs, LeaseToken, Shard, ShardLease, SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { type SourcePart, shardOf } from '../store/shards.ts'
import type { Territory } from './territory.ts'

/** A shard whose sources were read. */
export interface Holding extends ShardLease {
  readonly sources: Set<SourceId>
  /** Refreshes under way. */
  readonly running: Set<Promise<void>>
  /** Nothing of it is asked for before this moment of the monotonic clock. */
  readonly fromMs: DurationMs
  /** Aborts what is under way. */
  ending: AbortController
  isLeaving: boolean
}

/** What a crawler has read of its territory, and how it stands to what is its own by now. */
export class Holdings {
  readonly #territory: Territory
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #byShard = new Map<Shard, Holding>()
  readonly #ofSource = new Map<SourceId, Holding>()

  constructor(territory: Territory, clock: Pick<Clock, 'monotonicMs'>) {
    this.#territory = territory
    this.#clock = clock
  }

  /** Shards whose sources have to be read. */
  arrived(): ReadonlyMap<Shard, LeaseToken> {
    return new Map([...this.#territory.tokens()].filter(([shard, token]) => this.#byShard.get(shard)?.token !== token))
  }

  /** Shards that are no longer its own under the token they were read with; what is being given back still is. */
  departed(): readonly Holding[] {
    const tokens = this.#territory.tokens()
    return [...this.#byShard.values()].filter(
      ({ shard, token, isLeaving }) => !isLeaving && tokens.get(shard) !== token,
    )
  }

  begin(tokens: ReadonlyMap<Shard, LeaseToken>): void {
    const fromMs = this.#clock.monotonicMs() + this.#territory.restMs
    const present = this.#territory.tokens()
    for (const [shard, token] of tokens) {
      // It may have gone while its sources were read.
      if (present.get(shard) !== token) continue
      const empty = { sources: new Set<SourceId>(), running: new Set<Promise<void>>() }
      this.#byShard.set(shard, { shard, token, ...empty, fromMs, ending: newEnding(), isLeaving: false })
    }
  }

  /** Ends what is under way, and forgets the shard. */
  end(holding: Holding): void {
    holding.ending.abort()
    for (const id of holding.sources) if (this.#ofSource.get(id) === holding) this.#ofSource.delete(id)
    if (this.#byShard.get(holding.shard) === holding) this.#byShard.delete(holding.shard)
  }

  /** False: the source is of no shard of this crawler. */
  assign(id: SourceId, url: string): boolean {
    const holding = this.#byShard.get(shardOf(url, this.#territory.shards))
    const before = this.#ofSource.get(id)
    if (before !== holding) before?.sources.delete(id)
    if (holding === undefined) {
      this.#ofSource.delete(id)
      return false
    }
    holding.sources.add(id)
    this.#ofSource.set(id, holding)
    return true
  }

  forget(id: SourceId): void {
    this.#ofSource.get(id)?.sources.delete(id)
    this.#ofSource.delete(id)
  }

  of(id: SourceId): Holding | undefined {
    return this.#ofSource.get(id)
  }

  get(shard: Shard): Holding | undefined {
    return this.#byShard.get(shard)
  }

  /** Whether something may be asked for it now. */
  mayStart(holding: Holding): boolean {
    return !holding.isLeaving && this.#clock.monotonicMs() >= holding.fromMs && this.isValid(holding)
  }

  isValid({ shard, token }: ShardLease): boolean {
    return this.#territory.isValid(shard, token)
  }

  /** An address may have changed: then the source is another shard's. */
  isOf(holding: Holding, url: string): boolean {
    return shardOf(url, this.#territory.shards) === holding.shard
  }

  /** What may not be acted on any more is called off; it may come back under the same token. */
  callOffInvalid(): void {
    for (const holding of this.#byShard.values()) {
      if (this.isValid(holding)) continue
      holding.ending.abort()
      holding.ending = newEnding()
    }
  }

  callOffAll(): void {
    for (const { ending } of this.#byShard.values()) ending.abort()
  }

  /** After everything was called off. */
  goOn(): void {
    for (const holding of this.#byShard.values()) if (holding.ending.signal.aborted) holding.ending = newEnding()
  }

  /** Everything that was read; or the shards of these sources. */
  part(ids?: readonly SourceId[]): SourcePart {
    const holdings = ids === undefined ? [...this.#byShard.values()] : ids.flatMap((id) => this.#ofSource.get(id) ?? [])
    return partOf(new Map(holdings.map(({ shard, token }) => [shard, token])), this.#territory.shards)
  }
}

export function partOf(tokens: ReadonlyMap<Shard, LeaseToken>, of: number): SourcePart {
  return { shards: new Set(tokens.keys()), of, tokens }
}

function newEnding(): AbortController {
  const ending = new AbortController()
  // Every refresh of the shard listens to it; that is no leak.
  setMaxListeners(0, ending.signal)
  return ending
}
