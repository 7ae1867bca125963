import { SHAPE_THRESHOLDS } from '../../analysis/index.ts'
import type { Table } from '../../report/types.ts'
import { roundPercent } from '../traces/rounded.ts'
import { CONFIG, THESIS_ACTIVITY, THESIS_PERIODIC } from './config.ts'
import {
  activityShares,
  BY_MAJORITY,
  type Collection,
  periodicAbove,
  SHAPES,
  type ShapeRule,
  type SourceMeasures,
  shapeCounts,
  shapesPerActivity,
  shareOfShape,
} from './measure.ts'

export function activityTable(collections: readonly Collection[]): Table {
  const row = (name: string, sources: readonly SourceMeasures[]) => {
    const { shares, itemsAbove } = activityShares(sources)
    return [name, sources.length, ...shares.map(roundPercent), roundPercent(itemsAbove)]
  }
  return {
    title: 'Sources per activity class, % of the sources (Figure 6.2)',
    columns: [
      'collection',
      'sources',
      ...THESIS_ACTIVITY.map(({ border }) => `${border} a day`),
      '% of items of these',
    ],
    rows: [
      ['thesis, directories', 1658, ...THESIS_ACTIVITY.map(({ first }) => first), '–'],
      ['thesis, newspapers', 963, ...THESIS_ACTIVITY.map(({ second }) => second), '–'],
      ...collections.flatMap(({ set, weeks, whole }) => [
        row(`${set.name}, ${CONFIG.days} days`, weeks),
        row(`${set.name}, whole`, whole),
      ]),
    ],
  }
}

export function periodicityTable(collections: readonly Collection[]): Table {
  const row = (name: string, sources: readonly SourceMeasures[]) => [
    name,
    ...THESIS_PERIODIC.flatMap(({ moreThanPerDay }) => {
      const found = periodicAbove(sources, moreThanPerDay)
      return [found.sources, roundPercent(found.periodic), roundPercent(found.printed)]
    }),
  ]
  return {
    title: 'Periodic sources (CV ≤ 1), % of those above 10 and above 48 items a day',
    columns: ['collection', 'above 10', 'periodic', 'as printed', 'above 48', 'periodic', 'as printed'],
    rows: [
      [
        'thesis',
        '–',
        ...THESIS_PERIODIC.flatMap(({ periodic }, k) => (k === 0 ? [periodic, '–', '–'] : [periodic, '–'])),
      ],
      ...collections.flatMap(({ set, weeks, whole }) => [
        row(`${set.name}, ${CONFIG.days} days`, weeks),
        row(`${set.name}, whole`, whole),
      ]),
    ],
  }
}

export function shapeTable(collections: readonly Collection[], title: string, rule: ShapeRule): Table {
  return {
    title,
    columns: ['collection', 'class', 'sources', ...SHAPES],
    rows: collections.flatMap(({ set, weeks }) =>
      shapesPerActivity(weeks, rule).map(({ activity, counts }) => [
        set.name,
        activity,
        counts.peaks + counts.uniform + counts.waves,
        ...SHAPES.map((shape) => roundPercent(shareOfShape(counts, shape))),
      ]),
    ),
  }
}

const OTHER_THRESHOLDS = [{ high: 1.25, low: 0.75 }, SHAPE_THRESHOLDS, { high: 2, low: 0.5 }, { high: 2, low: 0.25 }]

/** The thesis gives no ε₁, ε₂: what they decide among sources above one item an hour, where it found 57 % uniform. */
export function thresholdTable(collections: readonly Collection[]): Table {
  return {
    title: 'Shapes of sources above one item an hour for other thresholds, % (80 % rule; thesis 7.3.2: 57 % uniform)',
    columns: ['collection', 'ε₁', 'ε₂', 'sources', ...SHAPES],
    rows: collections.flatMap(({ set, weeks }) => {
      const busy = weeks.filter(({ itemsPerDay }) => itemsPerDay > 24)
      if (busy.length === 0) return []
      return OTHER_THRESHOLDS.map((thresholds) => {
        const counts = shapeCounts(busy, { ...BY_MAJORITY, thresholds })
        const shares = SHAPES.map((shape) => roundPercent(shareOfShape(counts, shape)))
        return [set.name, thresholds.high, thresholds.low, busy.length, ...shares]
      })
    }),
  }
}
