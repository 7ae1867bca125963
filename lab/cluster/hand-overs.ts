import { assignShards } from '../../src/cluster/rendezvous.ts'
import { SHARDS } from '../../src/cluster/shards.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import type { DurationMs, InstantMs, Shard } from '../../src/model/index.ts'
import type { StoredSource } from '../simulator/known-sources.ts'
import type { SimSource } from '../simulator/world.ts'
import type { ClusterMember, HandedSource } from './cluster-member.ts'
import type { Absence, ClusterRun, Membership } from './cluster-setup.ts'

export interface HandOverCounts {
  /** How often members came or went. */
  changes: number
  /** Sums over all of them. */
  shards: number
  sources: number
  /** The longest time that a shard belonged to nobody. */
  longestMs: DurationMs
  /** Requests to a site that came too soon after one of another member. */
  tooSoon: number
  /** Sources that nobody has at the end, or that a member got beside another. */
  lost: number
  doubled: number
}

interface Step {
  readonly at: InstantMs
  readonly run: () => void
}

/** Which member has which sources while members come and go. */
export class HandOvers {
  members: ClusterMember[] = []
  /** Those that are gone. */
  readonly former: ClusterMember[] = []
  readonly counts: HandOverCounts = {
    changes: 0,
    shards: 0,
    sources: 0,
    longestMs: 0,
    tooSoon: 0,
    lost: 0,
    doubled: 0,
  }
  private readonly membership: Membership | null
  private readonly ids: string[]
  /** By member, from 0: the process that runs now; null: none does. */
  private readonly processes: (ClusterMember | null)[] = []
  private readonly byShard = new Map<Shard, SimSource[]>()
  private owners: readonly string[] = []
  private readonly underWay = new Set<HandedSource>()
  private readonly steps: Step[] = []
  private readonly lastOfSite = new Map<number, { by: string; at: InstantMs }>()

  constructor(
    private readonly options: ClusterRun,
    private readonly clock: { now(): InstantMs },
    private readonly newMember: (id: string) => ClusterMember,
  ) {
    const { memberOf, members } = options
    this.membership = typeof memberOf === 'function' ? null : memberOf
    this.ids = Array.from({ length: members }, (_, index) => `member ${index}`)
    for (const absence of this.membership?.absences ?? []) {
      this.plan(absence.fromMs, () => this.end(absence))
      this.plan(absence.toMs, () => this.start(absence.member))
    }
  }

  get wakeAt(): InstantMs {
    return this.steps[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** All members are there, and each has its sources. */
  begin(stored: readonly StoredSource[]): void {
    for (const id of this.ids) this.processes.push(this.newMember(id))
    this.members = this.present()
    const { membership } = this
    if (membership !== null) {
      for (const { source } of stored) {
        const shard = membership.shardOf(source)
        const group = this.byShard.get(shard)
        if (group) group.push(source)
        else this.byShard.set(shard, [source])
      }
      this.owners = assignShards(this.ids, SHARDS)
    }
    const groups = this.members.map((): HandedSource[] => [])
    for (const each of stored) groups[this.firstOwner(each.source)]?.push({ ...each, plannedAt: null })
    for (const [index, member] of this.members.entries()) member.adopt(entryAt(groups, index))
  }

  act(): void {
    for (let step = this.steps[0]; step !== undefined && step.at <= this.clock.now(); step = this.steps[0]) {
      this.steps.shift()
      step.run()
    }
  }

  noteRequest(source: SimSource, by: string, at: InstantMs): void {
    if (this.membership === null) return
    const site = this.membership.siteOf(source)
    const last = this.lastOfSite.get(site)
    if (last === undefined) this.lastOfSite.set(site, { by, at })
    else {
      if (last.by !== by && at - last.at < this.membership.spacingMs) this.counts.tooSoon++
      last.by = by
      last.at = at
    }
  }

  /** Wherever they are at the end. */
  everySource(): readonly Pick<StoredSource, 'source' | 'run'>[] {
    const all = [...this.members.flatMap(({ owned }) => [...owned.values()]), ...this.underWay]
    this.counts.lost = this.options.world.sources.length - new Set(all.map(({ source }) => source.id)).size
    return all
  }

  private firstOwner(source: SimSource): number {
    const { memberOf } = this.options
    if (typeof memberOf === 'function') return memberOf(source)
    return this.ids.indexOf(entryAt(this.owners, memberOf.shardOf(source)))
  }

  private present(): ClusterMember[] {
    return this.processes.flatMap((process) => process ?? [])
  }

  private end({ member, isKilled }: Absence): void {
    const process = this.processes[member]
    if (process == null || this.membership === null) return
    if (!isKilled) process.leave()
    this.processes[member] = null
    this.former.push(process)
    this.members = this.present()
    this.spread(isKilled ? this.membership.takeOverMs : this.membership.handOverMs)
  }

  private start(member: number): void {
    this.ids[member] = `${entryAt(this.ids, member)} again`
    this.processes[member] = this.newMember(entryAt(this.ids, member))
    this.processes[member]?.readSoon()
    this.members = this.present()
    if (this.membership !== null) this.spread(this.membership.handOverMs)
  }

  /** As each member computes by itself who shall have what; what moves belongs to nobody for so long. */
  private spread(gapMs: DurationMs): void {
    const live = this.ids.filter((_, index) => this.processes[index] !== null)
    const owners = assignShards(live, SHARDS)
    const everybody = [...this.members, ...this.former]
    this.counts.changes++
    const moving = new Map<string, HandedSource[]>()
    for (const [shard, owner] of owners.entries()) {
      if (owner === this.owners[shard]) continue
      this.counts.shards++
      const sources = this.byShard.get(shard) ?? []
      const from = everybody.find(({ id }) => id === this.owners[shard])
      const handed = from?.release(sources) ?? []
      const group = moving.get(owner)
      if (group) group.push(...handed)
      else moving.set(owner, handed)
    }
    this.owners = owners
    this.counts.longestMs = Math.max(this.counts.longestMs, gapMs)
    for (const [owner, handed] of moving) this.hand(owner, handed, gapMs)
  }

  private hand(owner: string, handed: readonly HandedSource[], gapMs: DurationMs): void {
    this.counts.sources += handed.length
    for (const each of handed) this.underWay.add(each)
    this.plan(this.clock.now() + gapMs, () => {
      const to = this.members.find(({ id }) => id === owner)
      if (to === undefined) throw new Error(`${owner} went while it was given sources`)
      for (const each of handed) {
        this.underWay.delete(each)
        if (this.members.some(({ owned }) => owned.has(each.source.id))) this.counts.doubled++
      }
      to.adopt(handed)
    })
  }

  private plan(at: InstantMs, run: () => void): void {
    this.steps.push({ at, run })
    this.steps.sort((a, b) => a.at - b.at)
  }
}
