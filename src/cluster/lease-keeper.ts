import type { DurationMs, LeaseToken, Shard } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { decideLeases, type HeldLease, type LeaseDecisions, marginMs, validUntilMs } from './decide-leases.ts'
import type { LeasedRole, LeaseOwner, LeaseStore, LeaseView, MemberBeat } from './lease-store.ts'
import { shardsOf } from './shards.ts'

/** How often a member looks, at most: shards have an owner again within a lease and a second. */
const BEAT_EVERY_MS = 500
/** A second look comes within so many beats of the first, or counts as a first one. */
const BEATS_IN_A_ROW = 3

export interface LeaseKeeperDeps {
  readonly leases: LeaseStore
  readonly member: MemberBeat
  readonly role: LeasedRole
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly logger: Pick<Logger, 'warn' | 'info'>
  /** A failure of a member is noticed after so long; much shorter, and a pause of the database makes shards wander. */
  readonly leaseMs: DurationMs
  /** How many there are; usually as many as the role has. */
  readonly shards?: number
}

/** Ends what is under way for shards that are to be given back. */
export type EndWork = (shards: ReadonlyMap<Shard, LeaseToken>) => Promise<void>

/**
 * The leases of one member for one role: says that it is there, renews what it has, gives back what shall be another's, and
 * claims what is free and shall be its own. What it has counts by a monotonic clock, and less long than in the store: who
 * stood still or was cut off finds itself without leases before anybody else has them.
 */
export class LeaseKeeper {
  readonly leaseMs: DurationMs
  readonly #deps: LeaseKeeperDeps
  readonly #by: LeaseOwner
  readonly #shards: number
  readonly #leases = new Map<Shard, HeldLease>()
  readonly #released = new Map<Shard, LeaseToken>()
  readonly #listeners = new Set<() => void>()
  readonly #endWork = new Set<EndWork>()
  readonly #leaving = new Set<Promise<void>>()
  #seenAtMs: DurationMs = Number.NEGATIVE_INFINITY
  /** How many of what it has may be acted on, as last told. */
  #validCount = 0

  constructor(deps: LeaseKeeperDeps) {
    this.#deps = deps
    this.#by = { role: deps.role, owner: deps.member.id }
    this.leaseMs = deps.leaseMs
    this.#shards = deps.shards ?? shardsOf(deps.role)
  }

  get shards(): number {
    return this.#shards
  }

  /** What may be acted on at this moment; what is being given back is not among it. */
  current(): ReadonlyMap<Shard, LeaseToken> {
    const found = [...this.#leases].filter(([shard, { token, isLeaving }]) => !isLeaving && this.isValid(shard, token))
    return new Map(found.map(([shard, { token }]) => [shard, token]))
  }

  /** All that this member has not lost or given back, whether or not it may be acted on at this moment. */
  tokens(): ReadonlyMap<Shard, LeaseToken> {
    return new Map([...this.#leases].flatMap(([shard, { token, isLeaving }]) => (isLeaving ? [] : [[shard, token]])))
  }

  /** Whether what was begun under this token may go on. */
  isValid(shard: Shard, token: LeaseToken): boolean {
    const lease = this.#leases.get(shard)
    return lease?.token === token && this.#deps.clock.monotonicMs() < lease.untilMs
  }

  /** Called when shards come, go, or may no longer be acted on. Returns how to be left alone. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called before shards are given back. Returns how to be left alone. */
  onLeave(endWork: EndWork): () => void {
    this.#endWork.add(endWork)
    return () => this.#endWork.delete(endWork)
  }

  /** The store has refused it: another has the shard. */
  lose(shard: Shard, token: LeaseToken): void {
    if (this.#leases.get(shard)?.token !== token) return
    this.#leases.delete(shard)
    this.#tell()
  }

  /** Until the signal aborts; then gives back what it has. Whatever fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    const watch = this.#watchValidity(signal)
    while (!signal.aborted) {
      await this.#attempt('leases cannot be kept up', () => this.#beat())
      await clock.sleep(Math.min(BEAT_EVERY_MS, this.leaseMs / 6), signal)
    }
    await Promise.all([watch, ...this.#leaving])
    await this.#leaveAll()
  }

  /** Beside the beats, which may be waiting for an answer. */
  async #watchValidity(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#deps.clock.sleep(marginMs(this.leaseMs) / 4, signal)
      this.#tellIfChanged()
    }
  }

  async #beat(): Promise<void> {
    const { leases, member, role, clock } = this.#deps
    const askedAtMs = clock.monotonicMs()
    const view = await this.#answerOf(leases.beat(member, role))
    const mayClaim = askedAtMs - this.#seenAtMs <= BEATS_IN_A_ROW * BEAT_EVERY_MS
    this.#seenAtMs = askedAtMs
    await this.#act(this.#decide(view, mayClaim))
  }

  #decide(view: LeaseView, mayClaim: boolean): LeaseDecisions {
    const { member, role, clock } = this.#deps
    const own = { ownLeases: this.#leases, released: this.#released, mayClaim }
    const holder = { id: member.id, role, shards: this.#shards, leaseMs: this.leaseMs, ...own }
    return decideLeases(view, holder, clock.monotonicMs())
  }

  async #act({ lost, renew, claim, leave, release }: LeaseDecisions): Promise<void> {
    if (lost.length > 0) this.#deps.logger.warn({ shards: lost.length }, 'shards were taken over by another')
    for (const shard of lost) this.#leases.delete(shard)
    if (lost.length > 0) this.#tell()
    if (renew.size > 0) await this.#renew(renew)
    if (leave.length > 0) this.#leave(leave)
    if (release.size > 0) await this.#answerOf(this.#deps.leases.release(this.#by, release))
    if (claim.length > 0) await this.#claim(claim)
  }

  async #renew(tokens: ReadonlyMap<Shard, LeaseToken>): Promise<void> {
    const { leases, clock } = this.#deps
    const untilMs = validUntilMs(clock.monotonicMs(), this.leaseMs)
    const still = await this.#answerOf(leases.renew(this.#by, tokens, this.leaseMs))
    for (const [shard, token] of tokens) {
      const isLeaving = this.#leases.get(shard)?.isLeaving ?? false
      // Given back while the answer was on its way.
      if (this.#released.get(shard) === token) continue
      if (still.has(shard)) this.#leases.set(shard, { token, untilMs, isLeaving })
      else if (this.#leases.get(shard)?.token === token) this.#leases.delete(shard)
    }
    this.#tellIfChanged()
  }

  async #claim(shards: readonly Shard[]): Promise<void> {
    const { leases, clock } = this.#deps
    const untilMs = validUntilMs(clock.monotonicMs(), this.leaseMs)
    const claimed = await this.#answerOf(leases.claim(this.#by, shards, this.leaseMs))
    for (const [shard, token] of claimed) {
      this.#leases.set(shard, { token, untilMs, isLeaving: false })
      this.#released.delete(shard)
    }
    if (claimed.size > 0) this.#tell()
  }

  /** Others go on meanwhile; what is being given back is renewed until then. */
  #leave(shards: readonly Shard[]): void {
    const leaving = new Map<Shard, LeaseToken>()
    for (const shard of shards) {
      const lease = this.#leases.get(shard)
      if (lease === undefined) continue
      this.#leases.set(shard, { ...lease, isLeaving: true })
      leaving.set(shard, lease.token)
    }
    const work = this.#handOver(leaving).finally(() => this.#leaving.delete(work))
    this.#leaving.add(work)
    this.#tell()
  }

  async #handOver(tokens: ReadonlyMap<Shard, LeaseToken>): Promise<void> {
    await this.#attempt('work on shards could not be ended', async () => {
      await Promise.all([...this.#endWork].map((end) => end(tokens)))
    })
    await this.#giveBack(tokens)
  }

  /** Not its own from here on, whether or not the store hears of it. */
  async #giveBack(tokens: ReadonlyMap<Shard, LeaseToken>): Promise<void> {
    for (const [shard, token] of tokens) {
      if (this.#leases.get(shard)?.token !== token) continue
      this.#leases.delete(shard)
      this.#released.set(shard, token)
    }
    await this.#attempt('shards could not be given back', () =>
      this.#answerOf(this.#deps.leases.release(this.#by, tokens)),
    )
  }

  async #leaveAll(): Promise<void> {
    const { leases, member } = this.#deps
    await this.#giveBack(new Map([...this.#leases].map(([shard, { token }]) => [shard, token])))
    await this.#attempt('a member could not take its leave', () => this.#answerOf(leases.forget(member.id)))
  }

  /** Renewed as always: nobody need hear of it. */
  #tellIfChanged(): void {
    if (this.#countValid() !== this.#validCount) this.#tell()
  }

  #countValid(): number {
    const nowMs = this.#deps.clock.monotonicMs()
    let count = 0
    for (const { untilMs, isLeaving } of this.#leases.values()) if (!isLeaving && nowMs < untilMs) count++
    return count
  }

  #tell(): void {
    this.#validCount = this.#countValid()
    for (const listener of this.#listeners) listener()
  }

  async #attempt(failure: string, action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.#deps.logger.warn({ err: error, role: this.#by.role }, failure)
    }
  }

  /** Nobody waits for an answer of a server that cannot be reached; what it does all the same is seen at the next beat. */
  async #answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const over = new AbortController()
    const late = this.#deps.clock.sleep(this.leaseMs / 3, over.signal).then(() => {
      throw new Error('no answer about leases in time')
    })
    // What comes after the other is nobody's concern.
    late.catch(() => {})
    answer.catch(() => {})
    try {
      return await Promise.race([answer, late])
    } finally {
      over.abort()
    }
  }
}
