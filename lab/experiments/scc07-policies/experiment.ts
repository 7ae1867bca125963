import { setImmediate as turn } from 'node:timers/promises'
import { entryAt, propertyAt } from '../../../src/model/entry-at.ts'
import { type Arena, arenaOf } from '../../compare/arena.ts'
import { comparePolicy } from '../../compare/compare-policy.ts'
import { traceWorld } from '../../compare/trace-world.ts'
import type { PolicyRow } from '../../compare/types.ts'
import type { Series, Table } from '../../report/types.ts'
import { readTraceSet, type TraceSet } from '../../traces/trace-set.ts'
import type { Experiment, ExperimentOptions, PaperClaim } from '../experiment.ts'
import { differencesBySource } from './by-source.ts'
import { CONFIG, PRINTED_GAINS, PUBLISHED_FIGURES } from './config.ts'

/** Rows by policy, in the order of the budgets. */
export type Rows = Readonly<Record<string, readonly PolicyRow[]>>

export interface SetRows {
  readonly set: TraceSet
  readonly arena: Arena
  readonly perDay: readonly number[]
  readonly rows: Rows
}

export const experiment: Experiment = {
  id: 'scc07-policies',
  title: 'Uniform, scheduling, allocation, combined, and the crawling policies of CGM03, on recorded feeds',
  paper: 'SCC07 4.4 and 4.5, Figure 13, Tables 1 and 2',
  defaultSeeds: 1,
  async run(options) {
    const results: SetRows[] = []
    for (const set of CONFIG.sets)
      results.push(await measureSet(set, CONFIG.perDay, CONFIG.policies, options, results.length))
    const others: SetRows[] = []
    for (const set of CONFIG.otherSets) {
      const stream = CONFIG.sets.length + others.length
      others.push(await measureSet(set, CONFIG.otherPerDay, ORDER, options, stream))
    }
    const all = [...results, ...others]
    return {
      tables: [...results.map(tableOf), orderTable(all), ...all.flatMap(brokenOrderTables)],
      series: results.flatMap(curves),
      claims: results.flatMap(claimsOf),
      deviations: [
        'Gains depend on the collection: SCC07 watched 9,634 feeds of which a third posted daily; these traces hold a few hundred, most of them busy, so that moving requests to the busy ones gains more and the best moment of the day less.',
        ...brokenInWords(all),
        'Rates are learnt all the time over 14 days (4.2), since some sources begin after the learning phase; patterns are chosen from 12 clusters, once for scheduling alone, daily for the others.',
      ],
    }
  },
}

export async function measureSet(
  set: TraceSet,
  perDay: readonly number[],
  policies: readonly string[],
  { signal, progress }: ExperimentOptions,
  stream = 0,
): Promise<SetRows> {
  const arena = arenaOf(traceWorld(await readTraceSet(set), CONFIG.window), 1)
  const rows: Record<string, PolicyRow[]> = {}
  for (const [index, policy] of policies.entries()) {
    signal?.throwIfAborted()
    rows[policy] = perDay.map((each) => comparePolicy(arena, policy, each))
    progress?.((stream + (index + 1) / policies.length) / (CONFIG.sets.length + CONFIG.otherSets.length))
    await turn()
  }
  return { set, arena, perDay, rows }
}

/** Of SCC07 4.4, worst first. */
const ORDER = ['uniform', 'scc07-scheduling', 'scc07-allocation', 'scc07-combined'] as const

interface Break {
  readonly perDay: number
  readonly behind: PolicyRow
  readonly ahead: PolicyRow
}

/** Neighbours of the order that stand the wrong way round, budget by budget. */
function breaksOf({ perDay, rows }: SetRows): Break[] {
  return perDay.flatMap((each, index) =>
    ORDER.slice(1).flatMap((policy, k) => {
      const behind = at(rows, policy, index)
      const ahead = at(rows, entryAt(ORDER, k), index)
      return behind.meanDelayMinutes < ahead.meanDelayMinutes ? [] : [{ perDay: each, behind, ahead }]
    }),
  )
}

function orderTable(all: readonly SetRows[]): Table {
  return {
    title: 'The order on every trace: mean delay in minutes',
    columns: ['trace', 'per day', ...ORDER, 'order'],
    rows: all.flatMap((each) =>
      each.perDay.map((perDay, index) => [
        each.set.name,
        perDay,
        ...ORDER.map((policy) => at(each.rows, policy, index).meanDelayMinutes.toFixed(1)),
        breaksOf(each).some((broken) => broken.perDay === perDay) ? 'broken' : 'kept',
      ]),
    ),
  }
}

/** Which sources break the order, and what is special about them. */
function brokenOrderTables(each: SetRows): Table[] {
  return breaksOf(each).map(({ perDay, behind, ahead }) => ({
    title: `${each.set.name}, ${perDay} per day: the sources by which ${behind.policy} is behind ${ahead.policy}`,
    columns: [
      'source',
      'items a day',
      `requests a day, ${ahead.policy}`,
      behind.policy,
      `delay in minutes, ${ahead.policy}`,
      behind.policy,
      'share of the difference',
      'items within a minute of another',
      'what the learnt day tells, nats',
    ],
    rows: differencesBySource(each.arena, ahead, behind).slice(0, CONFIG.sourcesShown).map(differenceRow),
  }))
}

const differenceRow = (source: ReturnType<typeof differencesBySource>[number]) => [
  source.name,
  source.itemsPerDay.toFixed(1),
  ...source.requestsPerDay.map((value) => value.toFixed(1)),
  ...source.delayMinutes.map((value) => value.toFixed(1)),
  `${(100 * source.shareOfDifference).toFixed(0)} %`,
  `${(100 * source.inBursts).toFixed(0)} %`,
  source.patternNats.toFixed(2),
]

function brokenInWords(all: readonly SetRows[]): string[] {
  return all.flatMap((each) => {
    const broken = breaksOf(each)
    if (broken.length === 0) return []
    const cells = broken.map(
      ({ perDay, behind, ahead }) => `${behind.policy} is behind ${ahead.policy} at ${perDay} per day`,
    )
    return [
      `${each.set.name} breaks the order: ${cells.join('; ')}. The tables name the sources. ${CONFIG.why[each.set.name] ?? ''}`,
    ]
  })
}

const at = (rows: Rows, policy: string, index = 0) => entryAt(propertyAt(rows, policy), index)

function tableOf({ set, rows }: SetRows): Table {
  return {
    title: `${set.name}, one retrieval per source and day; delays in minutes (printed in brackets)`,
    columns: ['policy', 'mean', 'maximum', 'deviation', 'gain over uniform'],
    rows: CONFIG.policies.map((policy) => {
      const row = at(rows, policy)
      const { mean, max } = propertyAt(PUBLISHED_FIGURES, policy)
      return [
        policy,
        `${row.meanDelayMinutes.toFixed(0)} (${mean})`,
        `${row.maxDelayMinutes.toFixed(0)} (${max ?? 'not printed'})`,
        row.deviationMinutes.toFixed(0),
        `${(100 * gainOf(rows, policy, 0)).toFixed(1)} %`,
      ]
    }),
  }
}

function gainOf(rows: Rows, policy: string, index: number): number {
  return 1 - at(rows, policy, index).meanDelayMinutes / at(rows, 'uniform', index).meanDelayMinutes
}

function curves({ set, rows }: SetRows): Series[] {
  return CONFIG.policies.slice(0, 4).map((policy) => ({
    figure: `Figure 13, ${set.name}`,
    name: policy,
    xLabel: 'retrievals per source and day',
    yLabel: 'mean delay, minutes',
    x: [...CONFIG.perDay],
    y: propertyAt(rows, policy).map(({ meanDelayMinutes }) => meanDelayMinutes),
  }))
}

/** Also used by the test, for one set and one budget. */
export function claimsOf(measured: SetRows): PaperClaim[] {
  const { set, rows, perDay } = measured
  const broken = new Set(breaksOf(measured).map((each) => each.perDay))
  const means = Object.fromEntries(CONFIG.policies.map((policy) => [policy, at(rows, policy).meanDelayMinutes]))
  const gains = Object.fromEntries(
    Object.entries(PRINTED_GAINS).map(([policy, printed]) => [
      policy,
      `${(100 * gainOf(rows, policy, 0)).toFixed(1)} % (printed ${100 * printed} %)`,
    ]),
  )
  const longest = {
    uniform: at(rows, 'uniform').maxDelayMinutes,
    scheduling: at(rows, 'scc07-scheduling').maxDelayMinutes,
  }
  return [
    {
      text: `${set.name}: mean delay falls from uniform over scheduling and allocation to combined, at every budget`,
      holds: broken.size === 0,
      figures: { ...gains, budgetsKept: `${perDay.length - broken.size} of ${perDay.length}` },
    },
    {
      text: `${set.name}: scheduling alone waits no longer than uniform at one retrieval per day`,
      holds: Math.abs(longest.scheduling / longest.uniform - 1) < 0.005,
      figures: longest,
    },
    {
      text: `${set.name}: the optimal age policy stays behind combined; the optimal freshness policy is at least ten times worse`,
      holds:
        propertyAt(means, 'cgm03-age') > propertyAt(means, 'scc07-combined') &&
        propertyAt(means, 'cgm03-freshness') >= 10 * propertyAt(means, 'scc07-combined'),
      figures: means,
    },
  ]
}
