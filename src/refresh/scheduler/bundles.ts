import {
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  type Observation,
  type SourceId,
  WEEK_MS,
} from '../../model/index.ts'
import type { Composable } from '../bundles/composition.ts'
import { coveredShare, observeCoverage, openShare } from '../bundles/coverage.ts'
import { describeMs } from '../describe.ts'
import { upperTail } from '../estimators/poisson.ts'
import type { PricedStrategy } from '../strategy.ts'
import { ALL_OF_IT, type BundleMember, type CoveredBy, openInWords, teachesByItself, worthOf } from './bundle-member.ts'
import type { DueTimes } from './due-times.ts'
import type { News } from './news.ts'
import type { Payers } from './payers/payers.ts'
import type { ReadyQueue } from './ready-queue.ts'
import { REMOVED } from './scheduler-base.ts'
import type { SourceLearning } from './source-learning.ts'
import { BUNDLE, PAUSED, PLANNED, RETIRED, RUNNING, type SourceRows } from './source-rows.ts'
import type { NextCheck, RefreshPlan } from './types.ts'

/** Several sources that one request asks for. Its id is taken from nobody: they are negative. */
export interface Bundle {
  readonly id: SourceId
  /** Items that the answer shows, of all of them together. */
  readonly windowSize: number
  readonly members: readonly SourceId[]
  /** Of a source that shows the items of others: the request is its own. Absent: the address is composed of its members. */
  readonly cover?: { readonly id: SourceId; readonly of: ReadonlyMap<SourceId, CoveredBy> }
}

/** What one request showed. */
export interface BundleSight {
  /** Of the answer as a whole: `none` where all of its window was new, so that something may be missing. */
  readonly bundle: Observation
  /** Of each member, as if it had been asked itself. */
  readonly members: readonly Observation[]
}

export interface BundlesDeps<Memory> {
  readonly rows: SourceRows<Memory>
  readonly times: DueTimes<Memory>
  readonly payers: Payers
  readonly readyQueue: ReadyQueue<Memory>
  readonly learning: SourceLearning<Memory>
  readonly strategy: PricedStrategy<Memory>
  readonly news: Pick<News<Memory>, 'signal'>
}

/** One that should have shown so many items and has shown none is asked itself. By chance that happens once in twenty. */
const SILENT_ITEMS = 3
/** What was asked for itself so recently is not suspected. */
const OF_LATE_MS = HOUR_MS
/** Own looks stay where they are while the price has not moved by more than this. */
const STEADY_WITHIN = 1.1
/** Items without a date have come since the last answer of the bundle, unless so many would come so rarely. */
const BY_CHANCE = 0.005

/**
 * A bundle is a row of its own: one cost, one window, and a memory that is what its members' memories are together, so that
 * it is worth what all of them have. What it shows teaches each member as a refresh of its own would. A member is still
 * asked itself: as often as the share of its items is worth that the bundle does not prove to show; when it was silent
 * for too long; and at once when the window of the bundle was full of news. A bundle that fails leaves its members as if
 * there were none.
 */
export class Bundles<Memory> {
  private readonly members = new Map<number, BundleMember>()
  /** Rows of the members, by the row of the bundle. */
  private readonly rowsOf = new Map<number, readonly number[]>()

  constructor(private readonly deps: BundlesDeps<Memory>) {}

  /** Those of them that may be asked for with others, and what they publish, by what is believed of the next week. */
  composable(ids: Iterable<SourceId>, now: InstantMs): readonly Composable[] {
    const { rows, strategy } = this.deps
    const found: Composable[] = []
    for (const id of ids) {
      const row = rows.rowOf(id)
      if (row < 0 || !this.isShareable(row)) continue
      const weekly = strategy.expected?.(rows.memory(row), now, now + WEEK_MS) ?? 0
      found.push({ id, ratePerHour: (weekly * HOUR_MS) / WEEK_MS })
    }
    return found
  }

  /** Asks for these in one request from now on. Those that were never refreshed or have an own interval stay alone. */
  set({ id, windowSize, members, cover }: Bundle, now: InstantMs): void {
    const { rows, times, readyQueue, strategy } = this.deps
    this.drop(id)
    const joined = members.map((member) => rows.rowOf(member)).filter((row) => row >= 0 && this.mayJoin(row))
    if (joined.length < 2 || strategy.join === undefined) return
    const coverRow = cover === undefined ? -1 : rows.rowOf(cover.id)
    if (cover !== undefined && !joined.includes(coverRow)) return
    const requested = cover === undefined ? joined : [coverRow]
    const lastRefreshAt = requested.reduce((sum, row) => sum + (rows.lastRefreshAt(row) ?? now), 0) / requested.length
    const row = rows.add({ id, weight: 1, cost: 1, windowSize, addedAt: now, lastRefreshAt })
    rows.mark(row, BUNDLE, true)
    this.assignPayers(row, joined)
    this.rowsOf.set(row, joined)
    for (const member of joined) this.join(member, row, cover, now)
    this.joinMemories(row)
    if (cover !== undefined) rows.setRefreshed(row, lastRefreshAt, this.windowOf(coverRow, row))
    times.setOwn(id, {})
    readyQueue.enqueue(row, null)
  }

  /** Its members are asked themselves again. */
  drop(id: SourceId): void {
    const { rows, readyQueue, payers } = this.deps
    const row = rows.rowOf(id)
    if (row < 0 || !rows.has(row, BUNDLE)) return
    this.disband(row)
    readyQueue.takeOut(row)
    payers.unassign(row)
    rows.remove(row)
  }

  private disband(bundle: number): void {
    this.fail(this.deps.rows.id(bundle))
    for (const member of this.rowsOf.get(bundle) ?? []) this.members.delete(member)
    this.rowsOf.delete(bundle)
  }

  /** It could not be fetched: until it can, its members are due as if it were not there. */
  fail(id: SourceId): void {
    const { rows, readyQueue } = this.deps
    for (const row of this.rowsOf.get(rows.rowOf(id)) ?? []) {
      rows.setFixedAt(row, null)
      readyQueue.enqueue(row, null)
    }
  }

  /** The source is removed, or refreshed by other rules from now on. */
  leave(row: number): void {
    const member = this.members.get(row)
    if (this.deps.rows.has(row, BUNDLE)) this.disband(row)
    if (member === undefined) return
    this.members.delete(row)
    const others = (this.rowsOf.get(member.bundle) ?? []).filter((other) => other !== row)
    this.rowsOf.set(member.bundle, others)
    if (others.length < 2 || member.kind === 'cover') this.drop(this.deps.rows.id(member.bundle))
  }

  /** The clock was set: all is as long ago as it was. */
  shift(byMs: DurationMs): void {
    for (const member of this.members.values()) {
      member.ownAt += byMs
      member.seenAt += byMs
      member.shownAt += byMs
      member.dueAt += byMs
    }
  }

  /** What a cover has shown of its members. `isFull`: all of it was new, so that something may be missing. */
  show(id: SourceId, at: InstantMs, members: readonly Observation[], isFull: boolean): void {
    const bundle = this.deps.rows.rowOf(id)
    for (const observation of members) this.look(bundle, observation, isFull)
    for (const row of this.rowsOf.get(bundle) ?? []) {
      const member = this.members.get(row)
      if (member?.kind === 'covered' && !member.isNamed && this.isSilent(row, member, at)) this.sleep(row, at)
    }
  }

  /** A cover has so many items that are one of its members', as far as one can say without asking it. */
  announce(id: SourceId, items: number, now: InstantMs): void {
    const member = this.members.get(this.deps.rows.rowOf(id))
    if (member !== undefined) member.seenAt = now
    this.deps.news.signal(id, items, now)
  }

  /** A cover shows so much of one of its members, as it has turned out now. */
  revise(id: SourceId, { record, isNamed }: CoveredBy): void {
    const row = this.deps.rows.rowOf(id)
    const member = row < 0 ? undefined : this.members.get(row)
    if (member?.kind !== 'covered') return
    Object.assign(member, { record, isNamed, price: Number.NaN })
    this.sleep(row, this.ownDueAt(row, member))
  }

  /**
   * An own look as its model is to learn from it: together with what others have shown since the last one, where that taught nothing by
   * itself. What a composed address has missed came since then, too, and not since its last answer.
   */
  withShown(row: number, observation: Observation): Observation {
    const member = this.members.get(row)
    if (member === undefined || member.kind === 'cover') return observation
    member.missed = member.kind === 'composed' ? this.missedOf(row, member, observation) : 0
    if (observation.overlap !== 'some') return observation
    if (teachesByItself(member)) {
      return member.missed === 0 ? observation : { ...observation, previousAt: member.ownAt }
    }
    const isDated = observation.itemTimes.length === observation.newItems && member.shownTimes.length === member.shown
    const times = isDated ? [...member.shownTimes, ...observation.itemTimes].sort((a, b) => a - b) : []
    const newItems = observation.newItems + member.shown
    return { ...observation, previousAt: member.ownAt, newItems, itemTimes: times }
  }

  /** Items that an earlier answer of a composed address should have shown. */
  private missedOf(
    row: number,
    { shownAt, overflowed }: BundleMember,
    { at, newItems, itemTimes }: Observation,
  ): number {
    if (overflowed) return 0
    const { rows, strategy } = this.deps
    const dated = itemTimes.filter((time) => time <= shownAt).length
    const undated = newItems - itemTimes.length
    const expected = strategy.expected?.(rows.memory(row), shownAt, at) ?? Number.POSITIVE_INFINITY
    if (undated <= expected || upperTail(undated, expected) >= BY_CHANCE) return dated
    return dated + undated - Math.floor(expected)
  }

  /** When the request of a cover is due; null: the source is none. */
  coverDueAt(row: number): InstantMs | null {
    const member = this.members.get(row)
    return member?.kind === 'cover' ? this.deps.rows.dueAt(member.bundle) : null
  }

  /** Learns from one request and says when the next is due; the caller then says `finish`, as after a refresh. */
  plan({ bundle, members }: BundleSight): RefreshPlan {
    const { rows, times, payers } = this.deps
    const row = rows.rowOf(bundle.sourceId)
    if (row < 0) return REMOVED
    const isFull = bundle.overlap === 'none'
    for (const observation of members) this.look(row, observation, isFull)
    rows.setRefreshed(row, bundle.at, Math.max(rows.windowSize(row), bundle.windowSize ?? 0))
    this.joinMemories(row)
    const { at, reason } = times.next(row, payers.priceOf(row), null)
    rows.mark(row, PLANNED, true)
    const earliestAt = bundle.at + times.minIntervalMs(row)
    const words = `${this.rowsOf.get(row)?.length ?? 0} sources in one request, ${reason}`
    return { at, earliestAt, reason: words, hurriesAfterLoss: false, expected: null }
  }

  /** After an own look of a source: when the next one is, if a bundle shows it meanwhile; null: there is none. */
  planOwn(row: number, { at }: Observation, notBefore: NextCheck | null): NextCheck | null {
    const member = this.members.get(row)
    if (member === undefined) return null
    if (member.kind === 'cover') return this.planCover(row, member, at, notBefore)
    const { missed } = member
    const isSurprise = missed > 0 && teachesByItself(member)
    if (member.kind === 'composed') member.record = observeCoverage(member.record, member.shown, missed)
    Object.assign(member, { ownAt: at, seenAt: at, shown: 0, shownTimes: [], overflowed: false, price: Number.NaN })
    if (isSurprise) this.suspect(member.bundle, at)
    const { rows } = this.deps
    const dueAt = this.ownDueAt(row, member)
    rows.setFixedAt(row, dueAt)
    rows.setDueAt(row, dueAt)
    return this.describe(row, { at: dueAt, reason: '' })
  }

  /** The next check of a source for people, with what a bundle does for it. */
  describe(row: number, alone: NextCheck): NextCheck {
    const member = this.members.get(row)
    if (member === undefined) return alone
    const { rows, times, payers } = this.deps
    const others = (this.rowsOf.get(member.bundle)?.length ?? 1) - 1
    if (member.kind === 'cover') {
      const { reason } = times.plan(member.bundle, payers.priceOf(member.bundle))
      return { at: rows.dueAt(member.bundle), reason: `seen with ${others} others in one request, its own; ${reason}` }
    }
    const nextMs = Math.max(0, rows.dueAt(member.bundle) - (rows.lastRefreshAt(member.bundle) ?? 0))
    const together = `seen with ${others} others in one request, the next after ${describeMs(nextMs)}`
    return { at: member.dueAt, reason: `${together}; by itself for the ${openInWords(member.record)} that it may miss` }
  }

  private mayJoin(row: number): boolean {
    return this.isShareable(row) && !this.members.has(row)
  }

  private isShareable(row: number): boolean {
    const { rows, times } = this.deps
    const rests = rows.has(row, PAUSED) || rows.has(row, RETIRED)
    return rows.lastRefreshAt(row) !== null && !times.hasOwnInterval(row) && !rests
  }

  private join(row: number, bundle: number, cover: Bundle['cover'], now: InstantMs): void {
    const { rows, times } = this.deps
    const ownAt = rows.lastRefreshAt(row) ?? now
    const { record, isNamed, stayMs } = cover?.of.get(rows.id(row)) ?? ALL_OF_IT
    const kind = cover === undefined ? 'composed' : cover.id === rows.id(row) ? 'cover' : 'covered'
    const moments = { ownAt, seenAt: now, shownAt: ownAt, dueAt: ownAt }
    const member: BundleMember = {
      bundle,
      kind,
      ...moments,
      record,
      isNamed,
      shown: 0,
      shownTimes: [],
      overflowed: false,
      missed: 0,
      price: Number.NaN,
    }
    this.members.set(row, member)
    // What has left the cover since its last own look was shown to nobody.
    const hasGap = stayMs !== null && now - ownAt > stayMs / 2
    if (kind === 'cover') this.sleep(row, now + times.maxIntervalMs(row))
    else this.sleep(row, hasGap ? now : this.ownDueAt(row, member))
  }

  /** A cover was asked: the next time is that of all that it shows, and its own row has nothing to wait for. */
  private planCover(row: number, member: BundleMember, at: InstantMs, notBefore: NextCheck | null): NextCheck {
    const { rows, times, payers, readyQueue } = this.deps
    const { bundle } = member
    rows.setRefreshed(bundle, at, this.windowOf(row, bundle))
    this.joinMemories(bundle)
    const next = times.next(bundle, payers.priceOf(bundle), notBefore)
    rows.mark(bundle, PLANNED, true)
    // It may have been asked for by hand.
    if (!rows.has(bundle, RUNNING)) readyQueue.enqueue(bundle, next.at)
    member.ownAt = at
    const idleUntil = next.at + times.maxIntervalMs(row)
    rows.setFixedAt(row, idleUntil)
    rows.setDueAt(row, idleUntil)
    return { at: next.at, reason: this.describe(row, next).reason }
  }

  /** Its window is filled by its own items alone: as many times larger as all that it is worth is more than those. */
  private windowOf(row: number, bundle: number): number {
    const { rows, strategy } = this.deps
    const from = rows.lastRefreshAt(row) ?? 0
    const own = strategy.expected?.(rows.memory(row), from, from + WEEK_MS) ?? 0
    const all = strategy.expected?.(rows.memory(bundle), from, from + WEEK_MS) ?? 0
    return Math.round(rows.windowSize(row) * (own > 0 && all > own ? all / own : 1))
  }

  private look(bundle: number, observation: Observation, isFull: boolean): void {
    const { rows, learning } = this.deps
    const { sourceId, at, newItems } = observation
    const row = rows.rowOf(sourceId)
    const member = row < 0 ? undefined : this.members.get(row)
    if (member === undefined || member.bundle !== bundle) return
    member.shownAt = at
    member.shown += newItems
    member.overflowed ||= isFull
    // What was pushed out of the window is not known: its own look comes at once, and teaches.
    if (isFull) this.sleep(row, at)
    if (isFull) return
    if (teachesByItself(member)) learning.learn(row, observation, false)
    else {
      rows.setRefreshed(row, at, rows.windowSize(row))
      member.shownTimes.push(...observation.itemTimes)
    }
    if (newItems > 0) member.seenAt = at
    this.sleep(row, this.isSilent(row, member, at) ? at : this.ownDueAt(row, member))
  }

  /** Some of it should have been shown for long. */
  private isSilent(row: number, member: BundleMember, at: InstantMs): boolean {
    const { rows, strategy } = this.deps
    const expected = strategy.expected?.(rows.memory(row), member.seenAt, at) ?? 0
    return expected * coveredShare(member.record) >= SILENT_ITEMS
  }

  /** Until its own look. */
  private sleep(row: number, until: InstantMs): void {
    this.deps.rows.setFixedAt(row, until)
    this.deps.readyQueue.enqueue(row, until)
  }

  /** By what is open, since its last own look. */
  private ownDueAt(row: number, member: BundleMember): InstantMs {
    const { rows, strategy, payers, times } = this.deps
    const price = payers.priceOf(row)
    if (price < STEADY_WITHIN * member.price && member.price < STEADY_WITHIN * price) return member.dueAt
    const { ownAt, record } = member
    const facts = { ...rows.facts(row), lastRefreshAt: ownAt }
    const dueAt = strategy.dueAt(rows.memory(row), facts, price / openShare(record))
    member.price = price
    member.dueAt = Math.min(ownAt + times.maxIntervalMs(row), Math.max(ownAt + times.minIntervalMs(row), dueAt))
    return member.dueAt
  }

  /** It has missed something of one: the others are asked themselves, if nobody has asked them of late. */
  private suspect(bundle: number, now: InstantMs): void {
    for (const row of this.rowsOf.get(bundle) ?? []) {
      const member = this.members.get(row)
      if (member === undefined || now - member.ownAt < OF_LATE_MS) continue
      member.dueAt = now
      this.sleep(row, now)
    }
  }

  private joinMemories(bundle: number): void {
    const { rows, strategy } = this.deps
    const members = this.rowsOf.get(bundle) ?? []
    if (strategy.join === undefined || members.length === 0) return
    const shares = members.map((row) => worthOf(this.members.get(row)))
    const memories = members.map((row) => rows.memory(row))
    rows.setMemory(bundle, strategy.join(memories, shares))
    rows.setWeight(bundle, members.reduce((sum, row) => sum + rows.weight(row), 0) / members.length)
  }

  private assignPayers(bundle: number, members: readonly number[]): void {
    const { payers, readyQueue } = this.deps
    const ids = new Set(members.flatMap((row) => payers.of(row).map(({ id }) => id ?? 0)))
    payers.assign(bundle, [...ids], true)
    if (payers.isShared) readyQueue.share()
  }
}
