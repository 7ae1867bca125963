import { entryAt } from '../../../src/model/entry-at.ts'
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

/** Each seed has other random numbers, and other days without the controller. */
interface SeedRows {
  readonly seed: number
  readonly rows: readonly Row[]
}

export const experiment: Experiment = {
  id: 'cluster-price',
  title: 'Four crawlers with one price and one token bucket refresh as one scheduler does, whoever has which sources',
  paper: "the cluster's own promise (docs/decisions/0094)",
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const runs: SeedRows[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      const setup = await setupOf(seed)
      const rows: Row[] = []
      for (const [name, measure] of measurements(setup)) {
        signal?.throwIfAborted()
        await Promise.resolve()
        rows.push({ name, measures: measure() })
        progress?.((seed - 1 + rows.length / MEASUREMENTS) / seeds)
      }
      runs.push({ seed, rows })
    }
    return { tables: runs.map(tableOf), series: [], claims: claimsOf(runs.map(besideOne)) }
  },
}

const MEASUREMENTS = 5

function measurements(setup: CommonSetup): readonly (readonly [string, () => ClusterMeasures])[] {
  const { members, latencyMs } = CONFIG
  const hashed = ({ id }: { readonly id: number }) => id % members
  const sorted = byRate(setup.world.sources, setup.measuredFromMs, members)
  const { fromMs, toMs } = setup.part
  const isControllerAway = (now: number) => now >= fromMs && now < toMs
  return [
    ['one scheduler', () => measureAlone(setup)],
    ['four, by hash', () => measureCluster(setup, { members, memberOf: hashed, latencyMs })],
    ['four, sorted by rate', () => measureCluster(setup, { members, memberOf: sorted, latencyMs })],
    [
      'four, sorted by rate, controller away for two days',
      () => measureCluster(setup, { members, memberOf: sorted, latencyMs, isControllerAway }),
    ],
    ['four with a quarter of the budget each, sorted by rate', () => measureShares(setup, members, sorted)],
  ]
}

async function setupOf(seed: number): Promise<CommonSetup> {
  const { trace, windowSize, days, learningMs, perDay, burstsPerDay, minIntervalMs, away } = CONFIG
  const awayFromMs = entryAt(away.fromDays, (seed - 1) % away.fromDays.length) * DAY_MS
  const setting = { window: windowSize, dates: 'recorded', sources: null } as const
  const whole = worldFor(await readTraceSet(trace), setting, seed)
  const { startMs, sources } = whole
  const measuredFromMs = startMs + learningMs
  const learnt = sources.map(({ times }) => times.subarray(0, countPublishedBy(times, measuredFromMs - 1)))
  const strategy = foresight({ tables: learnTables(learnt, seededRandom(seed)) }) as AnyPricedStrategy
  const requests = perDay * sources.length
  return {
    world: { ...whole, endMs: startMs + days * DAY_MS },
    // It holds nothing, so that one does for all.
    newStrategy: () => strategy,
    terms: { budget: { requests, perMs: DAY_MS }, factor: 1, burst: Math.round(requests / burstsPerDay) },
    minIntervalMs,
    measuredFromMs,
    part: { fromMs: startMs + awayFromMs, toMs: startMs + awayFromMs + away.forMs },
    seed,
  }
}

const PRICE_COLUMNS = [
  'crawlers',
  'delay, min',
  'in the two days, min',
  'lost',
  'spent',
  'busiest hour',
  'busiest day',
  'draws a request',
]

function tableOf({ seed, rows }: SeedRows) {
  return {
    title: `${CONFIG.trace.name} at ${CONFIG.perDay} requests a day for each source, foresight, seed ${seed}`,
    columns: PRICE_COLUMNS,
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

/** Delays beside that of one scheduler, and the most that was spent. */
interface Beside {
  readonly byHash: number
  readonly sortedByRate: number
  readonly away: number
  readonly awayInPart: number
  readonly thereInPart: number
  readonly shares: number
  readonly busiestHour: number
  readonly busiestDay: number
}

function besideOne({ rows }: SeedRows): Beside {
  const [one, hashed, sorted, away, shares] = rows.map(({ measures }) => measures)
  if (!one || !hashed || !sorted || !away || !shares) throw new Error('a run is missing')
  const beside = (of: ClusterMeasures) => of.meanDelayMinutes / one.meanDelayMinutes
  const besideInPart = (of: ClusterMeasures) => of.partDelayMinutes / one.partDelayMinutes
  const granted = [hashed, sorted, away]
  return {
    byHash: beside(hashed),
    sortedByRate: beside(sorted),
    away: beside(away),
    awayInPart: besideInPart(away),
    thereInPart: besideInPart(sorted),
    shares: beside(shares),
    busiestHour: Math.max(...granted.map((of) => of.busiestHour)),
    busiestDay: Math.max(...granted.map((of) => of.busiestDay)),
  }
}

/** Of several seeds the worst counts. */
function claimsOf(seeds: readonly Beside[]): PaperClaim[] {
  const most = (pick: (of: Beside) => number) => roundToDigits(Math.max(...seeds.map(pick)), 4)
  const byHash = most((of) => of.byHash)
  const sortedByRate = most((of) => of.sortedByRate)
  const overall = most((of) => of.away)
  const inTheTwoDays = most((of) => of.awayInPart)
  const busiest = {
    hour: Math.max(...seeds.map((of) => of.busiestHour)),
    day: Math.max(...seeds.map((of) => of.busiestDay)),
  }
  const shares = roundToDigits(Math.min(...seeds.map((of) => of.shares)), 4)
  return [
    {
      text: 'Through grants the delay is within 5 % of one scheduler, by hash and sorted by rate',
      holds: byHash <= CONFIG.mostDelay && sortedByRate <= CONFIG.mostDelay,
      figures: { byHash, sortedByRate },
    },
    {
      text: 'With the controller away for two days it is within 10 %, of the items of these two days too',
      holds: overall <= CONFIG.mostDelayAlone && inTheTwoDays <= CONFIG.mostDelayAlone,
      figures: { overall, inTheTwoDays, controllerThere: most((of) => of.thereInPart) },
    },
    {
      text: "No day and no hour has more requests than the budget's",
      holds: busiest.hour <= 1 && busiest.day <= 1,
      figures: { busiestHour: roundToDigits(busiest.hour, 4), busiestDay: roundToDigits(busiest.day, 4) },
    },
    {
      text: 'Fixed shares of the budget are no way to do it where one has the fast sources',
      holds: shares > 1.3,
      figures: { sortedByRate: shares },
    },
  ]
}
