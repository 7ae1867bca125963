import { entryAt } from '../../../src/model/entry-at.ts'
import { type PostingPattern, smoothPattern } from '../../../src/refresh/strategies/scc07-pattern.ts'
import {
  expectedTotalDelay,
  refinedPlan,
  searchedPlan,
  stationarity,
  uniformPlan,
} from '../../../src/refresh/strategies/scc07-plan.ts'
import type { Series, Table } from '../../report/types.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { theorem1 } from './allocation.ts'
import { CONFIG } from './config.ts'

/** Example 1, Figure 4: λ = 1 in [0, 1), 0 in [1, 2). */
const EXAMPLE_1: PostingPattern = {
  period: 2,
  breaks: [0, 1, 2],
  rate: (t) => (t % 2 < 1 ? 1 : 0),
  rateBefore: (t) => (t % 2 > 0 && t % 2 <= 1 ? 1 : 0),
  cumulative: (t) => Math.floor(t / 2) + Math.min(1, t % 2),
  moment: 0.5,
}

/** Example 2, Figure 5. */
const FIGURE_5 = smoothPattern(
  1,
  (t) => 2 + 2 * Math.sin(2 * Math.PI * t),
  (t) => 2 * t + (1 - Math.cos(2 * Math.PI * t)) / Math.PI,
  1 - 1 / Math.PI,
)

export const experiment: Experiment = {
  id: 'scc07-examples',
  title: 'The worked examples of SCC07: where retrievals fall, and how many each source gets',
  paper: 'SCC07 3.1 (Theorem 1), 3.2 (Theorems 2 and 3, Examples 1 and 2, Figures 4 and 5)',
  defaultSeeds: 5,
  async run({ seeds, progress }) {
    const refined = refinedPlan(FIGURE_5, CONFIG.points)
    const searched = searchedPlan(FIGURE_5, CONFIG.points)
    progress?.(0.5)
    const allocation = theorem1(seeds)
    progress?.(1)
    return {
      tables: [plansTable(refined, searched)],
      series: figure5(refined),
      claims: [example1(), theorem2(), figure5Claim(residual(refined), residual(searched)), allocation],
    }
  },
}

const formatPlan = (plan: readonly number[]) => plan.map((at) => at.toFixed(4)).join(' ')
const delayOf = (plan: readonly number[]) => expectedTotalDelay(FIGURE_5, plan).toFixed(6)

function example1(): PaperClaim {
  const best = entryAt(refinedPlan(EXAMPLE_1, 1), 0)
  const figures = {
    best,
    delayAtBest: expectedTotalDelay(EXAMPLE_1, [best]),
    delayAtStart: expectedTotalDelay(EXAMPLE_1, [0]),
  }
  const holds =
    Math.abs(best - 1) < 1e-9 &&
    Math.abs(figures.delayAtBest - 0.5) < 1e-9 &&
    Math.abs(figures.delayAtStart - 1.5) < 1e-9
  return { text: 'Example 1: retrieved right after the activity the delay is 1/2, right before it 3/2', holds, figures }
}

function theorem2(): PaperClaim {
  const at = entryAt(refinedPlan(FIGURE_5, 1), 0)
  return {
    text: 'Theorem 2: a single retrieval falls where the rate comes down through its mean',
    holds: Math.abs(FIGURE_5.rate(at) - 2) < 1e-6 && FIGURE_5.rate(at + 1e-3) < 2,
    figures: { at, rateThere: FIGURE_5.rate(at), meanRate: 2 },
  }
}

function figure5Claim(refined: number, searched: number): PaperClaim {
  return {
    text: 'Figure 5: both methods end where equation 2 holds to 1e-6',
    holds: refined < 1e-6 && searched < 1e-6,
    figures: { refined, searched },
  }
}

function figure5(plan: readonly number[]): Series[] {
  const x = Array.from({ length: 101 }, (_, k) => k / 100)
  const common = { figure: 'Figure 5', xLabel: 'time', yLabel: 'λ(t)' }
  return [
    { ...common, name: 'λ(t) = 2 + 2 sin 2πt', x, y: x.map(FIGURE_5.rate) },
    { ...common, name: 'retrievals', x: plan, y: plan.map(FIGURE_5.rate), style: 'points' },
  ]
}

const residual = (plan: readonly number[]) => Math.max(...stationarity(FIGURE_5, plan).map(Math.abs))

function plansTable(refined: readonly number[], searched: readonly number[]): Table {
  const uniform = uniformPlan(FIGURE_5, 6, 0.5)
  return {
    title: 'six retrievals for λ(t) = 2 + 2 sin 2πt',
    columns: ['method', 'retrieval points', 'delay', 'largest residual of equation 2'],
    rows: [
      ['uniform intervals', formatPlan(uniform), delayOf(uniform), ''],
      ['iterative refinement', formatPlan(refined), delayOf(refined), residual(refined).toExponential(1)],
      ['exhaustive search', formatPlan(searched), delayOf(searched), residual(searched).toExponential(1)],
    ],
  }
}
