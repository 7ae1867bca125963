import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type InstantMs, type SourceId } from '../../src/model/index.ts'
import { type BundleLimits, composeBundles, isBetterComposed } from '../../src/refresh/bundles/composition.ts'
import { Scheduler, type SchedulerOptions } from '../../src/refresh/scheduler/scheduler.ts'
import { BundleWindow } from './bundle-window.ts'
import { BundledSource } from './bundled-source.ts'
import type { Tally } from './tally.ts'
import { factsOf, type SimWorld } from './world.ts'

export interface BundledRun<Memory> {
  readonly world: SimWorld
  readonly scheduler: Omit<SchedulerOptions<Memory>, 'now'>
  /** Which can be composed with each other. */
  readonly composable: ReadonlySet<SourceId>
  readonly limits: BundleLimits
}

/** How requests were used. */
export interface BundledUse {
  readonly bundleRequests: number
  readonly ownRequests: number
  /** Own looks of sources in bundles. */
  readonly memberRequests: number
  readonly fullWindows: number
  readonly compositions: number
}

const NO_ITEMS = { from: 0, to: 0, firstSeen: 0 }

/** The scheduler of the live node where some sources can be asked for in one request; composed anew as rates change. */
export function runBundled<Memory>(options: BundledRun<Memory>, tally: Tally): BundledUse {
  return new BundledWorld(options, tally).run()
}

class BundledWorld<Memory> {
  private readonly scheduler: Scheduler<Memory>
  private readonly sources: ReadonlyMap<SourceId, BundledSource>
  private readonly windows = new Map<SourceId, BundleWindow>()
  private readonly use = { bundleRequests: 0, ownRequests: 0, memberRequests: 0, fullWindows: 0, compositions: 0 }
  private groups: readonly (readonly SourceId[])[] = []
  private nextBundle = -1

  constructor(
    private readonly options: BundledRun<Memory>,
    private readonly tally: Tally,
  ) {
    const { world } = options
    this.scheduler = new Scheduler<Memory>({ ...options.scheduler, now: world.startMs })
    this.sources = new Map(world.sources.map((source) => [source.id, new BundledSource(source, tally)]))
    for (const source of world.sources) {
      const facts = factsOf(source, world.startMs, null)
      this.scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
    }
  }

  run(): BundledUse {
    const { startMs, endMs } = this.options.world
    let composeAt = startMs + DAY_MS
    for (let now = startMs; now < endMs; ) {
      if (now >= composeAt) {
        this.compose(now)
        composeAt += DAY_MS
      }
      const decision = this.scheduler.take(now)
      if (decision.kind === 'wait') now = Math.max(now + 1, Math.min(decision.until, composeAt))
      else if (decision.id < 0) this.refreshBundle(decision.id, now)
      else this.refresh(decision.id, now)
    }
    for (const source of this.sources.values()) source.end(endMs)
    return this.use
  }

  private refresh(id: SourceId, now: InstantMs): void {
    const source = this.sourceOf(id)
    this.use.ownRequests++
    if (this.groups.some((group) => group.includes(id))) this.use.memberRequests++
    this.tally.refreshed(source.source, now, NO_ITEMS)
    this.scheduler.plan(source.refresh(now))
    this.scheduler.finish(id, null)
  }

  private refreshBundle(id: SourceId, now: InstantMs): void {
    const window = this.windows.get(id)
    if (window === undefined) throw new Error(`no bundle ${id}`)
    const sources = window.sources.map((source) => this.sourceOf(source.id))
    const shown = window.shownAt(now)
    const newItems = sources.reduce((sum, source, index) => sum + source.countNew(now, entryAt(shown, index)), 0)
    const isFull = newItems >= this.options.limits.windowSize
    const members = sources.map((source, index) => source.seeShared(now, entryAt(shown, index), isFull))
    this.use.bundleRequests++
    if (isFull) this.use.fullWindows++
    this.tally.refreshed(entryAt(window.sources, 0), now, NO_ITEMS)
    const overlap = isFull ? ('none' as const) : ('some' as const)
    const whole = { ...entryAt(members, 0), sourceId: id, newItems, overlap, itemTimes: [], windowSize: null }
    this.scheduler.bundles.plan({ bundle: whole, members })
    this.scheduler.finish(id, null)
  }

  /** Who with whom, by what is believed of each now. */
  private compose(now: InstantMs): void {
    const { options, scheduler } = this
    const { limits, composable } = options
    const candidates = scheduler.bundles.composable(composable, now)
    const next = composeBundles(candidates, limits, scheduler.price)
    if (!isBetterComposed(next, this.groups, candidates, limits, scheduler.price)) return
    for (const id of this.windows.keys()) scheduler.bundles.drop(id)
    this.windows.clear()
    this.use.compositions++
    this.groups = next
    for (const members of next) {
      const id = this.nextBundle--
      const sources = members.map((member) => this.sourceOf(member).source)
      this.windows.set(id, new BundleWindow(sources, limits.windowSize))
      scheduler.bundles.set({ id, windowSize: limits.windowSize, members }, now)
    }
  }

  private sourceOf(id: SourceId): BundledSource {
    const source = this.sources.get(id)
    if (source === undefined) throw new Error(`no source ${id}`)
    return source
  }
}
