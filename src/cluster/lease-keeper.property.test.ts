import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts'
import type { DurationMs, Random } from '../model/index.ts'
import { silentLogger } from '../runtime/logger.ts'
import { seededRandom } from '../runtime/random.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import type { LeaseStore } from './lease-store.ts'
import { createMemoryLeases, type MemoryLeaseStore } from './memory/leases.ts'
import { assignShards } from './rendezvous.ts'

const LEASE_MS = 3_000
const SHARDS = 24
const STEP_MS = 25
/** The figure. */
const OWNED_AGAIN_MS = LEASE_MS + 1_000

interface Fault {
  readonly kind: 'join' | 'leave' | 'kill' | 'stall' | 'cut'
  readonly member: number
  readonly forMs: DurationMs
}

/** A process: its keeper, its clocks, and its way to the store. */
class TestMember {
  readonly id: string
  readonly keeper: LeaseKeeper
  readonly #end = new AbortController()
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #running: Promise<void>
  isDead = false
  #stalledUntilMs = 0
  #cutUntilMs = 0

  constructor(id: string, store: LeaseStore, clock: VirtualClock, random: Random) {
    this.id = id
    this.#clock = clock
    this.#random = random
    // Oscillators differ; a percent is a hundred times more than any does.
    const pace = 0.99 + 0.02 * random()
    const since = random() * 1e9
    const own = {
      monotonicMs: () => since + clock.monotonicMs() * pace,
      sleep: async (ms: DurationMs, signal?: AbortSignal) => {
        await clock.sleep(ms / pace, signal)
        await this.#untilRunning()
      },
    }
    const member = { id, name: id, roles: ['crawler'], version: '1' }
    const leases = this.#link(store)
    const logger = silentLogger
    this.keeper = new LeaseKeeper({
      leases,
      member,
      role: 'crawler',
      clock: own,
      logger,
      leaseMs: LEASE_MS,
      shards: SHARDS,
    })
    // What is under way takes a moment to end.
    this.keeper.onLeave(() => own.sleep(random() * 300))
    this.#running = this.keeper.run(this.#end.signal)
  }

  stall(forMs: DurationMs): void {
    this.#stalledUntilMs = this.#clock.monotonicMs() + forMs
  }

  cut(forMs: DurationMs): void {
    this.#cutUntilMs = this.#clock.monotonicMs() + forMs
  }

  leave(): void {
    this.#end.abort()
    void this.#running.then(() => {
      this.isDead = true
    })
  }

  kill(): void {
    this.isDead = true
    this.#end.abort()
    this.#cutUntilMs = Number.POSITIVE_INFINITY
  }

  get isLeaving(): boolean {
    return this.#end.signal.aborted
  }

  /** Whether it would act on the shard now: under any token that was ever given. */
  believesToOwn(shard: number, lastToken: number): boolean {
    if (this.isDead) return false
    return Array.from({ length: lastToken }, (_, k) => k + 1).some((token) => this.keeper.isValid(shard, token))
  }

  async #untilRunning(): Promise<void> {
    for (let ms = this.#stallMs; ms > 0; ms = this.#stallMs) await this.#clock.sleep(ms)
  }

  get #stallMs(): DurationMs {
    return this.#stalledUntilMs - this.#clock.monotonicMs()
  }

  /** Takes time both ways; while it is cut, requests and answers are lost, or arrive when it is mended. */
  async #travel(): Promise<void> {
    await this.#clock.sleep(1 + this.#random() * 60)
    const cutMs = this.#cutUntilMs - this.#clock.monotonicMs()
    if (cutMs <= 0) return
    if (this.#random() < 0.5 || !Number.isFinite(cutMs)) await new Promise(() => {})
    await this.#clock.sleep(cutMs + this.#random() * 500)
  }

  #link(store: LeaseStore): LeaseStore {
    const over =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        await this.#travel()
        const answer = await call(...args)
        await this.#travel()
        await this.#untilRunning()
        return answer
      }
    return {
      beat: over(store.beat),
      view: over(store.view),
      claim: over(store.claim),
      renew: over(store.renew),
      release: over(store.release),
      forget: over(store.forget),
    }
  }
}

class TestCluster {
  readonly clock = virtualClock(1_000_000)
  readonly members: TestMember[] = []
  readonly #store: MemoryLeaseStore = createMemoryLeases(() => this.clock.now())
  readonly #random: Random

  constructor(seed: number, members: number) {
    this.#random = seededRandom(seed)
    for (let k = 0; k < members; k++) this.join()
  }

  join(): void {
    this.members.push(new TestMember(`m${this.members.length}`, this.#store, this.clock, this.#random))
  }

  /** In steps, looking at every one of them; ends when `isEnough`. Returns how long it took. */
  async pass(ms: DurationMs, isEnough: () => Promise<boolean> = async () => false): Promise<DurationMs> {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      await this.clock.pass(STEP_MS)
      await this.check()
      if (await isEnough()) return passedMs + STEP_MS
    }
    return ms
  }

  async #owners(): Promise<readonly string[][]> {
    const { leases } = await this.#store.view('crawler')
    const last = new Map(leases.map(({ shard, token }) => [shard, token]))
    return Array.from({ length: SHARDS }, (_, shard) =>
      this.members.filter((one) => one.believesToOwn(shard, last.get(shard) ?? 0)).map(({ id }) => id),
    )
  }

  async check(): Promise<void> {
    const twice = (await this.#owners()).flatMap((owners, shard) => (owners.length > 1 ? [{ shard, owners }] : []))
    expect(twice).toEqual([])
  }

  async isOwned(): Promise<boolean> {
    return (await this.#owners()).every((owners) => owners.length === 1)
  }

  async ends(): Promise<void> {
    const live = this.members.filter(({ isDead, isLeaving }) => !isDead && !isLeaving).map(({ id }) => id)
    expect((await this.#owners()).flat()).toEqual(assignShards(live, SHARDS))
  }
}

function befall(cluster: TestCluster, { kind, member, forMs }: Fault): void {
  const live = cluster.members.filter(({ isDead, isLeaving }) => !isDead && !isLeaving)
  const one = live[member % Math.max(1, live.length)]
  if (kind === 'join') cluster.join()
  else if (kind === 'stall') one?.stall(forMs)
  else if (kind === 'cut') one?.cut(forMs)
  else if (kind === 'leave' && live.length > 1) one?.leave()
  else if (kind === 'kill' && live.length > 1) one?.kill()
}

const faults = fc.array(
  fc.record({
    kind: fc.constantFrom<Fault['kind']>('join', 'leave', 'kill', 'stall', 'cut'),
    member: fc.nat(20),
    forMs: fc.constantFrom(200, 1_500, 2_700, 3_500, 9_000),
    afterMs: fc.constantFrom(0, 50, 400, 1_300, 3_100, 6_000),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('members that come, go, stand still and are cut off', () => {
  it('never act on one shard at once, and soon after the last fault each shard has its owner', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 4 }), faults, async (seed, members, list) => {
        const cluster = new TestCluster(seed, members)
        await cluster.pass(2_000)
        let lastsMs = 0
        for (const { afterMs, ...fault } of list) {
          await cluster.pass(afterMs)
          befall(cluster, fault)
          const lasts = fault.kind === 'stall' || fault.kind === 'cut' ? fault.forMs : 0
          lastsMs = Math.max(lastsMs - afterMs, lasts)
        }
        // Until what stands still or is cut off is back.
        await cluster.pass(lastsMs)
        const ownedMs = await cluster.pass(OWNED_AGAIN_MS + STEP_MS, () => cluster.isOwned())
        expect(ownedMs).toBeLessThanOrEqual(OWNED_AGAIN_MS)
        await cluster.pass(2 * LEASE_MS)
        await cluster.ends()
      }),
      { numRuns: 40 },
    )
  })
})
