import { DAY_MS } from '../../../src/model/index.ts'
import { ESTIMATORS } from '../../../src/refresh/estimators/index.ts'
import { findStrategy } from '../../../src/refresh/strategies/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { runCluster } from '../../cluster/cluster-run.ts'
import { type Asking, runScheduled } from '../../simulator/scheduled-run.ts'
import { Tally } from '../../simulator/tally.ts'
import type { SimSource } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'
import type { PayingMember } from './world.ts'

export interface FairShareSetup {
  readonly members: readonly PayingMember[]
  /** The part of the budget that they have together; 1: all of it. */
  readonly part: number
  readonly strategy: string
  readonly asking?: Asking
  readonly intervalMs?: (source: SimSource) => number | null
  /** Who pays beside the member whose source it is. */
  readonly alsoPaidBy?: (source: SimSource) => readonly number[]
  /** One pays for all: as it was without shares. */
  readonly together?: boolean
  /** Crawlers of a cluster with one budget, each with every so-manieth source; absent: one process that has it for itself. */
  readonly crawlers?: number
}

export interface FairShareMeasures {
  /** Mean delay of each member's items, minutes, by payer. */
  readonly delays: ReadonlyMap<number, number>
  readonly requests: ReadonlyMap<number, number>
  /** Of the budget. */
  readonly spent: number
}

/** The node's scheduler over all members' sources, each paid for by its member. */
export function measureFairShares(scene: FairShareSetup): FairShareMeasures {
  const { startMs, days, measuredFromMs, budget } = CONFIG
  const fromMs = startMs + measuredFromMs
  const endMs = startMs + days * DAY_MS
  const tallies = new Map(scene.members.map(({ payer }) => [payer, new Tally(fromMs, endMs)]))
  const tallyOf = ({ id }: SimSource) => tallies.get(payerOf(id))!
  run(scene, {
    refreshed: (source, at, sight) => tallyOf(source).refreshed(source, at, sight),
    ended: (source, reached, published) => tallyOf(source).ended(source, reached, published),
  })
  const allowed = (budget.requests * scene.part * (endMs - fromMs)) / budget.perMs
  const requests = new Map([...tallies].map(([payer, tally]) => [payer, tally.requests]))
  return {
    delays: new Map([...tallies].map(([payer, tally]) => [payer, tally.meanDelayMs / 60_000])),
    requests,
    spent: [...requests.values()].reduce((sum, count) => sum + count, 0) / allowed,
  }
}

function payerOf(id: number): number {
  return Math.floor(id / 10_000)
}

function run(scene: FairShareSetup, tally: Pick<Tally, 'refreshed' | 'ended'>): void {
  const { startMs, days, budget: whole, burst, minIntervalMs } = CONFIG
  const newStrategy = () => findStrategy(scene.strategy)!.priced!(ESTIMATORS.hybrid())
  const strategy = newStrategy()
  const budget = { requests: whole.requests * scene.part, perMs: whole.perMs }
  const saved = strategy.timetable ? burst.timetable * scene.part : burst.other
  const world = {
    startMs,
    endMs: startMs + days * DAY_MS,
    sources: scene.members.flatMap(({ sources }) => sources),
  }
  const settingsOf = (source: SimSource) => ({
    payers: scene.together ? [0] : [payerOf(source.id), ...(scene.alsoPaidBy?.(source) ?? [])],
    intervalMs: scene.intervalMs?.(source) ?? null,
  })
  const { crawlers, asking } = scene
  if (crawlers !== undefined) {
    if (asking !== undefined) throw new Error('nobody asks a cluster by hand here')
    const terms = { budget, factor: 1, burst: saved }
    const memberOf = ({ id }: SimSource) => id % crawlers
    const { latencyMs } = CONFIG.cluster
    runCluster(
      { world, newStrategy, terms, minIntervalMs, members: crawlers, memberOf, latencyMs, settingsOf, seed: 1 },
      tally,
    )
    return
  }
  const scheduler = { strategy, budget, burst: saved, minIntervalMs, random: seededRandom(1) }
  runScheduled({ world, scheduler, settingsOf, ...(asking === undefined ? {} : { asking }) }, tally)
}
