import { setMaxListeners } from 'node:events'
import { type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS, type SourceId } from '../model/index.ts'
import { isForLetters } from '../model/source.ts'
import type { TakenBecause, TakeResult } from '../refresh/scheduler/scheduler.ts'
import { type Layer, withoutSupervision } from '../runtime/supervisor.ts'
import type { RefreshRequest } from '../store/scheduling.ts'
import type { ScheduleEntry } from '../store/store.ts'
import { BundleKeeper, type LookAtCover } from './bundles/bundle-keeper.ts'
import { firstMemberOf, type LiveBundle, refreshBundle } from './bundles/bundle-refresh.ts'
import { type ShowMembersDeps, showMembers } from './bundles/show-members.ts'
import { withCorrectedTimes } from './corrected-times.ts'
import type { CrawlerDeps } from './crawler-deps.ts'
import { hostKey } from './fetch/host-key.ts'
import { type FetchSlot, FetchSlots } from './fetch-slots.ts'
import { earliestRefreshAt } from './hints/earliest-refresh.ts'
import type { Holding } from './holdings.ts'
import { LateRequests } from './late-requests.ts'
import { ModelStore } from './model-store.ts'
import { Outage } from './outage.ts'
import { Payments } from './payments.ts'
import { refreshSource, type SourceRefresh } from './pipeline.ts'
import { HostSlot } from './politeness/host-slot.ts'
import { type RequestRecord, recordAnswer } from './politeness/record-answer.ts'
import { pageTurns } from './repair/page-turns.ts'
import { schedulerSourceOf } from './scheduler-source.ts'
import { type HostMemory, ShardWork } from './shard-work.ts'
import type { Territory } from './territory.ts'
import { Waking } from './waking.ts'
import { Weights } from './weights.ts'

const USUAL_SYNC_MS = SECOND_MS
/** After the store refused to write: nothing is fetched that could not be kept. */
const PAUSE_AFTER_STORE_FAILURE_MS = 5 * SECOND_MS
/** Whatever the publisher asks for. */
const AT_ONCE: ReadonlySet<TakenBecause['cause']> = new Set(['asked', 'full', 'push'])
const NO_HOST_MEMORY: HostMemory = { save: async () => {}, learn: async () => {} }

/** One refresh that has begun. */
interface RefreshTask {
  /** As the scheduler has given it out: the source, or the bundle that its request stands for. */
  readonly taken: SourceId
  readonly fetchSlot: FetchSlot
  readonly why: TakenBecause
  readonly end: AbortSignal
  readonly holding: Holding | undefined
}

/**
 * Drives the refreshes: takes what the scheduler says is due, asks politeness, runs the pipeline, and puts the source
 * back with its next time. Slows down when the item buffer is full. Everything it needs to go on after a kill is in the
 * store; what it holds in memory is only the order of what comes next.
 */
export class Crawler {
  private readonly running = new Set<Promise<void>>()
  /** Of every source: reading addresses anew would be a hundredth of a refresh without news. */
  private readonly hosts = new Map<SourceId, string>()
  private readonly models: ModelStore
  private readonly slots: FetchSlots
  private readonly weights: Weights
  private readonly payments: Payments
  private readonly outage = new Outage()
  /** null: all sources are its own. */
  private readonly shards: ShardWork | null
  private readonly lateRequests = new LateRequests()
  private revision = 0
  private isResumed = false
  private mustSync = false
  private syncedAt: InstantMs = Number.NEGATIVE_INFINITY
  private pausedUntil: InstantMs = Number.NEGATIVE_INFINITY
  /** What of the clock's settings was followed. */
  private setByMs: DurationMs
  private readonly waking: Waking
  /** null: every source is asked for by itself. */
  private readonly bundles: BundleKeeper | null
  private readonly deps: CrawlerDeps
  private readonly syncMs: DurationMs

  constructor(deps: CrawlerDeps) {
    this.deps = deps
    this.syncMs = deps.syncMs ?? USUAL_SYNC_MS
    this.setByMs = deps.clock.setByMs
    this.shards = deps.territory === undefined ? null : this.workOn(deps.territory)
    const part = this.shards?.part.bind(this.shards)
    this.models = new ModelStore({ ...deps, everyMs: deps.checkpointMs, ...(part && { part }) })
    this.slots = new FetchSlots(deps)
    this.weights = new Weights(deps)
    this.payments = new Payments(deps)
    this.waking = new Waking(deps.clock, this.syncMs)
    this.bundles = deps.bundleRules === undefined ? null : new BundleKeeper({ ...deps, rules: deps.bundleRules })
  }

  /** Refreshes under way. */
  get busy(): number {
    return this.slots.size
  }

  /** Until the signal aborts; then waits for what is under way to be stored or dropped. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const end = AbortSignal.any([signal, over.signal])
    // Every refresh under way listens to it; that is no leak.
    setMaxListeners(0, end)
    this.followClock()
    const leaveClock = this.deps.clock.onSet(() => this.followClock())
    const leaveTerritory = this.shards?.begin(end)
    try {
      await this.crawlUntil(end, over)
    } finally {
      leaveTerritory?.()
      leaveClock()
    }
  }

  private workOn(territory: Territory): ShardWork {
    return new ShardWork({
      ...this.deps,
      territory,
      hosts: this.deps.hostMemory ?? NO_HOST_MEMORY,
      onChange: () => {
        this.mustSync = true
        this.waking.wake()
      },
      drop: (ids) => {
        for (const id of ids) this.drop(id)
      },
      saveModels: () => this.models.save(),
    })
  }

  private async crawlUntil(end: AbortSignal, over: AbortController): Promise<void> {
    await this.sync()
    const { supervise = withoutSupervision } = this.deps
    const parts = [this.crawl(end), ...this.layers().map((layer) => supervise(layer, end))]
    // Whichever fails ends the others: what is left behind by one alone would go on unseen.
    for (const part of parts) part.catch(() => over.abort())
    const ends = await Promise.allSettled(parts)
    await Promise.all(this.running)
    const failure = ends.find((one) => one.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    await this.models.save()
  }

  /** The clock was set: everything that is kept here goes on from the new time. */
  private followClock(): void {
    const byMs = this.deps.clock.setByMs - this.setByMs
    if (byMs === 0) return
    this.setByMs += byMs
    this.syncedAt += byMs
    this.pausedUntil += byMs
    this.deps.scheduler.shift(byMs)
    this.lateRequests.shift(byMs)
    this.deps.logger.warn({ bySeconds: Math.round(byMs / SECOND_MS) }, 'the clock was set; the schedule follows')
    this.waking.wake()
  }

  /** What goes on beside the crawl. */
  private layers(): readonly Layer[] {
    const { shared } = this.deps
    const learning = shared === undefined ? [] : [shared.layer(() => [...this.hosts.keys()])]
    const composing = this.bundles === null ? [] : [this.bundles.layer()]
    return [...this.models.layers(), ...learning, ...composing]
  }

  private async crawl(signal: AbortSignal): Promise<void> {
    const { scheduler, buffer, clock } = this.deps
    while (!signal.aborted) {
      if (!this.deps.disk.hasSpace()) {
        await this.idle(Number.POSITIVE_INFINITY, signal)
        continue
      }
      await this.sync()
      this.slots.callOffSlow()
      if (this.slots.isFull || clock.now() < this.pausedUntil) {
        await this.idle(this.pausedUntil, signal)
        continue
      }
      await buffer.waitForRoom(signal)
      const next = scheduler.take(clock.now())
      if (next.kind === 'wait') {
        await this.idle(next.until, signal)
        continue
      }
      this.start(next, signal)
    }
  }

  requestRefresh(ids: readonly SourceId[]): void {
    for (const sourceId of ids) this.request({ sourceId, by: null, at: this.deps.clock.now() })
    this.waking.wake()
  }

  /** Somebody has asked for refreshes. */
  lookForRequests(): void {
    this.mustSync = true
    this.waking.wake()
  }

  /** Something can be paid for that could not, or the price has moved. */
  lookAgain(): void {
    this.waking.wake()
  }

  /** Takes over what other processes (the command line) and the API changed. */
  async sync(): Promise<void> {
    const { store, clock } = this.deps
    const now = clock.now()
    if (now - this.syncedAt < this.syncMs && !this.mustSync) return
    this.mustSync = false
    if (!this.isResumed) {
      await this.deps.shared?.resume()
      await this.models.resume()
      this.isResumed = true
    }
    await this.weights.follow(now)
    await this.payments.follow(now, this.hosts.keys())
    const syncedBefore = this.syncedAt
    this.syncedAt = now
    const changes = this.shards?.changes(this.revision) ?? store.scheduleChanges(this.revision)
    const { revision, changed, removed } = await changes
    this.revision = revision
    for (const id of removed) this.drop(id)
    for (const entry of changed) this.takeOver(entry, syncedBefore)
    for (const request of await store.takeRefreshRequests(this.shards?.part())) this.request(request)
  }

  private request(request: RefreshRequest): void {
    const { by, sourceId } = request
    if (this.lateRequests.add(request)) return
    if (by === 'push') this.deps.scheduler.push(sourceId, this.deps.clock.now())
    else this.deps.scheduler.requestRefresh(sourceId, this.payments.asker(by))
  }

  private drop(id: SourceId): void {
    this.deps.scheduler.remove(id)
    this.hosts.delete(id)
    this.bundles?.forget(id)
    this.shards?.forget(id)
  }

  private takeOver(entry: ScheduleEntry, syncedBefore: InstantMs): void {
    if (this.deps.only && !this.deps.only.has(entry.id)) return
    if (isForLetters(entry)) return
    if (this.shards?.assign(entry.id, entry.url) === false) return
    this.hosts.set(entry.id, hostKey(entry.url))
    this.bundles?.note(entry.id, entry.url)
    const source = schedulerSourceOf(entry, {
      weight: this.weights.of(entry),
      memory: this.models.memoryOf(entry),
      payers: this.payments.of(entry),
      syncedBefore,
    })
    this.deps.scheduler.upsert(source, this.deps.clock.now())
  }

  /** null: its host is admitted, and it must start. */
  private mustWaitUntil(id: SourceId, host: string, now: InstantMs): InstantMs | null {
    const waitMs = this.slots.waitMs(id, host)
    if (waitMs !== null) return now + waitMs
    const admission = this.deps.limits.admit(host, now)
    return admission.go ? null : admission.retryAt
  }

  private start({ id, why }: Extract<TakeResult, { kind: 'refresh' }>, signal: AbortSignal): void {
    const { scheduler, clock } = this.deps
    const bundle = this.bundles?.get(id) ?? null
    // The request of a source that shows others is its own.
    const source = this.bundles?.covers.sourceOf(id) ?? id
    const host = bundle?.host ?? this.hosts.get(source)
    // The sources of a site are of one shard.
    const holding = this.shards?.holdingOf(bundle === null ? source : firstMemberOf(bundle))
    if (host === undefined || holding === null) {
      this.drop(id)
      return
    }
    const isShown = this.bundles?.isShown(id, this.slots) === true
    const mayStart = !isShown && (holding === undefined || this.shards?.mayStart(holding) !== false)
    const retryAt = mayStart ? this.mustWaitUntil(id, host, clock.now()) : clock.now() + this.syncMs
    if (retryAt !== null) {
      scheduler.postpone(id, retryAt, clock.now())
      return
    }
    this.lateRequests.begin(id, clock.now())
    const task = { taken: id, fetchSlot: this.slots.enter(id, host), why, end: signal, holding }
    const refreshing = bundle === null ? this.refresh(source, task) : this.refreshAll(bundle, task)
    const work = refreshing.finally(() => {
      this.slots.leave(id)
      this.running.delete(work)
      holding?.running.delete(work)
      for (const request of this.lateRequests.end(id)) this.request(request)
      this.waking.wake()
    })
    this.running.add(work)
    holding?.running.add(work)
  }

  private async refresh(id: SourceId, { taken, fetchSlot, why, end, holding }: RefreshTask): Promise<void> {
    const signal = holding?.ending.signal ?? end
    const { host } = fetchSlot
    const { store, scheduler, limits, clock, fetcher, parse, random, mostPages, pageFolders } = this.deps
    const slot = new HostSlot(limits, clock, host)
    const setBeforeMs = clock.setByMs
    const shows = this.bundles?.beginCover(id, this.slots) ?? null
    try {
      const stored = await store.source(id)
      if (stored === null) return scheduler.remove(id)
      if (holding !== undefined && this.shards?.isOf(holding, stored.url) === false) {
        return scheduler.postpone(taken, clock.now() + MINUTE_MS, clock.now())
      }
      const source = withCorrectedTimes(stored, scheduler.lastRefreshAt(id), clock.now())
      const heldBack = AT_ONCE.has(why.cause) ? null : earliestRefreshAt(source, clock.now())
      if (heldBack !== null) return scheduler.postpone(taken, heldBack, clock.now())
      const request = {
        signal,
        watch: fetchSlot,
        enterHop: (url: URL, hopSignal: AbortSignal) => slot.moveTo(hostKey(url), hopSignal),
      }
      const lease = holding && { lease: { shard: holding.shard, token: holding.token } }
      const refreshed = await (this.deps.refresh ?? refreshSource)(source, request, {
        store,
        fetcher,
        parse,
        mostPages,
        pageFolders,
        clock,
        random,
        why,
        ...lease,
        plan: (newObservation, wish) => {
          // Set while it was under way: what was noted of the time before is of another clock.
          const isSet = clock.setByMs !== setBeforeMs
          const observation = isSet ? { ...newObservation, at: clock.now() } : newObservation
          return scheduler.plan(observation, isSet ? null : wish)
        },
        pages: pageTurns(id, { slot, clock, scheduler }, (fetched) => recordAnswer(limits, fetched, null, clock.now())),
      })
      if (refreshed === 'aborted') return scheduler.finish(taken, clock.now())
      const { lastCheckAt, nextCheckAt } = refreshed.record.state
      const isSet = clock.setByMs !== setBeforeMs && lastCheckAt !== null && nextCheckAt !== null
      this.settle(refreshed, { url: source.url, host }, isSet ? clock.now() + (nextCheckAt - lastCheckAt) : nextCheckAt)
      await this.showOthers(refreshed, shows, { ...this.deps, why, ...lease })
      if (taken !== id) scheduler.finish(taken, null)
    } catch (error) {
      this.repeatLater(taken, error, holding)
    } finally {
      this.bundles?.endCover(shows)
      slot.leave()
      fetchSlot.lease?.release()
    }
  }

  /** Sources of a site are learnt to show each other's items, and what this one has shown of others is theirs. */
  private async showOthers(refreshed: SourceRefresh, shows: LookAtCover | null, deps: ShowMembersDeps): Promise<void> {
    if (this.bundles === null) return
    const { live, members } = shows ?? { live: null, members: [] }
    const shown = live === null ? [] : await showMembers(live, members, refreshed, deps)
    for (const one of shown) this.deps.onRefreshed?.(one)
    await this.bundles.covers.look(refreshed)
  }

  /** A surprise, or a store that cannot write: nothing was acknowledged, so the refresh is simply done again. */
  private repeatLater(id: SourceId, error: unknown, holding: Holding | undefined): void {
    const { scheduler, clock, logger, disk } = this.deps
    if (this.shards?.isLost(holding ?? null, error) !== true) {
      logger.error({ err: error, sourceId: id }, 'refresh failed and will be repeated')
      disk.doubt(error)
      this.pausedUntil = clock.now() + PAUSE_AFTER_STORE_FAILURE_MS
    }
    scheduler.finish(id, clock.now() + MINUTE_MS)
  }

  /** Several sources in one request. */
  private async refreshAll(bundle: LiveBundle, { fetchSlot, why, end, holding }: RefreshTask): Promise<void> {
    const { scheduler, limits, clock } = this.deps
    const slot = new HostSlot(limits, clock, bundle.host)
    this.bundles?.begin(bundle)
    try {
      const lease = holding && { shard: holding.shard, token: holding.token }
      const deps = { ...this.deps, why, ...(lease && { lease }) }
      const signal = holding?.ending.signal ?? end
      const enterHop = (url: URL, hopSignal: AbortSignal) => slot.moveTo(hostKey(url), hopSignal)
      const done = await refreshBundle(bundle, { signal, watch: fetchSlot, enterHop }, deps)
      if (done === 'aborted') return scheduler.finish(bundle.id, clock.now())
      this.slots.recordAnswer(bundle.host, done.fetched)
      recordAnswer(limits, done.fetched, bundle, clock.now())
      for (const refreshed of done.refreshed) this.deps.onRefreshed?.(refreshed)
    } catch (error) {
      this.repeatLater(bundle.id, error, holding)
    } finally {
      this.bundles?.end(bundle)
      slot.leave()
      fetchSlot.lease?.release()
    }
  }

  private settle(refreshed: SourceRefresh, sent: RequestRecord, nextCheckAt: InstantMs | null): void {
    const { scheduler, logger } = this.deps
    const { fetched, record, isFixed } = refreshed
    this.lateRequests.serve(record.sourceId)
    this.slots.recordAnswer(sent.host, fetched)
    recordAnswer(this.deps.limits, fetched, sent, this.deps.clock.now())
    if (fetched.kind === 'failed') {
      logger.debug({ sourceId: record.sourceId, code: fetched.code }, fetched.message)
      this.outage.recordFailure(record.sourceId, fetched.code)
    } else {
      for (const id of this.outage.takeReached()) scheduler.retry(id, this.deps.clock.now())
    }
    if (record.movedTo !== null) this.hosts.set(record.sourceId, hostKey(record.movedTo))
    scheduler.finish(record.sourceId, isFixed ? nextCheckAt : null, record.state.status === 'retired')
    this.deps.onRefreshed?.(refreshed)
  }

  private idle(until: InstantMs, signal: AbortSignal): Promise<void> {
    return this.slots.isFull ? this.waking.untilWoken(signal) : this.waking.until(until, signal)
  }
}
