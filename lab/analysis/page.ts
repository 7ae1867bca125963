import { entryAt } from '../../src/model/entry-at.ts'
import type { PatternCluster } from './clusters.ts'
import type { Analysis, AnalyzedSource } from './index.ts'
import { barChart, escapeText, scatterChart } from './svg.ts'
import { analysisTables, type ReportTable } from './tables.ts'

/** The report as one HTML file: no script and nothing loaded from elsewhere. */
export function analysisPage(name: string, analysis: Analysis, clusters: readonly PatternCluster[]): string {
  const heading = `Publication analysis of ${name}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeText(heading)}</h1>
<main>
${figures(analysis, clusters).join('\n')}
</main>
${analysisTables(analysis).map(tableAsHtml).join('\n')}
</body>
</html>
`
}

function figures(analysis: Analysis, clusters: readonly PatternCluster[]): string[] {
  return [
    activityFigure(analysis),
    shapesFigure(analysis, 'strict', 'Shapes per activity class, strict (Figure 6.6)'),
    shapesFigure(analysis, 'byMajority', 'Shapes per activity class, 80 % rule'),
    ...exampleFigures(analysis),
    ratesFigure(analysis),
    ...stabilityFigures(analysis),
    hoursFigure(analysis),
    weekdaysFigure(analysis),
    weeklyFigure(analysis),
    twoHourlyFigure(analysis),
    ...clusters.slice(0, 6).map(clusterFigure),
  ]
}

function activityFigure({ activity }: Analysis): string {
  return barChart(
    { title: 'Sources per activity class (Figure 6.2)', xLabel: 'items a day', yLabel: '% of sources' },
    activity.map(({ fromPerDay }, index) => {
      const next = activity[index + 1]
      return next === undefined ? `from ${fromPerDay}` : `${fromPerDay} to ${next.fromPerDay}`
    }),
    [{ name: 'sources', values: activity.map(({ shareOfSources }) => 100 * shareOfSources) }],
  )
}

function shapesFigure({ shapes }: Analysis, rule: 'strict' | 'byMajority', title: string): string {
  const rows = shapes[rule]
  return barChart(
    { title, xLabel: 'activity class', yLabel: 'sources' },
    rows.map(({ activity }) => activity),
    (['peaks', 'uniform', 'waves'] as const).map((shape) => ({ name: shape, values: rows.map((row) => row[shape]) })),
  )
}

/** The most and the least periodic of the productive sources, as Figures 6.3 and 6.4 show one each. */
function exampleFigures({ sources }: Analysis): string[] {
  const productive = sources.filter(({ itemsPerDay, cv }) => itemsPerDay >= 10 && cv !== null)
  if (productive.length === 0) return []
  const sorted = [...productive].sort((a, b) => a.cv! - b.cv!)
  return [
    exampleFigure(entryAt(sorted, 0), 'Most periodic (Figure 6.3)'),
    exampleFigure(sorted.at(-1)!, 'Least periodic (Figure 6.4)'),
  ]
}

function exampleFigure({ id, title, hours, cv }: AnalyzedSource, what: string): string {
  return barChart(
    { title: `${what}: ${title ?? id}, CV ${cv!.toFixed(2)}`, xLabel: 'hour of the day (UTC)', yLabel: 'items' },
    hours.map(({ hour }) => String(hour)),
    [{ name: 'mean', values: hours.map(({ mean }) => mean), deviations: hours.map(({ deviation }) => deviation) }],
  )
}

function ratesFigure({ rates: { bins, fit } }: Analysis): string {
  const line =
    fit === null ? [] : [entryAt(bins, 0), bins.at(-1)!].map(({ items }) => ({ x: items, y: fit.a * items ** fit.b }))
  return scatterChart(
    { title: 'Distribution of posting rates (SCC07 Figure 7)', xLabel: 'items', yLabel: 'sources per item count' },
    [
      { name: 'sources', points: bins.map(({ items, density }) => ({ x: items, y: density })) },
      { name: fit === null ? '' : `b = ${fit.b.toFixed(2)}`, points: line, line: true },
    ],
    'log',
  )
}

function stabilityFigures({ stability }: Analysis): string[] {
  if (stability === null) return []
  return (
    [
      ['next', 'the next (SCC07 Figure 9a)'],
      ['last', 'the last (9b)'],
    ] as const
  ).map(([key, words]) =>
    scatterChart(
      { title: `First 14 days against ${words}`, xLabel: 'items a day, first', yLabel: 'items a day, second' },
      (['A', 'B', 'C'] as const).map((group) => ({
        name: `group ${group}`,
        points: stability[key].pairs
          .filter((pair) => pair.group === group)
          .map(({ id, first, second }) => ({ x: first, y: second, tip: id })),
      })),
      'log',
    ),
  )
}

function hoursFigure({ hours }: Analysis): string {
  return barChart(
    {
      title: 'Posting pattern of all sources (SCC07 Figure 10)',
      xLabel: 'hour of the day (UTC)',
      yLabel: '% of items',
    },
    hours.map(({ hour }) => String(hour)),
    [{ name: 'items', values: hours.map(({ share }) => 100 * share) }],
  )
}

function weekdaysFigure({ weekdays }: Analysis): string {
  return barChart(
    { title: 'Days of the week', xLabel: 'day (UTC)', yLabel: '% of items' },
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    [{ name: 'items', values: weekdays.map((share) => 100 * share) }],
  )
}

function weeklyFigure({ weekly }: Analysis): string {
  // The last week is mostly cut short.
  const whole = weekly.length > 1 ? weekly.slice(0, -1) : weekly
  return barChart(
    { title: 'Items per week (SCC07 Figure 3a)', xLabel: 'week', yLabel: 'items' },
    whole.map((_, index) => String(index + 1)),
    [{ name: 'items', values: whole }],
  )
}

function twoHourlyFigure({ twoHourly }: Analysis): string {
  const points = twoHourly.map((items, index) => ({ x: index / 12, y: items }))
  return scatterChart(
    { title: 'Items per two hours, first four weeks (SCC07 Figure 3b)', xLabel: 'day', yLabel: 'items' },
    [{ name: 'items', points, line: true }],
  )
}

function clusterFigure({ pattern, share }: PatternCluster, index: number): string {
  return barChart(
    {
      title: `Posting pattern ${index + 1}: ${(100 * share).toFixed(0)} % of sources (SCC07 Figure 12)`,
      xLabel: 'hour of the day (UTC)',
      yLabel: '% of items',
    },
    pattern.map(({ hour }) => String(hour)),
    [{ name: 'items', values: pattern.map((one) => 100 * one.share) }],
  )
}

function tableAsHtml({ title, columns, rows, note }: ReportTable): string {
  const cells = (tag: string, values: readonly string[]) =>
    values.map((value) => `<${tag}>${escapeText(value)}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  const remark = note === undefined ? '' : `<p>${escapeText(note)}</p>`
  return `<h2>${escapeText(title)}</h2>\n<table><thead><tr>${cells('th', columns)}</tr></thead>\n<tbody>${body}</tbody></table>${remark}`
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2530; --paper: #fff; --grid: #d9dee5; --c0: #2f6f9f; --c1: #d98b2b; --c2: #4c9a6a; --c3: #a4508b }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --paper: #14191f; --grid: #333c47; --c0: #6aa9d8; --c1: #e8ab5c; --c2: #78c495; --c3: #cf87bb } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.5rem }
figure { margin: 0 } figcaption { font-weight: 600; font-size: .9rem }
svg { width: 100%; height: auto } svg text { font: 11px system-ui, sans-serif; fill: var(--ink) }
.grid { stroke: var(--grid) } .spread { stroke: var(--ink); opacity: .6 }
.c0 { fill: var(--c0) } .c1 { fill: var(--c1) } .c2 { fill: var(--c2) } .c3 { fill: var(--c3) }
circle { opacity: .7 } .line { fill: none; stroke-width: 1.5 } .line.c0 { stroke: var(--c0) } .line.c1 { stroke: var(--c1) }
.legend { font-size: .8rem; display: flex; gap: 1rem } .key::before { content: "■ " } .key.c0 { color: var(--c0) } .key.c1 { color: var(--c1) } .key.c2 { color: var(--c2) }
table { border-collapse: collapse; font-variant-numeric: tabular-nums } th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid var(--grid) }
h2 { font-size: 1.05rem; margin: 2rem 0 .3rem } p { margin: .3rem 0; opacity: .8 }
`
