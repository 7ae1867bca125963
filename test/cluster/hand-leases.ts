import type { LeaseOwner, LeaseStore } from '../../src/cluster/lease-store.ts'
import { HOUR_MS, type LeaseToken, type Shard } from '../../src/model/index.ts'
import type { ShardLeases } from '../../src/store/shard-leases.ts'

type EndWork = (shards: ReadonlyMap<Shard, LeaseToken>) => Promise<void>

/** Leases that come and go when a test says so. */
export class HandLeases implements ShardLeases {
  readonly shards: number
  readonly #store: LeaseStore
  readonly #by: LeaseOwner
  readonly #tokens = new Map<Shard, LeaseToken>()
  /** What is being given back may still go on. */
  readonly #leaving = new Map<Shard, LeaseToken>()
  readonly #listeners = new Set<() => void>()
  readonly #ends = new Set<EndWork>()

  constructor(store: LeaseStore, by: LeaseOwner, shards: number) {
    this.#store = store
    this.#by = by
    this.shards = shards
  }

  current(): ReadonlyMap<Shard, LeaseToken> {
    return new Map(this.#tokens)
  }

  isValid(shard: Shard, token: LeaseToken): boolean {
    return this.#tokens.get(shard) === token || this.#leaving.get(shard) === token
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onLeave(end: EndWork): () => void {
    this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  async claim(shards: readonly Shard[]): Promise<void> {
    const claimed = await this.#store.claim(this.#by, shards, HOUR_MS)
    for (const [shard, token] of claimed) this.#tokens.set(shard, token)
    this.#tell()
  }

  /** As when another member has come: nothing new begins, what is under way ends, then it is another's. */
  async giveBack(shards: readonly Shard[]): Promise<void> {
    const leaving = new Map(shards.flatMap((shard) => [...this.#tokens].filter(([one]) => one === shard)))
    for (const [shard, token] of leaving) {
      this.#tokens.delete(shard)
      this.#leaving.set(shard, token)
    }
    const ended = Promise.all([...this.#ends].map((end) => end(leaving)))
    this.#tell()
    await ended
    for (const shard of leaving.keys()) this.#leaving.delete(shard)
    await this.#store.release(this.#by, leaving)
  }

  /** As when it stands still: its leases are over, and it does not know. */
  async expire(): Promise<void> {
    await this.#store.renew(this.#by, this.#tokens, 0)
  }

  /** It learns that it has nothing any more. */
  loseAll(): void {
    this.#tokens.clear()
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
