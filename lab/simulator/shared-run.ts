import { assignShards } from '../../src/cluster/rendezvous.ts'
import { SHARDS } from '../../src/cluster/shards.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type DurationMs, type InstantMs, type Observation, type SourceId } from '../../src/model/index.ts'
import { Scheduler, type SchedulerOptions } from '../../src/refresh/scheduler/scheduler.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { shardOf } from '../../src/store/shards.ts'
import { EventQueue } from './events.ts'
import { SourceRun } from './source-run.ts'
import type { Tally } from './tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from './world.ts'

/** What happens to one of the members: it says nothing any more, or says of what it polls that nothing is new. */
export interface MemberFault {
  readonly kind: 'silent' | 'lying'
  readonly member: number
  readonly fromMs: InstantMs
}

/** Nodes that poll each source that they have in common once, and tell each other of every poll and what it found. */
interface SharedRun<Memory> extends Pick<SimWorld, 'startMs' | 'endMs'> {
  /** Sources that only one member has, by member. */
  readonly own: readonly (readonly SimSource[])[]
  readonly common: readonly SimSource[]
  readonly scheduler: Omit<SchedulerOptions<Memory>, 'now' | 'budget' | 'random'>
  readonly perDay: number
  /** Of the polls of common sources, so many at least are followed by one of another member, at a random moment before the next. */
  readonly checkShare: number
  /** A member that has told of nothing for so long is held for gone. */
  readonly silentAfterMs: DurationMs
  readonly fault?: MemberFault
  readonly seed: number
}

interface SharedOutcome {
  readonly checks: number
  /** When the others stopped counting on the member with the fault; null: never. */
  readonly excludedAt: InstantMs | null
}

type Watch = Pick<Tally, 'refreshed' | 'ended'>

/** Common sources in `common`, once for all members; the others in `own`. */
export function runShared<Memory>(options: SharedRun<Memory>, own: Watch, common: Watch): SharedOutcome {
  return new Group(options, own, common).run()
}

interface Member<Memory> {
  readonly id: string
  readonly scheduler: Scheduler<Memory>
  sources: number
  wakeAt: InstantMs
}

/** A common source, as the members know it together. */
interface CommonSource {
  readonly source: SimSource
  readonly run: SourceRun
  readonly seen: Observation[]
  owner: number
  /** When its owner says that it was polled last. */
  claimedAt: InstantMs
  /** When another member looked last. */
  checkedAt: InstantMs
}

class Group<Memory> {
  private readonly members: readonly Member<Memory>[]
  private readonly ownRuns = new Map<SourceId, SourceRun>()
  private readonly commonById = new Map<SourceId, CommonSource>()
  private readonly ownById = new Map<SourceId, SimSource>()
  private readonly checks = new EventQueue<CommonSource>()
  private nextCheck: { readonly at: InstantMs; readonly value: CommonSource } | undefined
  private readonly random
  private checked = 0
  private excludedAt: InstantMs | null = null

  constructor(
    private readonly options: SharedRun<Memory>,
    private readonly ownWatch: Watch,
    private readonly commonWatch: Watch,
  ) {
    const { startMs, own, common, seed } = options
    this.random = seededRandom(seed)
    this.members = own.map((_, index) => this.newMember(index))
    for (const [index, sources] of own.entries()) {
      for (const source of sources) {
        this.ownById.set(source.id, source)
        this.ownRuns.set(source.id, new SourceRun(source, { emptyIsFirst: true }))
        this.give(index, source, null)
      }
    }
    const owners = this.owners(this.members)
    for (const source of common) {
      const owner = owners(source)
      const run = new SourceRun(source, { emptyIsFirst: true })
      this.commonById.set(source.id, { source, run, seen: [], owner, claimedAt: startMs, checkedAt: startMs })
      this.give(owner, source, null)
    }
    for (const member of this.members) this.fund(member, startMs)
  }

  run(): SharedOutcome {
    const { startMs, endMs, fault, silentAfterMs } = this.options
    const silentAt = fault?.kind === 'silent' ? fault.fromMs + silentAfterMs : Number.POSITIVE_INFINITY
    for (let now = startMs; now < endMs; ) {
      if (now >= silentAt && fault !== undefined && this.excludedAt === null) this.exclude(fault.member, now)
      for (; this.nextCheck !== undefined && this.nextCheck.at <= now; this.nextCheck = this.checks.next()) {
        this.check(this.nextCheck.value, now)
      }
      for (const [index, member] of this.members.entries()) if (member.wakeAt <= now) this.act(index, now)
      const wakes = this.members.map(({ wakeAt }) => wakeAt)
      const silentNext = this.excludedAt === null ? silentAt : Number.POSITIVE_INFINITY
      now = Math.max(now + 1, Math.min(...wakes, silentNext, this.nextCheck?.at ?? endMs))
    }
    for (const [id, run] of this.ownRuns) this.end(this.ownById.get(id)!, run, this.ownWatch)
    for (const { source, run } of this.commonById.values()) this.end(source, run, this.commonWatch)
    return { checks: this.checked, excludedAt: this.excludedAt }
  }

  private act(index: number, now: InstantMs): void {
    const { fault } = this.options
    const member = entryAt(this.members, index)
    const isFaulty = fault?.member === index && now >= fault.fromMs
    if (isFaulty && fault.kind === 'silent') {
      member.wakeAt = Number.POSITIVE_INFINITY
      return
    }
    const decision = member.scheduler.take(now)
    if (decision.kind === 'wait') {
      member.wakeAt = decision.until
      return
    }
    const common = this.commonById.get(decision.id)
    if (common === undefined) this.pollOwn(member, decision.id, now)
    else if (isFaulty) this.lie(member, common, now)
    else this.pollCommon(member, common, now)
  }

  private pollOwn({ scheduler }: Member<Memory>, id: SourceId, now: InstantMs): void {
    const run = this.ownRuns.get(id)!
    const observation = run.refresh(now)
    this.ownWatch.refreshed(this.ownById.get(id)!, now, run.sight)
    scheduler.plan(observation)
    scheduler.finish(id, null)
  }

  private pollCommon({ scheduler }: Member<Memory>, common: CommonSource, now: InstantMs): void {
    const observation = this.see(common, now)
    common.claimedAt = now
    const { at } = scheduler.plan(observation)
    scheduler.finish(common.source.id, null)
    this.drawCheck(common, now, at)
  }

  /** It polls, says that nothing is new, and keeps what it found to itself. */
  private lie({ scheduler }: Member<Memory>, common: CommonSource, now: InstantMs): void {
    this.commonWatch.refreshed(common.source, now, NOTHING_SEEN)
    const before = common.claimedAt
    common.claimedAt = now
    const last = common.seen.at(-1)
    if (last === undefined) throw new Error('it lies from the beginning')
    const empty = { ...last, previousAt: before, at: now, newItems: 0, itemTimes: [], lostAtLeast: 0, windowSize: null }
    const { at } = scheduler.plan({ ...empty, overlap: 'some', notModified: true })
    scheduler.finish(common.source.id, null)
    this.drawCheck(common, now, at)
  }

  private drawCheck(common: CommonSource, now: InstantMs, nextAt: InstantMs): void {
    if (!this.mayBeFull(common, now) && this.random() >= this.options.checkShare) return
    this.checks.add(now + this.random() * Math.max(0, nextAt - now), common)
    if (this.nextCheck !== undefined) this.checks.add(this.nextCheck.at, this.nextCheck.value)
    this.nextCheck = this.checks.next()
  }

  /** A lie about a busy source must be found while its window still has what was kept back. */
  private mayBeFull({ run, source, checkedAt }: CommonSource, now: InstantMs): boolean {
    const { startMs } = this.options
    const perMs = run.sight.to / Math.max(1, now - startMs)
    return perMs * (now - checkedAt) >= CHECKED_SHARE * source.windowSize
  }

  /** Another member looks for itself: what it finds that was there when the owner says to have looked was kept back. */
  private check(common: CommonSource, now: InstantMs): void {
    this.checked++
    common.checkedAt = now
    const { claimedAt, owner } = common
    const observation = this.see(common, now)
    entryAt(this.members, owner).scheduler.catchUp(common.source.id, [{ ...observation, cause: null }])
    if (this.excludedAt === null && observation.itemTimes.some((time) => time <= claimedAt)) this.exclude(owner, now)
  }

  private see(common: CommonSource, now: InstantMs): Observation {
    const observation = common.run.refresh(now)
    this.commonWatch.refreshed(common.source, now, common.run.sight)
    common.seen.push(observation)
    return observation
  }

  /** The others share its part by the same hashing; they know what was observed, and look at once. */
  private exclude(member: number, now: InstantMs): void {
    this.excludedAt = now
    const owners = this.owners(this.members.filter((_, index) => index !== member))
    for (const common of this.commonById.values()) {
      if (common.owner !== member) continue
      entryAt(this.members, member).scheduler.remove(common.source.id)
      common.owner = owners(common.source)
      this.give(common.owner, common.source, now)
      const seen = common.seen.map((observation) => ({ ...observation, cause: null }))
      entryAt(this.members, common.owner).scheduler.catchUp(common.source.id, seen)
    }
    for (const each of this.members) this.fund(each, now)
  }

  private newMember(index: number): Member<Memory> {
    const { scheduler, startMs, perDay, seed } = this.options
    const budget = { requests: perDay, perMs: DAY_MS }
    const random = seededRandom(seed + index)
    return {
      id: `member ${index}`,
      scheduler: new Scheduler<Memory>({ ...scheduler, budget, random, now: startMs }),
      sources: 0,
      wakeAt: startMs,
    }
  }

  private give(index: number, source: SimSource, dueAt: InstantMs | null): void {
    const member = entryAt(this.members, index)
    const lastRefreshAt = this.commonById.get(source.id)?.run.lastRefreshAt ?? null
    const facts = factsOf(source, this.options.startMs, lastRefreshAt)
    member.scheduler.upsert({ facts, dueAt, paused: false, retired: false })
    member.sources++
    member.wakeAt = Math.min(member.wakeAt, dueAt ?? member.wakeAt)
  }

  /** As much a source as alone. */
  private fund({ scheduler, sources }: Member<Memory>, now: InstantMs): void {
    scheduler.setBudget({ requests: Math.max(1, this.options.perDay * sources), perMs: DAY_MS }, now)
  }

  private owners(members: readonly Member<Memory>[]): (source: SimSource) => number {
    const shards = assignShards(
      members.map(({ id }) => id),
      SHARDS,
    )
    return ({ id }) => {
      const owner = shards[shardOf(`https://source-${id}.example/feed`, SHARDS)]
      return this.members.findIndex((member) => member.id === owner)
    }
  }

  private end(source: SimSource, run: SourceRun, watch: Watch): void {
    watch.ended(source, run.sight.to, countPublishedBy(source.times, this.options.endMs, run.sight.to))
  }
}

/** Of a window: when so much may have come since the last check, the next is due. */
const CHECKED_SHARE = 0.3
const NOTHING_SEEN = { from: 0, to: 0, firstSeen: 0 }
