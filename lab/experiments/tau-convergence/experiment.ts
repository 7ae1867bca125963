import { twoStepsCycle } from '../../../src/refresh/strategies/two-steps.ts'
import { runCycles } from '../../simulator/cycles.ts'
import { KEYWORD_CYCLE_MS, type KeywordWorldOptions, keywordWorld } from '../../simulator/keyword-world.ts'
import { oracleKnowledge, oracleView } from '../../simulator/oracle.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import type { Claim, Experiment, Series } from '../experiment.ts'
import { CONFIG } from './config.ts'

interface Course {
  readonly thresholds: readonly number[]
  readonly refreshed: readonly number[]
}

export const experiment: Experiment = {
  id: 'tau-convergence',
  title: 'The refresh threshold τ settles wherever it starts, and follows a change of all rates',
  paper: 'thesis 4.3, 4.4.4, Figure 4.4',
  defaultSeeds: 5,
  async run({ seeds, signal, progress }) {
    const settled: number[][] = []
    const ratios: number[] = []
    const spending: number[] = []
    let drawn: Course[] = []
    let followed: Course | null = null
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      await Promise.resolve()
      const courses = CONFIG.firstThresholds.map((first) =>
        course({ cycles: CONFIG.cycles }, first, seed, CONFIG.budget),
      )
      settled.push(courses.map(({ thresholds }) => meanOfLast(thresholds, CONFIG.settledOver)))
      const change = changed(seed)
      ratios.push(
        meanOfLast(change.thresholds, CONFIG.settledOver) /
          meanOfLast(change.thresholds.slice(0, CONFIG.cycles), CONFIG.settledOver),
      )
      spending.push(meanOfLast(change.refreshed, CONFIG.settledOver))
      if (seed === 1) {
        drawn = courses
        followed = change
      }
      progress?.(seed / seeds)
    }
    return {
      tables: [
        {
          title: `τ over cycles ${CONFIG.cycles - CONFIG.settledOver} to ${CONFIG.cycles}, b = ${CONFIG.budget}`,
          columns: ['seed', ...CONFIG.firstThresholds.map((first) => `from ${first}`)],
          rows: settled.map((values, index) => [index + 1, ...values.map((value) => Number(value.toPrecision(4)))]),
        },
      ],
      series: [
        ...drawn.map((each, index) => curve('Figure 4.4', `τ₀ = ${CONFIG.firstThresholds[index]}`, each.thresholds)),
        curve('All rates × 10', 'τ', followed!.thresholds),
      ],
      claims: [sameBand(settled), follows(ratios, spending)],
      deviations: [
        'The tenfold change is shown with windows of 200: with windows of 10, ten times the rates of 4.4.1 fill every window in every cycle, and 2Steps then spends all of b on saturated sources and has no use for τ.',
      ],
    }
  },
}

function course(world: KeywordWorldOptions, firstThreshold: number, seed: number, budget: number): Course {
  const random = sourceRandom(seed, 44)
  const thresholds: number[] = []
  const refreshed: number[] = []
  runCycles({
    world: keywordWorld(world, random),
    strategy: twoStepsCycle(oracleView, { firstThreshold }),
    knowledge: oracleKnowledge,
    cycleMs: KEYWORD_CYCLE_MS,
    budgetPerCycle: budget,
    warmupCycles: 0,
    cycles: world.cycles,
    random,
    onCycle(cycle) {
      thresholds.push(cycle.state.threshold)
      refreshed.push(cycle.refreshed)
    },
  })
  return { thresholds, refreshed }
}

function changed(seed: number): Course {
  const { mostPerCycle, windowSize, budget, factor, afterCycles } = CONFIG.change
  const change = { atCycle: CONFIG.cycles, factor }
  return course({ cycles: CONFIG.cycles + afterCycles, mostPerCycle, windowSize, change }, 1, seed, budget)
}

function sameBand(settled: readonly (readonly number[])[]): Claim {
  const spread = Math.max(...settled.map((values) => Math.max(...values) / Math.min(...values)))
  return {
    text: `τ reaches the same band within ${CONFIG.cycles} cycles from initial values six orders of magnitude apart`,
    // Between p·b and b the rule lets τ rest, so that it stops where it enters this band: from above or from below.
    holds: spread < 2,
    figures: { largestOverSmallest: spread },
  }
}

function follows(ratios: readonly number[], spending: readonly number[]): Claim {
  const { budget } = CONFIG.change
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const spent = spending.reduce((sum, each) => sum + each, 0) / spending.length
  return {
    text: 'τ follows a tenfold change of all rates, and spending returns to b',
    holds: mean > 4 && mean < 25 && spent > 0.8 * budget && spent < 1.2 * budget,
    figures: { thresholdGrewBy: mean, refreshedPerCycle: spent, budget },
  }
}

function meanOfLast(values: readonly number[], count: number): number {
  const last = values.slice(-count)
  return last.reduce((sum, value) => sum + value, 0) / last.length
}

function curve(figure: string, name: string, y: readonly number[]): Series {
  return { figure, name, xLabel: 'cycle', yLabel: 'τ (item-cycles)', x: y.map((_, cycle) => cycle), y, log: 'y' }
}
