import { setImmediate as turn } from 'node:timers/promises'
import { entryAt, propertyAt } from '../../../src/model/entry-at.ts'
import type { Series, Table } from '../../report/types.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { claimsOf, type WorldResult } from './claims.ts'
import { CONFIG } from './config.ts'
import { type Quality, qualityOf } from './measure.ts'
import { drawnWorld, type NamedWorld, recordedWorlds } from './worlds.ts'

const WAYS = CONFIG.ways.map(([name]) => name)

export const experiment: Experiment = {
  id: 'learning-ways',
  title: 'Ways of learning where bandwidth is scarce: online, separate, frozen, repeated',
  paper: 'thesis 7.3.4',
  defaultSeeds: 1,
  async run(options) {
    const bySeed: WorldResult[][] = []
    for (let seed = 1; seed <= options.seeds; seed++)
      bySeed.push(await compareWays(await worldsOf(seed), seed, options))
    const results = entryAt(bySeed, 0).map((_, index) => meanOf(bySeed.map((one) => entryAt(one, index))))
    const absent = CONFIG.traces.filter(({ name }) => !results.some((result) => result.name === name))
    return {
      tables: results.map(waysTable),
      series: results.flatMap(seriesOf),
      claims: claimsOf(results),
      deviations: [
        'Online estimation is not as unreliable here as the thesis finds: our models count what was lost and know full windows, and an alarm looks again at feeds that overflow, whatever the way of learning.',
        'Where the others win: separate has items sooner on rss-2024 at one and two refreshes a day; repeated on feeds that change at one refresh in two days or less; freeze ×4 loses least on feeds that do not change at one in four days. Where they lose: separate by a fifth of the budget, which is dear below one refresh a day; freeze on every feed that changes; repeated while a period lasts.',
        ...absent.map(({ name }) => `${name} was skipped: its trace is not in ../shared/traces.`),
      ],
    }
  },
}

async function worldsOf(seed: number): Promise<readonly NamedWorld[]> {
  return [drawnWorld('steady', seed), drawnWorld('changing', seed), ...(await recordedWorlds(seed))]
}

export async function compareWays(
  worlds: readonly NamedWorld[],
  seed: number,
  { signal, progress, seeds }: ExperimentOptions,
  budgets: readonly number[] = CONFIG.perDay,
): Promise<WorldResult[]> {
  const results: WorldResult[] = []
  let done = (seed - 1) * worlds.length * WAYS.length
  for (const { name, world } of worlds) {
    const ways: Record<string, Quality[]> = {}
    for (const [way, plan] of CONFIG.ways) {
      signal?.throwIfAborted()
      ways[way] = budgets.map((perDay) => qualityOf(world, plan, perDay, seed))
      progress?.(++done / (seeds * worlds.length * WAYS.length))
      await turn()
    }
    results.push({ name, budgets, ways })
  }
  return results
}

function meanOf(results: readonly WorldResult[]): WorldResult {
  const { name, budgets } = entryAt(results, 0)
  const mean = (way: string, index: number, read: (quality: Quality) => number) =>
    results.reduce((sum, { ways }) => sum + read(entryAt(propertyAt(ways, way), index)), 0) / results.length
  const ways = Object.fromEntries(
    WAYS.map((way) => [
      way,
      budgets.map((_, index) => ({
        delay: mean(way, index, ({ delay }) => delay),
        completeness: mean(way, index, ({ completeness }) => completeness),
        spent: mean(way, index, ({ spent }) => spent),
      })),
    ]),
  )
  return { name, budgets, ways }
}

export function waysTable({ name, budgets, ways }: WorldResult): Table {
  return {
    title: `${name}: mean delay in minutes / completeness / spent of the budget`,
    columns: ['refreshes per source and day', ...WAYS],
    rows: budgets.map((perDay, index) => [
      perDay,
      ...WAYS.map((way) => {
        const { delay, completeness, spent } = entryAt(propertyAt(ways, way), index)
        return `${delay.toFixed(0)} / ${completeness.toFixed(3)} / ${spent.toFixed(2)}`
      }),
    ]),
  }
}

function seriesOf({ name, budgets, ways }: WorldResult): Series[] {
  const curves = (yLabel: string, read: (quality: Quality) => number) =>
    WAYS.map((way) => ({
      figure: `7.3.4, ${name}, ${yLabel}`,
      name: way,
      xLabel: 'refreshes per source and day',
      yLabel,
      x: budgets,
      y: propertyAt(ways, way).map(read),
    }))
  return [
    ...curves('mean delay, minutes', ({ delay }) => delay),
    ...curves('completeness', ({ completeness }) => completeness),
  ]
}
