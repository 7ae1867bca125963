import type { Table } from '../../report/types.ts'
import type { Experiment, ExperimentResult, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'
import { type LikelihoodOutcome, measureLikelihood } from './measure.ts'

interface Row extends LikelihoodOutcome {
  readonly meanPerInterval: number
  readonly profileSize: number
}

export const experiment: Experiment = {
  id: 'likelihood-estimation',
  title: 'The rate of a source whose window overflows, by maximum likelihood',
  paper: 'thesis 7.4',
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const rows: Row[] = []
    const cases = CONFIG.meansPerInterval.length * CONFIG.profileSizes.length
    for (const meanPerInterval of CONFIG.meansPerInterval) {
      for (const profileSize of CONFIG.profileSizes) {
        signal?.throwIfAborted()
        // Others may run between two measurements.
        await Promise.resolve()
        const profiles = CONFIG.profilesPerSeed * seeds
        const outcome = measureLikelihood({ ...CONFIG, meanPerInterval, profileSize, profiles }, 1)
        rows.push({ meanPerInterval, profileSize, ...outcome })
        progress?.(rows.length / cases)
      }
    }
    return resultOf(rows)
  },
}

function errorTable(rows: readonly Row[]): Table {
  return {
    title: `Relative error of the estimated rate, window ${CONFIG.windowSize} (%)`,
    columns: [
      ...['items per interval', 'observations', 'bias, counting', 'bias, likelihood', 'RMS, likelihood'],
      ...['Algorithm 7.1 off the solver by', 'profiles with a lower bound only'],
    ],
    rows: rows.map((row) => [
      row.meanPerInterval,
      row.profileSize,
      percent(row.counted.bias),
      percent(row.likelihood.bias),
      percent(row.likelihood.rms),
      percent(row.ascentOff),
      percent(row.onlyBounds),
    ]),
  }
}

function resultOf(rows: readonly Row[]): ExperimentResult {
  return {
    tables: [errorTable(rows)],
    series: CONFIG.profileSizes.flatMap((size) => biasSeries(rows, size)),
    claims: [unbiased(rows), boundsFlagged(rows)],
    deviations: [
      'The gradient is the right one: the printed one has a stray ΔT and lacks −ΔT, and never falls to zero.',
      'The thesis shows no figures for this method; these are ours.',
    ],
  }
}

/** Profiles of at least 100 observations where counting is 20 to 30 % too low. */
function unbiased(rows: readonly Row[]): PaperClaim {
  const judged = rows.filter(
    ({ profileSize, counted }) => profileSize >= 100 && counted.bias <= -0.2 && counted.bias >= -0.3,
  )
  return {
    text: 'Where counting is 20 to 30 % too low, likelihood over at least 100 observations is within 3 %',
    holds: judged.length > 0 && judged.every(({ likelihood }) => Math.abs(likelihood.bias) < 0.03),
    figures: Object.fromEntries(
      judged.map((row) => [
        `bias % at ${row.meanPerInterval} per interval, ${row.profileSize} observations (counting ${percent(row.counted.bias)})`,
        percent(row.likelihood.bias),
      ]),
    ),
  }
}

function boundsFlagged(rows: readonly Row[]): PaperClaim {
  const often = rows.find((row) => row.meanPerInterval === 32 && row.profileSize === 20)!
  const rarely = rows.find((row) => row.meanPerInterval === 12 && row.profileSize === 20)!
  return {
    text: 'A profile in which every window overflowed has no finite maximum; it is flagged, and rare where few overflow',
    holds: often.onlyBounds > 0.3 && rarely.onlyBounds === 0,
    figures: { '% flagged at 32 per interval': percent(often.onlyBounds), 'at 12': percent(rarely.onlyBounds) },
  }
}

function biasSeries(rows: readonly Row[], profileSize: number) {
  const own = rows.filter((row) => row.profileSize === profileSize)
  const common = {
    figure: `bias of the rate, ${profileSize} observations`,
    xLabel: 'items per interval (window 20)',
    yLabel: 'bias, %',
    x: own.map((row) => row.meanPerInterval),
  }
  return [
    { ...common, name: 'counting', y: own.map((row) => percent(row.counted.bias)) },
    { ...common, name: 'likelihood', y: own.map((row) => percent(row.likelihood.bias)) },
  ]
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10 + 0
}
