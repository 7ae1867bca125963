import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runScheduled } from '../simulator/scheduled-run.ts'
import { Tally } from '../simulator/tally.ts'
import { countPublishedBy, type SimSource, type SimWorld } from '../simulator/world.ts'
import { runCluster } from './cluster-run.ts'
import type { ClusterRun, MemberOf } from './cluster-setup.ts'
import { mostWithin } from './spending-peaks.ts'

/** What all ways to spend one budget have in common. */
export interface CommonSetup extends Pick<ClusterRun, 'world' | 'newStrategy' | 'terms' | 'minIntervalMs' | 'seed'> {
  readonly measuredFromMs: InstantMs
  /** Part of what is measured, told apart: the time in which the controller is away in some runs. */
  readonly part: { readonly fromMs: InstantMs; readonly toMs: InstantMs }
}

export interface ClusterMeasures {
  readonly meanDelayMinutes: number
  /** Of items of the part that is told apart. */
  readonly partDelayMinutes: number
  readonly lostShare: number
  /** Of the budget of the measured time. */
  readonly spent: number
  /** Requests of the busiest hour and day, of the budget's. */
  readonly busiestHour: number
  readonly busiestDay: number
  /** Draws for each request; null: nothing was drawn. */
  readonly draws: number | null
}

/** One scheduler with the whole budget. */
export function measureAlone(setup: CommonSetup): ClusterMeasures {
  return measure(setup, (watch, requests) => runAlone(setup, setup.world.sources, 1, watch, requests))
}

/** Each member has its part of the budget for itself, and moves its own price. */
export function measureShares(setup: CommonSetup, members: number, memberOf: MemberOf): ClusterMeasures {
  return measure(setup, (watch, requests) => {
    for (let member = 0; member < members; member++) {
      const sources = setup.world.sources.filter((source) => memberOf(source) === member)
      runAlone(setup, sources, 1 / members, watch, requests)
    }
    return null
  })
}

export function measureCluster(
  setup: CommonSetup,
  more: Pick<ClusterRun, 'members' | 'memberOf' | 'isControllerAway' | 'latencyMs'>,
): ClusterMeasures {
  return measure(setup, (watch, requests) => {
    const figures = runCluster({ ...setup, ...more }, watch)
    for (const at of figures.requests) requests.push(at)
    return figures.draws
  })
}

/** The first member has the sources that publish least, the last those that publish most. */
export function byRate(sources: readonly SimSource[], untilMs: InstantMs, members: number): MemberOf {
  const sorted = [...sources].sort((a, b) => countPublishedBy(a.times, untilMs) - countPublishedBy(b.times, untilMs))
  const member = new Map(sorted.map(({ id }, rank) => [id, Math.floor((members * rank) / sorted.length)]))
  return ({ id }) => member.get(id) ?? 0
}

type Watch = Pick<Tally, 'refreshed' | 'ended'>

function runAlone(
  { world, newStrategy, terms, minIntervalMs, seed }: CommonSetup,
  sources: SimWorld['sources'],
  part: number,
  watch: Watch,
  requests: number[],
): null {
  const { budget, burst } = terms
  runScheduled(
    {
      world: { ...world, sources },
      scheduler: {
        strategy: newStrategy(),
        budget: { requests: part * budget.requests, perMs: budget.perMs },
        burst: Math.max(1, part * burst),
        minIntervalMs,
        random: seededRandom(seed),
      },
      onRefresh: (_id, at) => requests.push(at),
    },
    watch,
  )
  return null
}

function measure(setup: CommonSetup, run: (watch: Watch, requests: number[]) => number | null): ClusterMeasures {
  const { world, terms, measuredFromMs, part } = setup
  const tally = new Tally(measuredFromMs, world.endMs)
  const partTally = new Tally(part.fromMs, part.toMs)
  const requests: number[] = []
  const draws = run(
    {
      refreshed(source, at, sight) {
        tally.refreshed(source, at, sight)
        partTally.refreshed(source, at, sight)
      },
      ended(source, reached, published) {
        tally.ended(source, reached, published)
        partTally.ended(source, reached, published)
      },
    },
    requests,
  )
  const times = Float64Array.from(requests).sort()
  const perMs = terms.budget.requests / terms.budget.perMs
  return {
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    partDelayMinutes: partTally.meanDelayMs / MINUTE_MS,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
    spent: tally.requests / ((world.endMs - measuredFromMs) * perMs),
    busiestHour: mostWithin(times, HOUR_MS) / (HOUR_MS * perMs),
    busiestDay: mostWithin(times, DAY_MS) / (DAY_MS * perMs),
    draws: draws === null ? null : draws / requests.length,
  }
}
