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
import { NO_HINTS, shownBy } from '../simulator/scheduled-run.ts'
import { SourceRun } from '../simulator/source-run.ts'
import type { RunWatch } from '../simulator/tally.ts'
import { factsOf, type SimSource } from '../simulator/world.ts'
import type { ClusterRun } from './cluster-setup.ts'

interface MemberOptions extends ClusterRun {
  readonly id: string
  readonly sources: readonly SimSource[]
  readonly clock: { now(): InstantMs }
  readonly grants: MemoryGrants
  readonly board: MemoryPrices
  readonly watch: Pick<RunWatch, 'refreshed'>
}

/** One crawler of a simulated cluster: its scheduler, and what its layers beside the crawl do, in virtual time. */
export class ClusterMember {
  readonly runs = new Map<SourceId, { readonly source: SimSource; readonly run: SourceRun }>()
  draws = 0
  wakeAt: InstantMs
  private readonly scheduler: Scheduler<unknown>
  private readonly allowance: GrantedAllowance
  private readonly shared: SharedPrices
  private hasEnded = false
  private readAt: InstantMs = Number.POSITIVE_INFINITY
  private answer: { readonly given: GrantAnswer; readonly sentAt: InstantMs; readonly at: InstantMs } | null = null

  constructor(private readonly options: MemberOptions) {
    const { clock, terms, world, minIntervalMs, seed } = options
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
      now: world.startMs,
      funding: { allowance: this.allowance, newPricing: this.shared.newPricing },
    })
    for (const source of options.sources) {
      this.runs.set(source.id, { source, run: new SourceRun(source, { emptyIsFirst: true }) })
      const facts = factsOf(source, world.startMs, null)
      this.scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
    }
    this.wakeAt = world.startMs
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
      const found = this.runs.get(decision.id)
      if (found === undefined) throw new Error(`no source ${decision.id}`)
      const { source, run } = found
      const observation = run.refresh(now)
      this.options.watch.refreshed(source, now, run.sight)
      const next = decideNextCheck(observation, { state: shownBy(source, run), ...NO_HINTS }, (seen, notBefore) =>
        this.scheduler.plan(seen, notBefore),
      )
      this.scheduler.finish(decision.id, next.loss?.isFixed ? next.at : null)
    }
  }
}
