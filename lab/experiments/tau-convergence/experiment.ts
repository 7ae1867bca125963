import { entryAt } from '../../../src/model/entry-at.ts'
import { twoStepsCycle } from '../../../src/refresh/strategies/two-steps.ts'
import { THESIS_THRESHOLD, type ThresholdRule } from '../../../src/refresh/threshold.ts'
import type { Series } from '../../report/types.ts'
import { runCycles } from '../../simulator/cycles.ts'
import { KEYWORD_CYCLE_MS, type KeywordWorldOptions, keywordWorld } from '../../simulator/keyword-world.ts'
import { oracleKnowledge, oracleView } from '../../simulator/oracle.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'

/** The values of τ, kept fixed, at which 2Steps refreshes between p·b and b sources: where Algorithm 4.2 lets it rest. */
interface Band {
  readonly low: number
  readonly high: number
}

interface Convergence {
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
    const bands: Band[] = []
    const arrivals: number[] = []
    const spent: number[] = []
    const ratios: number[] = []
    const spending: number[] = []
    let curves: Convergence[] = []
    let followed: Convergence | null = null
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      await Promise.resolve()
      const courses = CONFIG.firstThresholds.map((first) =>
        convergence({ cycles: CONFIG.cycles }, first, seed, CONFIG.budget),
      )
      const band = restingBand(seed)
      bands.push(band)
      settled.push(courses.map(({ thresholds }) => meanOfLast(thresholds, CONFIG.settledOver)))
      arrivals.push(...courses.map(({ thresholds }) => arrivesAt(thresholds, band)))
      spent.push(...courses.map(({ refreshed }) => meanOfLast(refreshed, CONFIG.settledOver)))
      const change = changed(seed)
      ratios.push(
        meanOfLast(change.thresholds, CONFIG.settledOver) /
          meanOfLast(change.thresholds.slice(0, CONFIG.cycles), CONFIG.settledOver),
      )
      spending.push(meanOfLast(change.refreshed, CONFIG.settledOver))
      if (seed === 1) {
        curves = courses
        followed = change
      }
      progress?.(seed / seeds)
    }
    return {
      tables: [
        {
          title: `τ over cycles ${CONFIG.cycles - CONFIG.settledOver} to ${CONFIG.cycles}, b = ${CONFIG.budget}`,
          columns: ['seed', ...CONFIG.firstThresholds.map((first) => `from ${first}`), 'band from', 'to'],
          rows: settled.map((values, index) => [
            index + 1,
            ...[...values, entryAt(bands, index).low, entryAt(bands, index).high].map((value) =>
              Number(value.toPrecision(4)),
            ),
          ]),
        },
      ],
      series: [
        ...curves.map((each, index) => curve('Figure 4.4', `τ₀ = ${CONFIG.firstThresholds[index]}`, each.thresholds)),
        curve('All rates × 10', 'τ', followed!.thresholds),
      ],
      claims: [sameBand(settled, bands, arrivals), converged(spent), follows(ratios, spending)],
      deviations: [
        bandInWords(settled, bands),
        'The tenfold change is shown with windows of 200: with windows of 10, ten times the rates of 4.4.1 fill every window in every cycle, and 2Steps then spends all of b on saturated sources and has no use for τ.',
      ],
    }
  },
}

function convergence(
  world: KeywordWorldOptions,
  firstThreshold: number,
  seed: number,
  budget: number,
  rule: ThresholdRule | null = THESIS_THRESHOLD,
): Convergence {
  const random = sourceRandom(seed, 44)
  const thresholds: number[] = []
  const refreshed: number[] = []
  runCycles({
    world: keywordWorld(world, random),
    strategy: twoStepsCycle(oracleView, { firstThreshold, rule }),
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

function changed(seed: number): Convergence {
  const { mostPerCycle, windowSize, budget, factor, afterCycles } = CONFIG.change
  const change = { atCycle: CONFIG.cycles, factor }
  return convergence({ cycles: CONFIG.cycles + afterCycles, mostPerCycle, windowSize, change }, 1, seed, budget)
}

function restingBand(seed: number): Band {
  const { budget } = CONFIG
  return { low: thresholdFor(budget, seed), high: thresholdFor(THESIS_THRESHOLD.share * budget, seed) }
}

/** The τ that, kept fixed, leads to so many refreshes a cycle; they fall as it rises. */
function thresholdFor(perCycle: number, seed: number): number {
  let low = Math.log(Math.min(...CONFIG.firstThresholds))
  let high = Math.log(Math.max(...CONFIG.firstThresholds))
  for (let step = 0; step < CONFIG.bandSteps; step++) {
    const middle = (low + high) / 2
    const fixed = convergence({ cycles: CONFIG.cycles }, Math.exp(middle), seed, CONFIG.budget, null)
    if (meanOfLast(fixed.refreshed, CONFIG.cycles / 2) > perCycle) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}

/** First cycle in which τ is within its band. */
function arrivesAt(thresholds: readonly number[], { low, high }: Band): number {
  const cycle = thresholds.findIndex((threshold) => threshold >= low && threshold <= high)
  return cycle < 0 ? Number.POSITIVE_INFINITY : cycle
}

/** One step of the rule on either side: a cycle with one source more or less moves τ out and back. */
const ONE_STEP = THESIS_THRESHOLD.increase

function sameBand(
  settled: readonly (readonly number[])[],
  bands: readonly Band[],
  arrivals: readonly number[],
): PaperClaim {
  const within = settled.every((values, seed) =>
    values.every(
      (value) => value >= entryAt(bands, seed).low / ONE_STEP && value <= entryAt(bands, seed).high * ONE_STEP,
    ),
  )
  const latest = Math.max(...arrivals)
  const ended = settled.filter((_, seed) => hasEnd(entryAt(bands, seed)))
  const endless = settled.filter((_, seed) => !hasEnd(entryAt(bands, seed)))
  return {
    text: `τ reaches the same band within ${CONFIG.cycles} cycles from initial values six orders of magnitude apart`,
    holds: within && latest < CONFIG.cycles && largestSpread(ended) < CONFIG.mostSpread,
    figures: {
      latestArrival: latest,
      largestOverSmallest: largestSpread(ended),
      bandsWithoutEnd: endless.length,
      largestOverSmallestThere: largestSpread(endless),
    },
  }
}

/** 4.4.1: "τ is considered to have converged" when between 90 % of b and b sources are refreshed. */
function converged(spent: readonly number[]): PaperClaim {
  const { budget } = CONFIG
  return {
    text: 'from each of them 2Steps then refreshes between p·b and b sources a cycle, by which the thesis calls τ converged',
    holds: spent.every((each) => each >= THESIS_THRESHOLD.share * budget && each <= budget),
    figures: { least: Math.min(...spent), most: Math.max(...spent), budget },
  }
}

/** False where saturated sources alone use up p·b, so that no τ is too high. */
function hasEnd({ high }: Band): boolean {
  return high < 0.9 * Math.max(...CONFIG.firstThresholds)
}

function bandInWords(settled: readonly (readonly number[])[], bands: readonly Band[]): string {
  const widths = bands.filter(hasEnd).map(({ low, high }) => high / low)
  const ended = settled.filter((_, seed) => hasEnd(entryAt(bands, seed)))
  const endless = settled.filter((_, seed) => !hasEnd(entryAt(bands, seed)))
  const there =
    endless.length === 0
      ? ''
      : ` In ${endless.length} of ${bands.length} worlds the band has no upper end: saturated sources alone use up p·b on average, and what τ is hardly matters. Coming from above, τ then falls only in the few cycles with less to refresh, and the values reached after ${CONFIG.cycles} cycles differ by a factor of up to ${largestSpread(endless).toFixed(1)}.`
  return `Algorithm 4.2 lets τ rest wherever between p·b and b sources are refreshed, so it stops where it enters that band, from above or from below, and not at one value. Kept fixed, τ refreshes so many over a band whose ends differ by a factor of ${Math.min(...widths).toFixed(2)} to ${Math.max(...widths).toFixed(2)}; the values reached from different starts differ by ${largestSpread(ended).toFixed(2)} at most.${there}`
}

function largestSpread(settled: readonly (readonly number[])[]): number {
  return Math.max(1, ...settled.map((values) => Math.max(...values) / Math.min(...values)))
}

function follows(ratios: readonly number[], spending: readonly number[]): PaperClaim {
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
