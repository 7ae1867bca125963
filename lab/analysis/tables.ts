import { alignedLines } from '../../src/cli/table.ts'
import type { Analysis } from './index.ts'
import { shortNumber } from './scale.ts'

/** A table of the report; the same for the terminal and the page. */
export interface ReportTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What the papers found, or what to be careful about. */
  readonly note?: string
}

export function analysisTables(analysis: Analysis): readonly ReportTable[] {
  return [
    overview(analysis),
    activity(analysis),
    periodicity(analysis),
    shapes(analysis, 'strict'),
    shapes(analysis, 'byMajority'),
    sensitivity(analysis),
    rates(analysis),
    stability(analysis),
    windows(analysis),
    ...windowSizes(analysis),
    patterns(analysis),
    ...(analysis.categories.length > 0 ? [categories(analysis)] : []),
  ]
}

function overview(analysis: Analysis): ReportTable {
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  const masked = analysis.maskedHours.length > 0 ? `${analysis.maskedHours.join(', ')} UTC` : 'none'
  return {
    title: 'Collection',
    columns: ['sources', 'items', 'from', 'to', 'days', 'hours left out'],
    rows: [
      [
        shortNumber(analysis.sources.length),
        analysis.items.toLocaleString('en-US'),
        date(analysis.span.from),
        date(analysis.span.to),
        shortNumber(analysis.days),
        masked,
      ],
    ],
  }
}

function activity(analysis: Analysis): ReportTable {
  return {
    title: 'Activity classes',
    columns: ['class', 'items a day', 'sources', '% of sources', '% of items'],
    rows: analysis.activity.map((row) => [
      row.activity,
      `from ${row.fromPerDay}`,
      String(row.sources),
      percent(row.shareOfSources),
      percent(row.shareOfItems),
    ]),
    note: `The busiest 17 % of the sources publish ${percent(analysis.itemsOfBusiest17)} % of the items (97 % in thesis 5.1).`,
  }
}

function periodicity(analysis: Analysis): ReportTable {
  return {
    title: 'Periodicity: share of sources with a coefficient of variation of at most 1',
    columns: ['more items a day than', 'sources', '% periodic', '% with the formula as printed'],
    rows: analysis.periodicity.map((row) => [
      String(row.moreThanPerDay),
      String(row.sources),
      percent(row.periodic),
      percent(row.printedPeriodic),
    ]),
    note: 'Thesis 6.3: 20 % of those above 10 items a day, 50 % of those above 48.',
  }
}

function shapes(analysis: Analysis, rule: 'strict' | 'byMajority'): ReportTable {
  return {
    title: rule === 'strict' ? 'Shapes per activity class, strict' : 'Shapes per activity class, 80 % rule',
    columns: ['class', 'peaks', 'uniform', 'waves'],
    rows: analysis.shapes[rule].map((row) => [row.activity, String(row.peaks), String(row.uniform), String(row.waves)]),
  }
}

function sensitivity(analysis: Analysis): ReportTable {
  return {
    title: 'How much the shape thresholds matter (80 % rule)',
    columns: ['ε₁', 'ε₂', 'peaks', 'uniform', 'waves'],
    rows: analysis.shapeSensitivity.map((row) => [
      String(row.high),
      String(row.low),
      String(row.peaks),
      String(row.uniform),
      String(row.waves),
    ]),
  }
}

function rates({ rates: { fit, tailExponent } }: Analysis): ReportTable {
  return {
    title: 'Posting rates: sources = a · items^b',
    columns: ['a', 'b', 'R²', 'tail exponent by likelihood'],
    rows: [
      [
        fit === null ? '–' : shortNumber(fit.a),
        fit === null ? '–' : fit.b.toFixed(2),
        fit === null ? '–' : fit.r2.toFixed(2),
        tailExponent === null ? '–' : tailExponent.toFixed(2),
      ],
    ],
    note: 'SCC07 4.1 found a ≈ 376, b ≈ −0.78 for 9,634 feeds over three months.',
  }
}

function stability({ stability: pair }: Analysis): ReportTable {
  const rows =
    pair === null
      ? []
      : ([
          ['next 14 days', pair.next],
          ['last 14 days', pair.last],
        ] as const)
  return {
    title: 'Stability of rates: the first 14 days against',
    columns: ['', 'correlation', 'half within', '90 % within', '% changed by less than 1.5 times'],
    rows: rows.map(([name, one]) => [
      name,
      one.correlation.toFixed(3),
      `${shortNumber(one.distanceA)} a day`,
      `${shortNumber(one.distanceB)} a day`,
      percent(one.withinHalfAgain),
    ]),
    note: 'Distances are to the diagonal, in items per day (SCC07 Figure 9: more than 90 % in a narrow band).',
  }
}

function windows(analysis: Analysis): ReportTable {
  return {
    title: 'Window needed to lose nothing',
    columns: ['refreshed every', 'half of the sources', '90 %', 'all', '% for whom 20 is enough'],
    rows: analysis.windowNeeded.map((row) => [
      `${row.everyHours} h`,
      String(row.median),
      String(row.p90),
      String(row.max),
      percent(row.within20),
    ]),
  }
}

function windowSizes({ windowSizes: sizes }: Analysis): ReportTable[] {
  if (sizes === null) return []
  return [
    {
      title: 'Window sizes',
      columns: ['items', 'sources', '%'],
      rows: sizes.rows.slice(0, 10).map((row) => [String(row.size), String(row.sources), percent(row.share)]),
      note: `${percent(sizes.changing)} % of the sources changed theirs (thesis 5.1: around 25 %, and 10 items in 27 %).`,
    },
  ]
}

function patterns(analysis: Analysis): ReportTable {
  return {
    title: 'Publication patterns',
    columns: ['pattern', 'sources', '%'],
    rows: analysis.patterns.map((row) => [row.pattern, String(row.sources), percent(row.share)]),
    note: 'Thesis 5.1: zombie 25 %, spontaneous 32, sliced 18, constant 4, chunked 3, on-the-fly 0.1 (needs fetch times).',
  }
}

function categories(analysis: Analysis): ReportTable {
  return {
    title: 'Categories by keywords',
    columns: ['category', 'sources'],
    rows: analysis.categories.map((row) => [row.category, String(row.sources)]),
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)
}

/** With its title above and its note below. */
export function tableAsText({ title, columns, rows, note }: ReportTable): string {
  const lines = alignedLines([columns, ...rows], { hasHeader: true })
  return [title, ...lines, ...(note === undefined ? [] : [note])].join('\n')
}
