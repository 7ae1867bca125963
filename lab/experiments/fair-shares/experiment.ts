import type { Table } from '../../report/types.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { type FairShareMeasures, type FairShareSetup, measureFairShares } from './measure.ts'
import { GREEDS, type Greed, MANY, OF_INTERVAL, othersOf } from './scenes.ts'
import type { PayingMember } from './world.ts'

/** How the others fare beside one way of being greedy. */
interface Row {
  readonly strategy: string
  readonly name: string
  /** Mean delay of the others' items, minutes: alone with a quarter of the budget, and here. */
  readonly alone: number
  readonly here: number
  /** The worst of the others, here beside alone. */
  readonly worst: number
  /** The fewest refreshes of the others, here beside alone. */
  readonly fewest: number
  readonly greedyShare: number
  readonly spent: number
}

interface Alone {
  readonly delay: number
  readonly requests: number
}

/** Whatever does not ask by hand. */
const GREEDS_OF_CLUSTERS = GREEDS.filter(({ name }) => !name.includes('by hand'))
const STRATEGIES = ['foresight', 'two-steps'] as const

export const experiment: Experiment = {
  id: 'fair-shares',
  title: 'One greedy member of four: the others fare as with a quarter of the budget, and nothing is left unspent',
  paper: "the node's own promise (docs/decisions/0063)",
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const rows: Row[] = []
    const needLittle: Row[] = []
    const without: Row[] = []
    const overCrawlers: Row[] = []
    const total = seeds * (STRATEGIES.length + GREEDS_OF_CLUSTERS.length)
    let done = 0
    for (let seed = 1; seed <= seeds; seed++) {
      for (const strategy of STRATEGIES) {
        const others = othersOf(CONFIG.modest.sources, seed)
        const alone = aloneOf(others, strategy)
        for (const greed of GREEDS) {
          signal?.throwIfAborted()
          await Promise.resolve()
          rows.push(rowOf(greed, others, alone, { strategy, seed }))
        }
        without.push(rowOf(OF_INTERVAL, others, alone, { strategy, seed, together: true }))
        const few = othersOf(CONFIG.little, seed)
        needLittle.push(rowOf(MANY, few, aloneOf(few, strategy), { strategy, seed }))
        progress?.(++done / total)
      }
      const { crawlers, strategy } = CONFIG.cluster
      const others = othersOf(CONFIG.modest.sources, seed)
      const alone = aloneOf(others, strategy)
      for (const greed of GREEDS_OF_CLUSTERS) {
        signal?.throwIfAborted()
        await Promise.resolve()
        overCrawlers.push(rowOf(greed, others, alone, { strategy, seed, crawlers }))
        progress?.(++done / total)
      }
    }
    return {
      tables: [
        tableOf('The others beside one greedy member of four', rows),
        tableOf(`The others have ${CONFIG.little} sources each, the greedy one 1,000`, needLittle),
        tableOf(`Over ${CONFIG.cluster.crawlers} crawlers with one budget`, overCrawlers),
        tableOf('As it was: one price for all, ten sources of interval 1 s', without),
      ],
      series: [],
      claims: [
        isFair(rows),
        isFairInCluster(overCrawlers),
        isSpent([...rows, ...needLittle, ...overCrawlers]),
        getsTheRest(needLittle),
        matters(without),
      ],
    }
  },
}

function aloneOf(others: readonly PayingMember[], strategy: string): ReadonlyMap<number, Alone> {
  const part = 1 / (CONFIG.modest.members + 1)
  return new Map(
    others.map((member) => {
      const { delays, requests } = measureFairShares({ members: [member], part, strategy })
      return [member.payer, { delay: delays.get(member.payer)!, requests: requests.get(member.payer)! }]
    }),
  )
}

interface RowOptions {
  readonly strategy: string
  readonly seed: number
  readonly together?: boolean
  readonly crawlers?: number
}

function rowOf(
  greed: Greed,
  others: readonly PayingMember[],
  alone: ReadonlyMap<number, Alone>,
  { strategy, seed, together = false, crawlers }: RowOptions,
): Row {
  const greedy = greed.greedy(seed)
  const scene: FairShareSetup = {
    members: [...others, greedy],
    part: 1,
    strategy,
    together,
    ...(crawlers === undefined ? {} : { crawlers }),
    ...greed.scene(greedy, others),
  }
  const measured = measureFairShares(scene)
  const ratios = others.map(({ payer }) => measured.delays.get(payer)! / alone.get(payer)!.delay)
  const requests = others.map(({ payer }) => measured.requests.get(payer)! / alone.get(payer)!.requests)
  return {
    strategy,
    name: greed.name,
    alone: mean([...alone.values()].map(({ delay }) => delay)),
    here: mean(others.map(({ payer }) => measured.delays.get(payer)!)),
    worst: Math.max(...ratios),
    fewest: Math.min(...requests),
    greedyShare: shareOf(measured, greedy.payer),
    spent: measured.spent,
  }
}

function shareOf({ requests }: FairShareMeasures, payer: number): number {
  return requests.get(payer)! / [...requests.values()].reduce((sum, count) => sum + count, 0)
}

function tableOf(title: string, rows: readonly Row[]): Table {
  return {
    title,
    columns: [
      'strategy',
      'the greedy one has',
      'alone, min',
      'here, min',
      'worst ratio',
      'fewest requests',
      'greedy share',
      'spent',
    ],
    rows: rows.map(({ strategy, name, alone, here, worst, fewest, greedyShare, spent }) => [
      strategy,
      name,
      ...[alone, here, worst, fewest, greedyShare, spent].map((value) => roundToDigits(value)),
    ]),
  }
}

function isFair(rows: readonly Row[]): PaperClaim {
  const worst = Math.max(...rows.map((row) => row.worst))
  return {
    text: "The others' delay is within 10 % of what a quarter of the budget gives them, whatever the greedy one does",
    holds: worst <= CONFIG.mostDelay,
    figures: { worstRatio: roundToDigits(worst) },
  }
}

function isFairInCluster(rows: readonly Row[]): PaperClaim {
  const worst = Math.max(...rows.map((row) => row.worst))
  return {
    text: `Over ${CONFIG.cluster.crawlers} crawlers it is within 15 %, and the greedy one has no more than its part`,
    holds: worst <= CONFIG.mostDelayInCluster && rows.every(({ greedyShare }) => greedyShare < 0.3),
    figures: { worstRatio: roundToDigits(worst) },
  }
}

function isSpent(rows: readonly Row[]): PaperClaim {
  const least = Math.min(...rows.map(({ spent }) => spent))
  return {
    text: 'Nothing is left unspent that somebody could use',
    holds: least >= CONFIG.leastSpent,
    figures: { leastSpent: roundToDigits(least) },
  }
}

/** Too few items for a mean delay: refreshes are counted. */
function getsTheRest(rows: readonly Row[]): PaperClaim {
  const share = Math.min(...rows.map(({ greedyShare }) => greedyShare))
  const fewest = Math.min(...rows.map((row) => row.fewest))
  return {
    text: 'Where the others need little they get it, and the greedy one has the rest',
    holds: share > 0.35 && fewest > 0.9,
    figures: { greedyShare: roundToDigits(share), fewestRequests: roundToDigits(fewest) },
  }
}

function matters(rows: readonly Row[]): PaperClaim {
  const least = Math.min(...rows.map(({ worst }) => worst))
  return {
    text: 'Without shares the others are starved',
    holds: least > 2,
    figures: { worstRatio: roundToDigits(least) },
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
