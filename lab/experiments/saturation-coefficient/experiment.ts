import { HOUR_MS, saturationCoefficient } from '../../../src/model/index.ts'
import type { Series } from '../../report/types.ts'
import { poissonTimes } from '../../simulator/poisson.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { SourceRun } from '../../simulator/source-run.ts'
import { simSource } from '../../simulator/world.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'

interface Point {
  readonly rate: number
  readonly refreshes: number
  readonly formula: number
  readonly steady: number
  readonly poisson: number
}

export const experiment: Experiment = {
  id: 'saturation-coefficient',
  title: 'Share of items lost from a window of 10, by publication and refresh rate',
  paper: 'thesis 2.1.2, Definition 2.1.7, Figure 2.3',
  defaultSeeds: 3,
  async run({ seeds, signal, progress }) {
    const points: Point[] = []
    for (const refreshes of CONFIG.refreshesPerHour) {
      for (const rate of CONFIG.ratesPerHour) {
        signal?.throwIfAborted()
        points.push(pointAt(rate, refreshes, seeds))
        progress?.(points.length / (CONFIG.refreshesPerHour.length * CONFIG.ratesPerHour.length))
        await Promise.resolve()
      }
    }
    return {
      tables: [
        {
          title: 'share lost, W = 10',
          columns: ['λ per hour', 'r per hour', 'coefficient', 'steady publisher', 'Poisson'],
          rows: points.map((point) => [
            point.rate,
            point.refreshes,
            ...[point.formula, point.steady, point.poisson].map((share) => share.toFixed(3)),
          ]),
        },
      ],
      series: CONFIG.refreshesPerHour.flatMap((refreshes): Series[] => {
        const line = points.filter((point) => point.refreshes === refreshes)
        const x = line.map(({ rate }) => rate)
        const common = { figure: 'Figure 2.3', xLabel: 'λ per hour', yLabel: 'share lost', x }
        return [
          { ...common, name: `r = ${refreshes}, coefficient`, y: line.map(({ formula }) => formula) },
          { ...common, name: `r = ${refreshes}, Poisson`, y: line.map(({ poisson }) => poisson) },
        ]
      }),
      claims: claimsOf(points),
    }
  },
}

function claimsOf(points: readonly Point[]): PaperClaim[] {
  const steadyError = Math.max(...points.map(({ formula, steady }) => Math.abs(formula - steady)))
  const border = points.reduce((a, b) => (b.poisson - b.formula > a.poisson - a.formula ? b : a))
  const below = Math.min(...points.map(({ poisson, formula }) => poisson - formula))
  return [
    {
      text: 'for a steady publisher the loss is 1 − W·r/λ, and none while W·r ≥ λ',
      holds: steadyError < 0.02,
      figures: { largestError: steadyError },
    },
    {
      text: 'for a varying publisher it is an approximation from below: items are lost already near W·r = λ',
      holds: below > -0.02 && border.poisson - border.formula > 0.05,
      figures: { largestGap: border.poisson - border.formula, atRate: border.rate, atRefreshes: border.refreshes },
    },
  ]
}

function pointAt(rate: number, refreshes: number, seeds: number): Point {
  const endMs = CONFIG.hours * HOUR_MS
  const steady = Float64Array.from({ length: rate * CONFIG.hours }, (_, k) => ((k + 0.5) / rate) * HOUR_MS)
  let poisson = 0
  for (let seed = 1; seed <= seeds; seed++) {
    poisson += lostShare(poissonTimes(rate / HOUR_MS, 0, endMs, sourceRandom(seed, rate)), refreshes) / seeds
  }
  const formula = saturationCoefficient(CONFIG.windowSize, rate, refreshes)
  return { rate, refreshes, formula, steady: lostShare(steady, refreshes), poisson }
}

function lostShare(times: Float64Array, refreshesPerHour: number): number {
  const run = new SourceRun(simSource(0, times, CONFIG.windowSize))
  let lost = 0
  for (let k = 1; k <= CONFIG.hours * refreshesPerHour; k++) {
    run.refresh((k / refreshesPerHour) * HOUR_MS)
    lost += run.sight.firstSeen - run.sight.from
  }
  return times.length > 0 ? lost / times.length : 0
}
