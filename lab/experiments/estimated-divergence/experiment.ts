import { entryAt } from '../../../src/model/entry-at.ts'
import type { AnyEstimator } from '../../../src/refresh/estimator.ts'
import { fixedAlpha, known, periodic, singleVariable } from '../../../src/refresh/estimators/index.ts'
import { constantIntensity } from '../../../src/refresh/intensity.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import type { Series } from '../../report/types.ts'
import type { Experiment, ExperimentResult, PaperClaim } from '../experiment.ts'
import {
  CYCLES_PER_DAY,
  CYCLES_PER_HOUR,
  type NormalisedSource,
  normalisedSource,
} from '../shapes/normalised-source.ts'
import { runOnline } from '../shapes/online-run.ts'
import { CONFIG } from './config.ts'

interface Model {
  readonly name: string
  readonly make: () => AnyEstimator
}

/** Offline: the mean of one item a day, learnt beforehand and not changed. */
const OFFLINE: Model = { name: 'offline, constant', make: () => known(constantIntensity(1 / 24)) }
const ONLINE: Model = {
  name: 'online, single variable',
  make: () => singleVariable({ alpha: fixedAlpha(CONFIG.alpha) }),
}
const PERIODIC: Model = { name: 'online, periodic', make: () => periodic({ alpha: fixedAlpha(0.1) }) }

interface Outcome {
  readonly name: string
  /** Mean absolute error over the measured days and seeds. */
  readonly error: number
  /** Real and estimated divergence over the last day of the first seed. */
  readonly real: readonly number[]
  readonly estimated: readonly number[]
}

export const experiment: Experiment = {
  id: 'estimated-divergence',
  title: 'Real against estimated divergence, offline and online',
  paper: 'thesis 7.1.2, Figure 7.2',
  defaultSeeds: 5,
  async run({ seeds, signal, progress }) {
    const sources = Array.from({ length: seeds }, (_, index) => sourceOf(index + 1))
    const outcomes: Outcome[] = []
    for (const model of [OFFLINE, ONLINE, PERIODIC]) {
      signal?.throwIfAborted()
      // Others may run between two measurements.
      await Promise.resolve()
      outcomes.push(outcomeOf(model, sources))
      progress?.(outcomes.length / 3)
    }
    return resultOf(outcomes)
  },
}

function sourceOf(seed: number): NormalisedSource {
  const days = CONFIG.learnDays + CONFIG.measuredDays
  return normalisedSource('waves', days, CONFIG.itemsPerDay, 0, seededRandom(seed))
}

function outcomeOf(model: Model, sources: readonly NormalisedSource[]): Outcome {
  const real: number[] = []
  const estimated: number[] = []
  let sum = 0
  let cycles = 0
  sources.forEach((source, index) => {
    runOnline({
      source,
      refreshes: regularRefreshes(source.length),
      estimator: model.make(),
      onCycle(cycle, realNow, estimatedNow) {
        if (cycle < CONFIG.learnDays * CYCLES_PER_DAY) return
        sum += Math.abs(realNow - estimatedNow)
        cycles++
        if (index > 0 || cycle < source.length - CYCLES_PER_DAY) return
        real.push(round(realNow))
        estimated.push(round(estimatedNow))
      },
    })
  })
  return { name: model.name, error: sum / cycles, real, estimated }
}

function regularRefreshes(cycles: number): Uint32Array {
  const every = CONFIG.refreshHours * CYCLES_PER_HOUR
  return Uint32Array.from({ length: Math.floor((cycles - 1) / every) }, (_, index) => (index + 1) * every)
}

function resultOf(outcomes: readonly Outcome[]): ExperimentResult {
  return {
    tables: [
      {
        title: 'Mean absolute error of the estimated divergence (a day is one item)',
        columns: ['model', 'error', '% of offline'],
        rows: outcomes.map(({ name, error }) => [
          name,
          round(error),
          Math.round((100 * error) / entryAt(outcomes, 0).error),
        ]),
      },
    ],
    series: [
      seriesOf('real', entryAt(outcomes, 0).real),
      ...outcomes.map(({ name, estimated }) => seriesOf(name, estimated)),
    ],
    claims: [onlineIsBetter(outcomes)],
    deviations: ['The source is drawn (waves, 50 items a day); the thesis shows one day of one real feed.'],
  }
}

function onlineIsBetter(outcomes: readonly Outcome[]): PaperClaim {
  const [offline, online, daily] = outcomes.map(({ error }) => error) as [number, number, number]
  return {
    text: 'A model updated online estimates divergence better on average than a constant learnt beforehand',
    holds: online < offline && daily < online,
    figures: { offline: round(offline), 'online, single': round(online), 'online, periodic': round(daily) },
  }
}

function seriesOf(name: string, values: readonly number[]): Series {
  return {
    figure: '7.2: real and estimated divergence over a day',
    name,
    xLabel: 'hour of the day',
    yLabel: 'divergence',
    x: values.map((_, index) => round((index + 1) / CYCLES_PER_HOUR)),
    y: values,
  }
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
