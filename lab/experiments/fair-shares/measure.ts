import { DAY_MS } from '../../../src/model/index.ts'
import { ESTIMATORS } from '../../../src/refresh/estimators/index.ts'
import { findStrategy } from '../../../src/refresh/strategies/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
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
  const { startMs, days, measuredFromMs, budget, burst, minIntervalMs } = CONFIG
  const fromMs = startMs + measuredFromMs
  const endMs = startMs + days * DAY_MS
  const payerOf = (id: number) => Math.floor(id / 10_000)
  const tallies = new Map(scene.members.map(({ payer }) => [payer, new Tally(fromMs, endMs)]))
  const tallyOf = ({ id }: SimSource) => tallies.get(payerOf(id))!
  const strategy = findStrategy(scene.strategy)!.priced!(ESTIMATORS.hybrid())
  const allowed = { requests: budget.requests * scene.part, perMs: budget.perMs }
  const saved = strategy.timetable ? burst.timetable * scene.part : burst.other
  runScheduled(
    {
      world: { startMs, endMs, sources: scene.members.flatMap(({ sources }) => sources) },
      scheduler: { strategy, budget: allowed, burst: saved, minIntervalMs, random: seededRandom(1) },
      settingsOf: (source) => ({
        payers: scene.together ? [0] : [payerOf(source.id), ...(scene.alsoPaidBy?.(source) ?? [])],
        intervalMs: scene.intervalMs?.(source) ?? null,
      }),
      ...(scene.asking === undefined ? {} : { asking: scene.asking }),
    },
    {
      refreshed: (source: SimSource, at: number, sight: Parameters<Tally['refreshed']>[2]) =>
        tallyOf(source).refreshed(source, at, sight),
      ended: (source: SimSource, reached: number, published: number) =>
        tallyOf(source).ended(source, reached, published),
    },
  )
  const hours = (endMs - fromMs) / allowed.perMs
  const requests = new Map([...tallies].map(([payer, tally]) => [payer, tally.requests]))
  return {
    delays: new Map([...tallies].map(([payer, tally]) => [payer, tally.meanDelayMs / 60_000])),
    requests,
    spent: [...requests.values()].reduce((sum, count) => sum + count, 0) / (allowed.requests * hours),
  }
}
