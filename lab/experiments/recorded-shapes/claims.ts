import { entryAt } from '../../../src/model/entry-at.ts'
import type { PaperClaim } from '../experiment.ts'
import type { Knowing, Quality } from '../online-two-steps/measure.ts'
import type { ShapeName } from '../shapes/normalised-source.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import type { ShapeFollowing } from './measure.ts'
import type { ShapeResult } from './result.ts'

const TIE = 0.02
const ALIKE = 0.05

export function claimsOf(results: readonly ShapeResult[], following: readonly ShapeFollowing[]): PaperClaim[] {
  const of = (shape: ShapeName) => results.find((result) => result.shape === shape)!
  return [
    soonFollowed(following),
    {
      text: 'waves: the periodic model errs less than the single variable at every refresh interval',
      holds: ratios(of('waves')).every((ratio) => ratio < 1),
      figures: figuresOf(of('waves')),
    },
    {
      text: 'peaks: the periodic model errs less where feeds are refreshed often',
      holds: entryAt(ratios(of('peaks')), 0) < 1 && entryAt(ratios(of('peaks')), 1) < 1,
      figures: figuresOf(of('peaks')),
    },
    {
      text: 'peaks, against the thesis: refreshed once a day the single variable is still not as good as the periodic model',
      holds: ratios(of('peaks')).at(-1)! < 0.95,
      figures: {
        verdict: 'what the thesis says of rare refreshes does not show on these feeds',
        ...figuresOf(of('peaks')),
      },
    },
    {
      text: 'uniform: both models err alike (within 20 %)',
      holds: ratios(of('uniform')).every((ratio) => Math.abs(ratio - 1) < 0.2),
      figures: figuresOf(of('uniform')),
    },
    plenty(results),
    {
      text: 'waves and peaks: 2Steps with the periodic model is never less complete than with the single variable (ties within 0.02)',
      holds: [...leads(of('waves')), ...leads(of('peaks'))].every((lead) => lead > -TIE),
      figures: { waves: describeValues(leads(of('waves'))), peaks: describeValues(leads(of('peaks'))) },
    },
    {
      text: 'uniform: 2Steps does alike with both models (within 0.05)',
      holds: leads(of('uniform')).every((lead) => Math.abs(lead) < ALIKE),
      figures: { completeness: describeValues(leads(of('uniform'))) },
    },
  ]
}

function soonFollowed(following: readonly ShapeFollowing[]): PaperClaim {
  const [hourly, daily] = following.map(({ halving }) => halving)
  return {
    text: 'a change of behaviour is followed at least twice as soon by hourly refreshes as by daily ones',
    holds: hourly!.every((weeks, change) => 2 * weeks <= entryAt(daily!, change)),
    figures: { hourly: describeValues(hourly!), daily: describeValues(daily!) },
  }
}

function plenty(results: readonly ShapeResult[]): PaperClaim {
  const behind = results.map(({ quality }) => {
    const last = (knowing: Knowing): Quality => quality[knowing].at(-1)!
    return last('known').completeness - Math.min(last('periodic').completeness, last('single variable').completeness)
  })
  return {
    text: 'with much bandwidth both models do as well as a known one (completeness within 0.05)',
    holds: behind.every((gap) => gap < ALIKE),
    figures: { behind: describeValues(behind) },
  }
}

function ratios({ single, periodic }: ShapeResult): number[] {
  return periodic.map((error, index) => error / entryAt(single, index))
}

function figuresOf(result: ShapeResult): Record<string, number> {
  const entries = ratios(result).map((ratio, index) => [
    `periodic/single at ${entryAt(CONFIG.refreshHours, index)} h`,
    roundToDigits(ratio),
  ])
  return Object.fromEntries(entries)
}

/** By how much 2Steps is more complete with the periodic model. */
function leads({ quality }: ShapeResult): number[] {
  return quality.periodic.map(
    ({ completeness }, index) => completeness - entryAt(quality['single variable'], index).completeness,
  )
}

function describeValues(values: readonly number[]): string {
  return values.map((value) => value.toFixed(3)).join(' ')
}
