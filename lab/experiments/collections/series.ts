import type { Series } from '../../report/types.ts'
import { roundPercent, roundToDigits } from '../traces/rounded.ts'
import {
  activityShares,
  BY_MAJORITY,
  type Collection,
  clearest,
  SHAPES,
  type SourceMeasures,
  shapeOf,
  shapesPerActivity,
  shareOfShape,
} from './measure.ts'

export function activitySeries({ set, weeks }: Collection): Series {
  const { rows } = activityShares(weeks)
  return {
    figure: '6.2: sources per activity class',
    name: set.name,
    xLabel: `class: ${rows.map(({ activity }, index) => `${index + 1} ${activity}`).join(', ')}`,
    yLabel: '% of the sources',
    x: rows.map((_, index) => index + 1),
    y: rows.map(({ shareOfSources }) => roundPercent(shareOfSources)),
    log: 'none',
  }
}

/** Mean of each hour, and a standard deviation above and below. */
export function daySeries(figure: string, source: SourceMeasures | null): Series[] {
  if (source === null) return []
  const of = (name: string, value: (hour: SourceMeasures['hours'][number]) => number): Series => ({
    figure: `${figure} (${source.id}, CV ${roundToDigits(source.cv!, 2)})`,
    name,
    xLabel: 'hour of the day (UTC)',
    yLabel: 'items',
    x: source.hours.map(({ hour }) => hour),
    y: source.hours.map((hour) => roundToDigits(value(hour))),
    log: 'none',
  })
  return [
    of('mean', ({ mean }) => mean),
    of('mean + σ', ({ mean, deviation }) => mean + deviation),
    of('mean − σ', ({ mean, deviation }) => mean - deviation),
  ]
}

/** Figure 6.5: of the periodic sources of each shape the most regular one; its items per hour over their mean. */
export function exampleSeries({ weeks }: Collection): Series[] {
  return SHAPES.flatMap((shape) => {
    const source = clearest(
      weeks.filter((each) => each.itemsPerDay > 10 && shapeOf(each, BY_MAJORITY) === shape),
      'least',
    )
    if (source === null) return []
    const mean = sum(source.hours.map((hour) => hour.mean)) / source.hours.length
    return [
      {
        figure: '6.5: peaks, uniform and waves',
        name: `${shape} (${source.id})`,
        xLabel: 'hour of the day (UTC)',
        yLabel: 'items over the mean of the day',
        x: source.hours.map(({ hour }) => hour),
        y: source.hours.map((hour) => roundToDigits(hour.mean / mean)),
        log: 'none' as const,
      },
    ]
  })
}

export function shapeSeries(figure: string, { weeks }: Collection): Series[] {
  const classes = shapesPerActivity(weeks, BY_MAJORITY)
  return SHAPES.map((shape) => ({
    figure,
    name: shape,
    xLabel: `class: ${classes.map(({ activity }, index) => `${index + 1} ${activity}`).join(', ')}`,
    yLabel: '% of the class',
    x: classes.map((_, index) => index + 1),
    y: classes.map(({ counts }) => roundPercent(shareOfShape(counts, shape))),
    log: 'none',
  }))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
