import { DAY_MS } from '../../../src/model/index.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../../src/refresh/strategy.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import {
  byRate,
  type ClusterMeasures,
  type CommonSetup,
  measureAlone,
  measureCluster,
  measureShares,
} from '../../cluster/measure.ts'
import { worldFor } from '../../compare/setting.ts'
import { countPublishedBy } from '../../simulator/world.ts'
import { readTraceSet } from '../../traces/trace-set.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'

interface Row {
  readonly name: string
  readonly measures: ClusterMeasures
}

export const experiment: Experiment = {
  id: 'cluster-price',
  title: 'Four crawlers with one price and one token bucket refresh as one scheduler does, whoever has which sources',
  paper: "the cluster's own promise (docs/decisions/0094)",
  defaultSeeds: 1,
  async run({ signal, progress }) {
    const setup = await setupOf(1)
    const { members, latencyMs } = CONFIG
    const hashed = ({ id }: { readonly id: number }) => id % members
    const sorted = byRate(setup.world.sources, setup.measuredFromMs, members)
    const { fromMs, toMs } = setup.part
    const isControllerAway = (now: number) => now >= fromMs && now < toMs
    const runs: readonly (readonly [string, () => ClusterMeasures])[] = [
      ['one scheduler', () => measureAlone(setup)],
      ['four, by hash', () => measureCluster(setup, { members, memberOf: hashed, latencyMs })],
      ['four, sorted by rate', () => measureCluster(setup, { members, memberOf: sorted, latencyMs })],
      [
        'four, sorted by rate, controller away for two days',
        () => measureCluster(setup, { members, memberOf: sorted, latencyMs, isControllerAway }),
      ],
      ['four with a quarter of the budget each, sorted by rate', () => measureShares(setup, members, sorted)],
    ]
    const rows: Row[] = []
    for (const [name, run] of runs) {
      signal?.throwIfAborted()
      await Promise.resolve()
      rows.push({ name, measures: run() })
      progress?.(rows.length / runs.length)
    }
    return { tables: [tableOf(rows)], series: [], claims: claimsOf(rows) }
  },
}

async function setupOf(seed: number): Promise<CommonSetup> {
  const { trace, windowSize, days, learningMs, perDay, burstsPerDay, minIntervalMs, away } = CONFIG
  const setting = { window: windowSize, dates: 'recorded', sources: null } as const
  const whole = worldFor(await readTraceSet(trace), setting, seed)
  const { startMs, sources } = whole
  const measuredFromMs = startMs + learningMs
  const learnt = sources.map(({ times }) => times.subarray(0, countPublishedBy(times, measuredFromMs - 1)))
  const strategy = foresight({ tables: learnTables(learnt, seededRandom(seed)) }) as AnyPricedStrategy
  const requests = perDay * sources.length
  return {
    world: { ...whole, endMs: startMs + days * DAY_MS },
    // Without siblings it holds nothing, so that one does for all.
    newStrategy: () => strategy,
    terms: { budget: { requests, perMs: DAY_MS }, factor: 1, burst: Math.round(requests / burstsPerDay) },
    minIntervalMs,
    measuredFromMs,
    part: { fromMs: startMs + away.fromMs, toMs: startMs + away.fromMs + away.forMs },
    seed,
  }
}

function tableOf(rows: readonly Row[]) {
  return {
    title: `${CONFIG.trace.name} at ${CONFIG.perDay} requests a day for each source, foresight`,
    columns: [
      'crawlers',
      'delay, min',
      'in the two days, min',
      'lost',
      'spent',
      'busiest hour',
      'busiest day',
      'draws a request',
    ],
    rows: rows.map(({ name, measures }) => [
      name,
      ...[
        measures.meanDelayMinutes,
        measures.partDelayMinutes,
        measures.lostShare,
        measures.spent,
        measures.busiestHour,
        measures.busiestDay,
      ].map((value) => roundToDigits(value, 4)),
      measures.draws === null ? '–' : roundToDigits(measures.draws, 2),
    ]),
  }
}

function claimsOf(rows: readonly Row[]): PaperClaim[] {
  const [one, hashed, sorted, away, shares] = rows.map(({ measures }) => measures)
  if (!one || !hashed || !sorted || !away || !shares) throw new Error('a run is missing')
  const beside = (of: ClusterMeasures) => roundToDigits(of.meanDelayMinutes / one.meanDelayMinutes, 4)
  const besideInPart = (of: ClusterMeasures) => roundToDigits(of.partDelayMinutes / one.partDelayMinutes, 4)
  const granted = [hashed, sorted, away]
  const busiestHour = Math.max(...granted.map((of) => of.busiestHour))
  const busiestDay = Math.max(...granted.map((of) => of.busiestDay))
  return [
    {
      text: 'Through grants the delay is within 5 % of one scheduler, by hash and sorted by rate',
      holds: beside(hashed) <= CONFIG.mostDelay && beside(sorted) <= CONFIG.mostDelay,
      figures: { byHash: beside(hashed), sortedByRate: beside(sorted) },
    },
    {
      text: 'With the controller away for two days it is within 10 %, of the items of these two days too',
      holds: beside(away) <= CONFIG.mostDelayAlone && besideInPart(away) <= CONFIG.mostDelayAlone,
      figures: { overall: beside(away), inTheTwoDays: besideInPart(away), controllerThere: besideInPart(sorted) },
    },
    {
      text: "No day and no hour has more requests than the budget's",
      holds: busiestHour <= 1 && busiestDay <= 1,
      figures: { busiestHour: roundToDigits(busiestHour, 4), busiestDay: roundToDigits(busiestDay, 4) },
    },
    {
      text: 'Fixed shares of the budget are no way to do it where one has the fast sources',
      holds: beside(shares) > 1.3,
      figures: { sortedByRate: beside(shares) },
    },
  ]
}
