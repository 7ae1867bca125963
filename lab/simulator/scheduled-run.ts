import { decideNextCheck } from '../../src/crawler/next-check.ts'
import type { DurationMs, InstantMs, SourceId } from '../../src/model/index.ts'
import {
  type PayerId,
  Scheduler,
  type SchedulerOptions,
  type SchedulerSource,
} from '../../src/refresh/scheduler/scheduler.ts'
import { beginSources, type KnownOf, type StoredSource } from './known-sources.ts'
import { type PagesBeside, pagesFrom } from './pages-beside.ts'
import type { SourceRun, SourceRunOptions } from './source-run.ts'
import type { Tally } from './tally.ts'
import { countPublishedBy, factsOf, type SimSource, type SimWorld } from './world.ts'

/** What `runScheduled` simulates. */
export interface ScheduledRun<Memory> {
  readonly world: SimWorld
  readonly scheduler: Omit<SchedulerOptions<Memory>, 'now'>
  readonly run?: SourceRunOptions
  /** What is known of a source when it begins; absent: nothing. */
  readonly knownOf?: KnownOf
  /** Called after each refresh. */
  readonly onRefresh?: (id: SourceId, at: InstantMs, price: number) => void
  /** What the scheduler gets for a source beside its facts: who pays for it, its own interval. */
  readonly settingsOf?: (source: SimSource) => SimSettings
  /** Refreshes by hand, all the time. */
  readonly asking?: Asking
  /** Pages of items beside the refreshes, from the same budget, all the time. */
  readonly pages?: PagesBeside
  /** What hubs tell of, ascending; the strategy is told whom they speak for. */
  readonly pushes?: readonly PushEvent[]
}

/** A hub says that a source has published, rightly or not. */
export interface PushEvent {
  readonly at: InstantMs
  readonly id: SourceId
}

export type SimSettings = Partial<Pick<SchedulerSource, 'payers' | 'intervalMs' | 'minIntervalMs'>>

/** Somebody who asks for one source after the other. */
export interface Asking {
  readonly by: PayerId
  readonly ids: readonly SourceId[]
  readonly everyMs: DurationMs
}

/** The scheduler of the live node under its budget, with simulated sources instead of a network. */
export function runScheduled<Memory>(
  options: ScheduledRun<Memory>,
  tally: Pick<Tally, 'refreshed' | 'ended'>,
): { readonly price: number } {
  const { world } = options
  const scheduler = new Scheduler<Memory>({ ...options.scheduler, now: world.startMs })
  const runs = new Map<SourceId, StoredSource>()
  for (const stored of beginSources(world, options.knownOf, options.run)) {
    const { source, run, memory } = stored
    runs.set(source.id, stored)
    scheduler.upsert({
      facts: factsOf(source, world.startMs, run.lastRefreshAt),
      memory,
      dueAt: null,
      paused: false,
      retired: false,
      ...options.settingsOf?.(source),
    })
  }
  const asks = askingFrom(options.asking, world.startMs)
  const pages = pagesFrom(options.pages, world, scheduler)
  const pushes = pushesFrom(options.pushes ?? [])
  for (let now = world.startMs; now < world.endMs; ) {
    for (const { id, by } of asks.until(now)) scheduler.requestRefresh(id, by)
    for (const { id } of pushes.until(now)) scheduler.push(id, now)
    pages.pay(now)
    const decision = scheduler.take(now)
    if (decision.kind === 'wait') {
      now = Math.max(now + 1, Math.min(decision.until, asks.nextAt, pushes.nextAt, pages.nextAt))
      continue
    }
    const { source, run } = runs.get(decision.id)!
    const observation = run.refresh(now)
    tally.refreshed(source, now, run.sight)
    options.onRefresh?.(decision.id, now, decision.why.price)
    const next = decideNextCheck(observation, { state: shownBy(source, run), ...NO_HINTS }, (observation, notBefore) =>
      scheduler.plan(observation, notBefore),
    )
    scheduler.finish(decision.id, next.loss?.isFixed ? next.at : null)
  }
  for (const { source, run } of runs.values()) {
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
  return { price: scheduler.price }
}

function askingFrom(asking: Asking | undefined, startMs: InstantMs) {
  let requests = 0
  return {
    nextAt: asking === undefined ? Number.POSITIVE_INFINITY : startMs,
    *until(now: InstantMs) {
      for (; asking !== undefined && this.nextAt <= now; this.nextAt += asking.everyMs) {
        yield { id: asking.ids[requests++ % asking.ids.length] ?? 0, by: asking.by }
      }
    },
  }
}

function pushesFrom(events: readonly PushEvent[]) {
  let next = 0
  return {
    get nextAt(): InstantMs {
      return events[next]?.at ?? Number.POSITIVE_INFINITY
    },
    *until(now: InstantMs) {
      for (; this.nextAt <= now; next++) yield events[next]!
    },
  }
}

export const NO_HINTS = {
  hints: { http: { maxAgeMs: null, expiresAt: null }, feed: null },
  ownInterval: false,
  repaired: null,
}

/** The window as a refresh leaves it in the state of a source. */
export function shownBy({ times, windowSize }: SimSource, { sight }: SourceRun) {
  const window = []
  for (let index = Math.max(0, sight.to - windowSize); index < sight.to; index++) {
    window.push({ key: '', contentHash: '', alias: null, published: times[index] ?? 0 })
  }
  return { window, datesCredible: true }
}
