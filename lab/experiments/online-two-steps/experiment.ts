import { setImmediate as turn } from 'node:timers/promises'
import { entryAt } from '../../../src/model/entry-at.ts'
import type { Series } from '../../report/types.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import type { ShapeName } from '../shapes/normalised-source.ts'
import { CONFIG } from './config.ts'
import { type Knowing, type Quality, qualityOf } from './measure.ts'

const KNOWING: readonly Knowing[] = ['known', 'single variable', 'periodic']

interface ShapeResult {
  readonly shape: ShapeName
  /** By model, in the order of the budgets. */
  readonly quality: Readonly<Record<Knowing, readonly Quality[]>>
}

export const experiment: Experiment = {
  id: 'online-two-steps',
  title: '2Steps with publication models that are known, or learnt online',
  paper: 'thesis 7.3.3, Figures 7.9 and 7.10',
  defaultSeeds: 2,
  async run({ seeds, signal, progress }) {
    const results: ShapeResult[] = []
    let done = 0
    for (const shape of CONFIG.shapes) {
      const quality: Record<Knowing, Quality[]> = { known: [], 'single variable': [], periodic: [] }
      for (const knowing of KNOWING) {
        for (const budget of CONFIG.budgets) {
          signal?.throwIfAborted()
          quality[knowing].push(qualityOf(shape, knowing, budget, seeds))
          progress?.(++done / (CONFIG.shapes.length * KNOWING.length * CONFIG.budgets.length))
          await turn()
        }
      }
      results.push({ shape, quality })
    }
    return {
      tables: results.map(({ shape, quality }) => ({
        title: `${shape}: completeness / freshness / refreshes per cycle`,
        columns: ['b', ...KNOWING],
        rows: CONFIG.budgets.map((budget, index) => [
          budget,
          ...KNOWING.map((knowing) => {
            const { completeness, freshness, perCycle } = entryAt(quality[knowing], index)
            return `${completeness.toFixed(3)} / ${freshness.toFixed(3)} / ${perCycle.toFixed(2)}`
          }),
        ]),
      })),
      series: results.flatMap((result) => [
        ...curves(result, 'Figure 7.9', 'feed completeness', ({ completeness }) => completeness),
        ...curves(result, 'Figure 7.10', 'window freshness', ({ freshness }) => freshness),
      ]),
      claims: claimsOf(results),
      deviations: [
        'Curves are drawn over the refreshes really made: as published, 2Steps spends more or less than b where publication comes in waves.',
      ],
    }
  },
}

function curves(
  { shape, quality }: ShapeResult,
  figure: string,
  yLabel: string,
  read: (quality: Quality) => number,
): Series[] {
  return KNOWING.map((knowing) => ({
    figure: `${figure}, ${shape}`,
    name: knowing,
    xLabel: 'refreshes per cycle',
    yLabel,
    x: quality[knowing].map(({ perCycle }) => perCycle),
    y: quality[knowing].map(read),
  }))
}

const TIE = 0.02

function claimsOf(results: readonly ShapeResult[]): PaperClaim[] {
  const of = (shape: ShapeName) => results.find((result) => result.shape === shape)!.quality
  const lead = (shape: ShapeName, read: (quality: Quality) => number) =>
    of(shape).periodic.map((quality, index) => read(quality) - read(entryAt(of(shape)['single variable'], index)))
  const completeness = ({ completeness: value }: Quality) => value
  const freshness = ({ freshness: value }: Quality) => value
  const rich = results.flatMap(({ quality }) => KNOWING.map((knowing) => quality[knowing].at(-1)!))
  const wavesLead = { completeness: lead('waves', completeness), freshness: lead('waves', freshness) }
  const uniformGap = [...lead('uniform', completeness), ...lead('uniform', freshness)]
  return [
    {
      text: 'with much bandwidth every model gives nearly complete and fresh feeds, whatever the shape',
      holds: rich.every((quality) => quality.completeness > 0.97),
      figures: {
        leastCompleteness: Math.min(...rich.map(completeness)),
        leastFreshness: Math.min(...rich.map(freshness)),
      },
    },
    {
      text: 'on waves the periodic model is never behind the single variable one, and ahead where refreshes are not plenty',
      holds:
        [...wavesLead.completeness, ...wavesLead.freshness].every((gap) => gap > -TIE) &&
        Math.max(...wavesLead.completeness, ...wavesLead.freshness) > 0.01,
      figures: {
        completeness: wavesLead.completeness.map((gap) => gap.toFixed(3)).join(' '),
        freshness: wavesLead.freshness.map((gap) => gap.toFixed(3)).join(' '),
      },
    },
    {
      text: 'on uniform sources both models do alike',
      holds: uniformGap.every((gap) => Math.abs(gap) < 0.03),
      figures: { largestGap: Math.max(...uniformGap.map(Math.abs)) },
    },
  ]
}
