import { GrantedAllowance } from '../../src/cluster/granted-allowance.ts'
import type { GrantAnswer } from '../../src/cluster/grants.ts'
import type { MemoryGrants } from '../../src/cluster/memory/grants.ts'
import type { MemoryPrices } from '../../src/cluster/memory/prices.ts'
import { READ_EVERY_MS } from '../../src/cluster/report-spending.ts'
import { SharedPrices } from '../../src/cluster/shared-pricing.ts'
import { decideNextCheck } from '../../src/crawler/next-check.ts'
import type { InstantMs, SourceId } from '../../src/model/index.ts'
import { Scheduler } from '../../src/refresh/scheduler/scheduler.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { StoredSource } from '../simulator/known-sources.ts'
import { NO_HINTS, shownBy } from '../simulator/scheduled-run.ts'
import type { SourceRun } from '../simulator/source-run.ts'
import type { RunWatch } from '../simulator/tally.ts'
import { factsOf, type SimSource } from '../simulator/world.ts'
import type { ClusterRun } from './cluster-setup.ts'

/** A source as it goes from one member to another. */
export interface HandedSource extends StoredSource {
  readonly plannedAt: InstantMs | null
}

interface OwnedSource {
  readonly source: SimSource
  readonly run: SourceRun
  plannedAt: InstantMs | null
}

interface MemberOptions extends ClusterRun {
  readonly id: string
  readonly clock: { now(): InstantMs }
  readonly grants: MemoryGrants
  readonly board: MemoryPrices
  readonly watch: Pick<RunWatch, 'refreshed'>
}

/** One crawler of a simulated cluster: its scheduler, and what its layers beside the crawl do, in virtual time. */
export class ClusterMember {
  readonly id: string
  readonly owned = new Map<SourceId, OwnedSource>()
  draws = 0
  wakeAt: InstantMs
  private readonly scheduler: Scheduler<unknown>
  private readonly allowance: GrantedAllowance
  private readonly shared: SharedPrices
  private hasEnded = false
  private readAt: InstantMs = Number.POSITIVE_INFINITY
  private answer: { readonly given: GrantAnswer; readonly sentAt: InstantMs; readonly at: InstantMs } | null = null

  constructor(private readonly options: MemberOptions) {
    this.id = options.id
    const { clock, terms, minIntervalMs, seed } = options
    const strategy = options.newStrategy()
    this.shared = new SharedPrices(strategy)
    this.shared.onPeriod = () => {
      this.hasEnded = true
      this.readSoon()
    }
    this.allowance = new GrantedAllowance({
      terms,
      monotonicMs: () => clock.now(),
      waiting: () => this.scheduler.backlog,
      waitingSince: () => this.scheduler.waitingSince,
    })
    this.scheduler = new Scheduler({
      strategy,
      budget: terms.budget,
      burst: terms.burst,
      minIntervalMs,
      random: seededRandom(seed),
      now: clock.now(),
      funding: { allowance: this.allowance, newPricing: this.shared.newPricing },
    })
    this.wakeAt = clock.now()
  }

  /** Of its columns. */
  get schedulerBytes(): number {
    return this.scheduler.bytes
  }

  /** Begins with sources as they are stored. */
  adopt(handed: Iterable<HandedSource>): void {
    const { world, clock, settingsOf } = this.options
    for (const { source, run, memory, plannedAt } of handed) {
      this.owned.set(source.id, { source, run, plannedAt })
      const facts = factsOf(source, world.startMs, run.lastRefreshAt)
      this.scheduler.upsert({
        facts,
        memory,
        plannedAt,
        dueAt: null,
        paused: false,
        retired: false,
        ...settingsOf?.(source),
      })
    }
    this.wakeAt = clock.now()
  }

  /** Lets sources go, with what the store has of them by then. */
  release(sources: readonly SimSource[]): HandedSource[] {
    return sources.flatMap(({ id }) => {
      const owned = this.owned.get(id)
      if (owned === undefined) return []
      const memory = this.scheduler.memory(id)
      this.scheduler.remove(id)
      this.owned.delete(id)
      return { ...owned, memory }
    })
  }

  /** Gives back what it was granted and did not spend. */
  leave(): void {
    const { grants, id, clock } = this.options
    grants.drawNow(id, this.allowance.request(clock.now(), true))
  }

  /** Looks at the board as often as a real one; as nothing stands there that is new, only when something does. */
  readSoon(): void {
    const now = this.options.clock.now()
    this.readAt = Math.min(this.readAt, (Math.floor(now / READ_EVERY_MS) + 1) * READ_EVERY_MS)
    this.wakeAt = Math.min(this.wakeAt, this.readAt)
  }

  act(): void {
    const now = this.options.clock.now()
    if (now >= this.readAt) this.readBoard()
    if (this.answer !== null && now >= this.answer.at) {
      this.allowance.accept(this.answer.given, this.answer.sentAt, now)
      this.answer = null
    }
    let until = this.crawl(now)
    for (; this.answer === null && this.allowance.talkAt <= now; until = this.crawl(now)) this.draw(now)
    const talkAt = this.answer?.at ?? this.allowance.talkAt
    this.wakeAt = Math.ceil(Math.min(until, talkAt, this.readAt))
  }

  private draw(now: InstantMs): void {
    const { grants, id, latencyMs = 0 } = this.options
    this.draws++
    const given = grants.drawNow(id, this.allowance.request(now))
    if (given === null) return
    if (latencyMs === 0) this.allowance.accept(given, now, now)
    else this.answer = { given, sentAt: now, at: now + latencyMs }
  }

  private readBoard(): void {
    const { board, id, clock } = this.options
    const posted = this.hasEnded ? board.reportNow(id, this.shared.report()) : board.readNow()
    this.hasEnded = false
    this.shared.announce(posted, clock.now())
    this.readAt = Number.POSITIVE_INFINITY
  }

  /** Refreshes what can be paid for; until when there is nothing to do. */
  private crawl(now: InstantMs): InstantMs {
    for (;;) {
      const decision = this.scheduler.take(now)
      if (decision.kind === 'wait') return decision.until
      const found = this.owned.get(decision.id)
      if (found === undefined) throw new Error(`no source ${decision.id}`)
      const { source, run } = found
      const observation = run.refresh(now)
      this.options.watch.refreshed(source, now, run.sight)
      const next = decideNextCheck(observation, { state: shownBy(source, run), ...NO_HINTS }, (seen, notBefore) =>
        this.scheduler.plan(seen, notBefore),
      )
      found.plannedAt = next.at
      this.scheduler.finish(decision.id, next.loss?.isFixed ? next.at : null)
    }
  }
}
