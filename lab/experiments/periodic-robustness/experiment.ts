import { entryAt } from '../../../src/model/entry-at.ts'
import { fixedAlpha, periodic } from '../../../src/refresh/estimators/index.ts'
import type { Series } from '../../report/types.ts'
import type { Experiment, ExperimentResult, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'
import { halvingWeeks, meanOfEach, type Robustness, robustness, threeShapesSource } from './measure.ts'

interface Outcome {
  readonly refreshHours: number
  readonly alpha: number
  readonly distances: readonly number[]
  readonly halving: readonly number[]
  readonly firstSeed: Robustness
}

export const experiment: Experiment = {
  id: 'periodic-robustness',
  title: 'How soon a periodic model follows a change of behaviour',
  paper: 'thesis 7.3.2, Figures 7.6 and 7.7',
  defaultSeeds: 5,
  async run({ seeds, signal, progress }) {
    const outcomes: Outcome[] = []
    for (const [index, refreshHours] of CONFIG.refreshHours.entries()) {
      signal?.throwIfAborted()
      outcomes.push(await bestOutcome(refreshHours, seeds))
      progress?.((index + 1) / CONFIG.refreshHours.length)
    }
    return resultOf(outcomes)
  },
}

/** The α whose mean distance over all weeks is least, as 7.3.1 chooses it. */
async function bestOutcome(refreshHours: number, seeds: number): Promise<Outcome> {
  let best: Outcome | null = null
  for (const alpha of CONFIG.alphas) {
    // Others may run between two measurements.
    await Promise.resolve()
    const outcome = outcomeOf(refreshHours, alpha, seeds)
    if (best === null || mean(outcome.distances) < mean(best.distances)) best = outcome
  }
  return best!
}

function outcomeOf(refreshHours: number, alpha: number, seeds: number): Outcome {
  const runs = Array.from({ length: seeds }, (_, index) => {
    const source = threeShapesSource(CONFIG, index + 1)
    return robustness(source, periodic({ alpha: fixedAlpha(alpha) }), refreshHours, CONFIG, index + 1)
  })
  const distances = meanOfEach(runs.map((run) => run.distances))
  const halving = halvingWeeks(distances, meanOfEach(runs.map((run) => run.shocks)), CONFIG.weeksPerPhase)
  return { refreshHours, alpha, distances, halving, firstSeed: entryAt(runs, 0) }
}

function resultOf(outcomes: readonly Outcome[]): ExperimentResult {
  const [often, rarely] = [entryAt(outcomes, 0), outcomes.at(-1)!]
  return {
    tables: [
      {
        title: 'Weeks until the distance is halved after a change',
        columns: ['refreshed every', 'best α', ...changes(), 'mean distance'],
        rows: outcomes.map(({ refreshHours, alpha, halving, distances }) => [
          `${refreshHours} h`,
          alpha,
          ...halving.map(weeksInWords),
          round(mean(distances)),
        ]),
      },
    ],
    series: [...outcomes.map(distanceSeries), ...outcomes.flatMap(modelSeries)],
    claims: changes().map((change, index) =>
      halvesSooner(change, entryAt(often.halving, index), entryAt(rarely.halving, index)),
    ),
    deviations: [
      'The artificial source is drawn, not cut from three real feeds; its shapes are those of Figure 6.5.',
      'At 24 hours our distances stay high rather than diverge: the slots keep a floor, and every day sums to one item.',
    ],
  }
}

function halvesSooner(change: string, often: number, rarely: number): PaperClaim {
  return {
    text: `After ${change} the distance halves clearly sooner (at most half the time) at 1-hour than at 24-hour refreshes`,
    holds: Number.isFinite(often) && often * 2 <= rarely,
    figures: { 'weeks at 1 h': weeksInWords(often), 'weeks at 24 h': weeksInWords(rarely) },
  }
}

function changes(): string[] {
  return CONFIG.phases.slice(1).map((shape, index) => `${CONFIG.phases[index]} → ${shape}`)
}

function distanceSeries({ refreshHours, distances }: Outcome): Series {
  return {
    figure: '7.7: distance between real and estimated daily model',
    name: `every ${refreshHours} h`,
    xLabel: 'week',
    yLabel: 'distance',
    x: distances.map((_, index) => index + 1),
    y: distances.map(round),
  }
}

function modelSeries({ refreshHours, firstSeed }: Outcome): Series[] {
  return firstSeed.models.flatMap(({ estimated, real }, phase) => {
    const common = {
      figure: `7.6: ${CONFIG.phases[phase]}, after ${(phase + 1) * CONFIG.weeksPerPhase} weeks, refreshed every ${refreshHours} h`,
      xLabel: 'hour of the day',
      yLabel: 'share of the day',
      x: estimated.map((_, hour) => hour),
    }
    return [
      { ...common, name: 'real', y: real.map(round) },
      { ...common, name: 'estimated', y: estimated.map(round) },
    ]
  })
}

function weeksInWords(weeks: number): number | string {
  return Number.isFinite(weeks) ? Math.round(weeks * 10) / 10 : `more than ${CONFIG.weeksPerPhase}`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
