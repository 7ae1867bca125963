import { setImmediate as turn } from 'node:timers/promises'
import { entryAt, propertyAt } from '../../../src/model/entry-at.ts'
import { onlySatCycle } from '../../../src/refresh/strategies/only-sat.ts'
import { onlyTauCycle } from '../../../src/refresh/strategies/only-tau.ts'
import { referenceCycle } from '../../../src/refresh/strategies/reference.ts'
import { topKUtilityCycle } from '../../../src/refresh/strategies/top-k-utility.ts'
import { twoStepsCycle } from '../../../src/refresh/strategies/two-steps.ts'
import { uniformCycle } from '../../../src/refresh/strategies/uniform.ts'
import type { CycleStrategy } from '../../../src/refresh/strategy.ts'
import { type CycleOutcome, runCycles } from '../../simulator/cycles.ts'
import { KEYWORD_CYCLE_MS, keywordWorld } from '../../simulator/keyword-world.ts'
import { oracleKnowledge, oracleView, type Truth } from '../../simulator/oracle.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { claims, curveClaims, deviations } from './claims.ts'
import { BUDGETS, CURVE_BUDGETS, CURVE_SEEDS, CYCLES, PUBLISHED_FIGURES, WARMUP_CYCLES } from './config.ts'
import { type Row, tableRow } from './rows.ts'

const STRATEGIES: Readonly<Record<string, CycleStrategy<Truth, unknown>>> = {
  'two-steps': twoStepsCycle(oracleView),
  'only-tau': onlyTauCycle(oracleView),
  'top-k-utility': topKUtilityCycle(oracleView),
  'only-sat': onlySatCycle(oracleView),
  uniform: uniformCycle,
}

export const experiment: Experiment = {
  id: 'table-4.1',
  title: 'Feed completeness and window freshness of 2Steps, onlyTau, onlySat, topKUtility and uniform',
  paper: 'thesis 4.4.3, Table 4.1, Figures 4.2 and 4.3; 2010 paper, Table 2',
  defaultSeeds: 20,
  async run(options) {
    const { seeds } = options
    const curveSeeds = Math.min(seeds, CURVE_SEEDS)
    const runs = [
      ...BUDGETS.flatMap((b) => Object.entries(STRATEGIES).map(([id, strategy]) => ({ id, strategy, b, seeds }))),
      ...CURVE_BUDGETS.flatMap((b) =>
        Object.entries(CURVES).map(([id, strategy]) => ({ id, strategy, b, seeds: curveSeeds })),
      ),
    ]
    const all = await allRows(runs, options)
    const rows = all.slice(0, BUDGETS.length * Object.keys(STRATEGIES).length)
    const along = all.slice(rows.length)
    const table = {
      title: `mean of ${seeds} seeds, ${CYCLES} cycles after ${WARMUP_CYCLES} of warm-up; printed values in brackets`,
      columns: ['strategy', 'b', 'completeness', 'freshness before', 'after', '(printed)', 'cost', '(printed)'],
      rows: rows.map((row) => {
        const printed = entryAt(propertyAt(PUBLISHED_FIGURES, row.strategy), BUDGETS.indexOf(row.b as 10))
        const { strategy, b, completeness, freshnessBefore, freshnessAfter, cost } = row
        return [
          strategy,
          b,
          `${completeness.toFixed(4)} (${printed.completeness})`,
          freshnessBefore.toFixed(4),
          freshnessAfter.toFixed(4),
          printed.freshness,
          Math.round(cost),
          printed.cost,
        ]
      }),
    }
    const series = Object.keys(CURVES).flatMap((strategy) => curves(along.filter((row) => row.strategy === strategy)))
    const plain = ({ strategy, b, completeness, freshnessBefore, freshnessAfter, cost }: Row) => ({
      strategy,
      b,
      completeness,
      freshnessBefore,
      freshnessAfter,
      cost,
    })
    return {
      tables: [table],
      series,
      claims: [...claims(rows), ...curveClaims(along)],
      deviations: deviations(rows),
      json: { rows: rows.map(plain), curves: along.map(plain) },
    }
  },
}

/** Those that Figures 4.2 and 4.3 draw. */
const { 'top-k-utility': _only2010, ...DRAWN } = STRATEGIES
const CURVES: Readonly<Record<string, CycleStrategy<Truth, unknown>>> = {
  ...DRAWN,
  reference: referenceCycle as CycleStrategy<Truth, unknown>,
}

interface TableRun {
  readonly id: string
  readonly strategy: CycleStrategy<Truth, unknown>
  readonly b: number
  readonly seeds: number
}

async function allRows(runs: readonly TableRun[], { signal, progress }: Omit<ExperimentOptions, 'seeds'>) {
  const rows: Row[] = []
  const total = runs.reduce((sum, { seeds }) => sum + seeds, 0)
  let done = 0
  for (const { id, strategy, b, seeds } of runs) {
    const outcomes: CycleOutcome[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      outcomes.push(runOne(strategy, b, seed))
      progress?.(++done / total)
      await turn()
    }
    rows.push(tableRow(id, b, outcomes))
  }
  return rows
}

function runOne(strategy: CycleStrategy<Truth, unknown>, b: number, seed: number): CycleOutcome {
  const random = sourceRandom(seed, 41)
  return runCycles({
    world: keywordWorld({ cycles: WARMUP_CYCLES + CYCLES }, random),
    strategy,
    knowledge: oracleKnowledge,
    cycleMs: KEYWORD_CYCLE_MS,
    budgetPerCycle: b,
    warmupCycles: WARMUP_CYCLES,
    cycles: CYCLES,
    random,
  })
}

function curves(rows: readonly Row[]) {
  const x = rows.map(({ cost }) => cost)
  const name = entryAt(rows, 0).strategy
  const curve = (figure: string, yLabel: string, y: readonly number[]) => ({
    figure,
    name,
    xLabel: 'cost',
    yLabel,
    x,
    y,
  })
  return [
    curve(
      'Figure 4.2',
      'feed completeness',
      rows.map(({ completeness }) => completeness),
    ),
    curve(
      'Figure 4.3',
      'window freshness (after the refreshes)',
      rows.map(({ freshnessAfter }) => freshnessAfter),
    ),
  ]
}
