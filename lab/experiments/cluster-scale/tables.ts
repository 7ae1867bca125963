import type { Table } from '../../report/types.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { ratioOf, type SceneFigures, type SceneRun } from './measure.ts'
import type { UnitCosts } from './unit-costs.ts'

export function runTable(runs: readonly SceneRun[]): Table {
  return {
    title: 'One scheduler, and crawlers of which one is restarted and one killed',
    columns: [
      'world',
      'crawlers',
      'delay, min',
      'of one scheduler',
      'lost',
      'spent',
      'busiest hour',
      'busiest day',
      'draws/s',
    ],
    rows: runs.flatMap((run) => {
      const { scene, one, crawlers } = run
      const cells = (of: SceneFigures) =>
        [of.lostShare, of.spent, of.busiestHour, of.busiestDay].map((value) => roundToDigits(value, 4))
      return [
        [scene.name, 1, roundToDigits(one.delayMinutes, 2), 1, ...cells(one), '–'],
        [
          scene.name,
          scene.crawlers,
          roundToDigits(crawlers.delayMinutes, 2),
          roundToDigits(ratioOf(run), 4),
          ...cells(crawlers),
          roundToDigits(crawlers.drawsPerSecond, 2),
        ],
      ]
    }),
  }
}

export function handOverTable(runs: readonly SceneRun[]): Table {
  return {
    title: 'Hand-overs: one leaves for a minute and comes back, one is killed and comes back after three hours',
    columns: [
      'world',
      'changes',
      'shards moved',
      'sources moved',
      'longest without an owner, s',
      'too soon to a site',
      'sources lost',
      'with two owners',
    ],
    rows: runs.map(({ scene, crawlers: { handOvers } }) => [
      scene.name,
      handOvers.changes,
      handOvers.shards,
      handOvers.sources,
      handOvers.longestMs / 1_000,
      handOvers.tooSoon,
      handOvers.lost,
      handOvers.doubled,
    ]),
  }
}

const MEMORY_TITLE = 'Memory of a source, bytes'

export function memoryTable(runs: readonly SceneRun[], heap: number, { crawler }: UnitCosts): Table {
  const columns = runs.map(({ crawlers }) => crawlers.schedulerBytesPerSource)
  return {
    title: MEMORY_TITLE,
    columns: ['what', 'bytes'],
    rows: [
      ['columns of the schedulers', Math.round(Math.max(...columns))],
      ['heap of one scheduler with all of the sample', Math.round(heap)],
      ['heap of a whole crawler (unit-costs.json)', crawler.heapBytesPerSource],
    ],
  }
}
