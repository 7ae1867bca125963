import type { Series, Table } from '../../report/types.ts'
import { RSS_2023, RSS_2024, readTraceSet, type TraceSet } from '../../traces/trace-set.ts'
import type { Experiment, ExperimentResult, PaperClaim } from '../experiment.ts'
import { roundPercent, roundToDigits } from '../traces/rounded.ts'
import { CONFIG, SCC07_RATES } from './config.ts'
import { autocorrelation, bandOfAxis, measureRates, type Rates, variation } from './measure.ts'

interface MeasuredRates extends Rates {
  readonly set: TraceSet
}

export const experiment: Experiment = {
  id: 'scc07-rates',
  title: 'Posting rates: their distribution, and how stable they are',
  paper: 'SCC07 2.2, 4.1 and 4.2, Figures 3, 7 and 9',
  defaultSeeds: 1,
  async run({ signal, progress }) {
    const measured: MeasuredRates[] = []
    for (const set of CONFIG.sets) {
      signal?.throwIfAborted()
      measured.push({ set, ...measureRates(await readTraceSet(set), CONFIG.days, CONFIG.stretchDays) })
      progress?.(measured.length / CONFIG.sets.length)
    }
    return resultOf(measured)
  },
}

function resultOf(measured: readonly MeasuredRates[]): ExperimentResult {
  const feeds = measured.filter(({ set }) => set === RSS_2023 || set === RSS_2024)
  return {
    tables: [fluctuationTable(measured), distributionTable(measured), stabilityTable(measured)],
    series: [
      ...feeds.map(weeklySeries),
      ...feeds.map(hourlySeries),
      ...measured.map(distributionSeries),
      ...feeds.flatMap((one) => scatter('9a: first 14 days against the next', one, one.next)),
      ...feeds.flatMap((one) => scatter('9b: first 14 days against the last of three months', one, one.last)),
    ],
    claims: [...feeds.map(fluctuationClaim), ...feeds.map(distributionClaim), ...feeds.map(stabilityClaim)],
    deviations: DEVIATIONS,
  }
}

const DEVIATIONS = [
  'The exponent depends on how the plot is made. Per unit of items, in bins of equal width in the logarithm, ours are near −1; through bare counts, as a plot without bins shows them, the line is much flatter, since a count below one source cannot be drawn. SCC07 does not say which it used for its −0.78.',
  'More of our sources publish once a day or more (48 and 55 % of the feeds against 32 % in SCC07).',
  'reddit-2013 follows no power law: the set was chosen by size, small communities only.',
  'Our rates are less stable than Figure 9 suggests of theirs. Nine dots in ten do lie in a narrow band of the plot, but most of them near its corner. After three months the band is two and a half times as wide as after 14 days, and only 34 % of the sources of rss-2023 and 53 % of rss-2024 are within a factor of 1.5 of their first rate (feeds that begin or end within the time included). Whatever is learnt of a rate has to be learnt again.',
  'rss-2024 grows by 60 % in its first ten weeks, while its collector adds feeds; that is most of what its weeks vary by.',
]

function fluctuationTable(measured: readonly MeasuredRates[]): Table {
  return {
    title: 'Items of all sources: deviation over mean, and likeness to the day and the week before (Figure 3)',
    columns: ['collection', 'by week', 'by two hours', 'correlation with the day before', 'with the week before'],
    rows: measured.map(({ set, weekly, twoHourly }) => [
      set.name,
      roundToDigits(variation(weekly)),
      roundToDigits(variation(twoHourly)),
      roundToDigits(autocorrelation(twoHourly, 12)),
      roundToDigits(autocorrelation(twoHourly, 84)),
    ]),
  }
}

function distributionTable(measured: readonly MeasuredRates[]): Table {
  const row = ({ set, sources, onceADay, fit, bareFit }: MeasuredRates) => [
    set.name,
    sources,
    roundPercent(onceADay),
    ...(fit === null ? ['–', '–', '–'] : [roundToDigits(fit.a, 1), roundToDigits(fit.b, 2), roundToDigits(fit.r2, 2)]),
    bareFit === null ? '–' : roundToDigits(bareFit.b, 2),
  ]
  const { feeds, onceADay, a, b } = SCC07_RATES
  return {
    title: 'Sources per number of items in three months, y = a·x^b (Figure 7)',
    columns: ['collection', 'sources', '% once a day or more', 'a', 'b', 'R²', 'b through bare counts'],
    rows: [['SCC07', feeds, roundPercent(onceADay / feeds), a, b, '–', '–'], ...measured.map(row)],
  }
}

function stabilityTable(measured: readonly MeasuredRates[]): Table {
  return {
    title: 'The first 14 days against another 14, items a day (Figure 9)',
    columns: ['collection', 'against', 'correlation', 'A within', 'B within', 'B, % of the axis', '% within 1.5 times'],
    rows: measured.flatMap(({ set, next, last }) =>
      [['the next', next] as const, ['the last', last] as const].map(([name, one]) => [
        set.name,
        name,
        roundToDigits(one.correlation),
        roundToDigits(one.distanceA, 2),
        roundToDigits(one.distanceB, 2),
        roundPercent(bandOfAxis(one)),
        roundPercent(one.withinHalfAgain),
      ]),
    ),
  }
}

function weeklySeries({ set, weekly }: MeasuredRates): Series {
  return {
    figure: '3a: items of all sources by week',
    name: set.name,
    xLabel: 'week',
    yLabel: 'items',
    x: weekly.map((_, index) => index + 1),
    y: weekly,
    log: 'none',
  }
}

const SHOWN_DAYS = 14

function hourlySeries({ set, twoHourly }: MeasuredRates): Series {
  const firstDays = twoHourly.slice(0, SHOWN_DAYS * 12)
  return {
    figure: '3b: items of all sources by two hours',
    name: set.name,
    xLabel: 'day',
    yLabel: 'items',
    x: firstDays.map((_, index) => roundToDigits(index / 12)),
    y: firstDays,
    log: 'none',
  }
}

function distributionSeries({ set, bins }: MeasuredRates): Series {
  return {
    figure: '7: sources per number of items',
    name: set.name,
    xLabel: 'items in three months',
    yLabel: 'sources per item',
    x: bins.map(({ items }) => roundToDigits(items, 1)),
    y: bins.map(({ density }) => roundToDigits(density, 4)),
    log: 'xy',
  }
}

/** The dots of both collections by their distance from the diagonal, on logarithmic axes where they can be distinguished. */
function scatter(figure: string, { set }: MeasuredRates, { pairs }: Rates['next']): Series[] {
  return (['A', 'B', 'C'] as const).map((group) => {
    const dots = pairs.filter((pair) => pair.group === group && pair.first > 0 && pair.second > 0)
    return {
      figure: `${figure}, ${set.name}`,
      name: `group ${group}`,
      xLabel: 'items a day, first 14 days',
      yLabel: 'items a day, other 14 days',
      x: dots.map(({ first }) => roundToDigits(first)),
      y: dots.map(({ second }) => roundToDigits(second)),
      log: 'xy',
      style: 'points',
    }
  })
}

function fluctuationClaim({ set, weekly, twoHourly }: MeasuredRates): PaperClaim {
  const byWeek = variation(weekly)
  const byHours = variation(twoHourly)
  const dayBefore = autocorrelation(twoHourly, 12)
  return {
    text: `${set.name}: by week the items of all sources are steady, by two hours they go up and down with the day (2.2)`,
    holds: byWeek < 0.2 && byHours > 2 * byWeek && dayBefore > 0.5,
    figures: {
      'deviation over mean by week': roundToDigits(byWeek),
      'by two hours': roundToDigits(byHours),
      'correlation with the day before': roundToDigits(dayBefore),
    },
  }
}

function distributionClaim({ set, fit, bareFit }: MeasuredRates): PaperClaim {
  return {
    text: `${set.name}: the distribution of posting rates is about a straight line on logarithmic axes (4.1)`,
    holds: fit !== null && fit.b < 0 && fit.r2 > 0.8,
    figures: {
      'b (SCC07 −0.78)': roundToDigits(fit?.b ?? 0, 2),
      'R²': roundToDigits(fit?.r2 ?? 0, 2),
      'b through bare counts': roundToDigits(bareFit?.b ?? 0, 2),
    },
  }
}

function stabilityClaim({ set, next, last }: MeasuredRates): PaperClaim {
  return {
    text: `${set.name}: more than 90 % of the dots lie in a narrow band (a tenth of the axis) around y = x, in the next 14 days and after three months (4.2)`,
    holds: bandOfAxis(next) < 0.1 && bandOfAxis(last) < 0.1,
    figures: {
      'band, % of the axis, next': roundPercent(bandOfAxis(next)),
      'band, % of the axis, last': roundPercent(bandOfAxis(last)),
      '% within a factor of 1.5, next': roundPercent(next.withinHalfAgain),
      '% within a factor of 1.5, last': roundPercent(last.withinHalfAgain),
    },
  }
}
