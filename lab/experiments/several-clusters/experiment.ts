import { entryAt } from '../../../src/model/entry-at.ts'
import { MINUTE_MS } from '../../../src/model/index.ts'
import type { Table } from '../../report/types.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import {
  type ClusterMove,
  type ClustersRow,
  type Crossing,
  clustersSetup,
  measureBudgets,
  measureCrossing,
  measureMoves,
  readersWaitMinutes,
} from './measure.ts'

export const experiment: Experiment = {
  id: 'several-clusters',
  title: 'Several clusters as one: sites divided by hash, items across only where they are read',
  paper: 'thesis, Perspectives: distributed network; our own promise (docs/decisions/0126)',
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const runs: ClustersRun[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      await Promise.resolve()
      const setup = clustersSetup(seed)
      runs.push({ rows: measureBudgets(setup), crossing: measureCrossing(setup), moves: measureMoves(setup) })
      progress?.(seed / seeds)
    }
    const first = entryAt(runs, 0)
    return {
      tables: [budgetTable(first.rows), crossingTable(first), moveTable(first.moves)],
      series: [],
      claims: [sameDelay(runs), littleCrosses(runs), fewMove(runs)],
    }
  },
}

interface ClustersRun {
  readonly rows: readonly ClustersRow[]
  readonly crossing: Crossing
  readonly moves: readonly ClusterMove[]
}

function budgetTable(rows: readonly ClustersRow[]): Table {
  return {
    title: `${CONFIG.sources} sources, ${CONFIG.perDay} requests a day for each, foresight; each cluster with its share of the budget`,
    columns: ['clusters', 'delay, min', 'lost', 'spent'],
    rows: rows.map(({ name, delayMinutes, lostShare, spent }) => [
      name,
      roundToDigits(delayMinutes, 2),
      roundToDigits(lostShare, 4),
      roundToDigits(spent),
    ]),
  }
}

function crossingTable({ rows, crossing }: ClustersRun): Table {
  const { ownPerDay, mostOwnPerDay, crossPerDay, mostCrossPerDay, byFormula, crossedShare } = crossing
  const { delayMinutes } = entryAt(rows, 1)
  const wait = (hopMs: number) => roundToDigits(readersWaitMinutes(delayMinutes, crossedShare, hopMs), 2)
  return {
    title: `Items a day and cluster where the readers of each want ${100 * CONFIG.selectivity} % of everything`,
    columns: ['figure', 'mean', 'most'],
    rows: [
      ['fetched from its sites', roundToDigits(ownPerDay, 1), roundToDigits(mostOwnPerDay, 1)],
      ['from the other clusters', roundToDigits(crossPerDay, 1), roundToDigits(mostCrossPerDay, 1)],
      ['by s·r·(k−1)/k', roundToDigits(byFormula, 1), '–'],
      ['readers wait, pushed, min', wait(CONFIG.pushMs), '–'],
      [`readers wait, polled every ${CONFIG.polledEveryMs / MINUTE_MS} min`, wait(CONFIG.polledEveryMs / 2), '–'],
    ],
  }
}

function moveTable(moves: readonly ClusterMove[]): Table {
  return {
    title: 'Sources that get another cluster',
    columns: ['change', 'of all', 'between clusters that stay'],
    rows: moves.map(({ name, moved, needless }) => [name, roundToDigits(moved), roundToDigits(needless)]),
  }
}

function sameDelay(runs: readonly ClustersRun[]): PaperClaim {
  const beside = (place: number) =>
    Math.max(...runs.map(({ rows }) => entryAt(rows, place).delayMinutes / entryAt(rows, 0).delayMinutes))
  const [byHash, sortedByRate] = [roundToDigits(beside(1)), roundToDigits(beside(2))]
  return {
    text: `Fixed shares of one budget, sites divided by hash: at most ${CONFIG.mostDelay} of the delay of one cluster for all`,
    holds: byHash <= CONFIG.mostDelay,
    figures: { byHash, sortedByRate },
  }
}

function littleCrosses(runs: readonly ClustersRun[]): PaperClaim {
  const apart = Math.max(
    ...runs.map(({ crossing: { crossPerDay, byFormula } }) => Math.abs(crossPerDay / byFormula - 1)),
  )
  const load = Math.max(...runs.map(({ crossing: { crossPerDay, ownPerDay } }) => crossPerDay / ownPerDay))
  return {
    text: 'What crosses is what is read: s·r·(k−1)/k items, beside r/k of its own in each cluster',
    holds: apart <= CONFIG.mostApart,
    figures: { apart: roundToDigits(apart, 4), besideItsOwn: roundToDigits(load) },
  }
}

function fewMove(runs: readonly ClustersRun[]): PaperClaim {
  const moves = runs.flatMap(({ moves: all }) => all)
  const most = roundToDigits(Math.max(...moves.map(({ moved }) => moved)))
  const needless = Math.max(...moves.map((move) => move.needless))
  return {
    text: 'A cluster that joins or leaves moves its own share of the sites and no other',
    holds: needless === 0 && most < 1.5 / CONFIG.clusters,
    figures: { most, needless },
  }
}
