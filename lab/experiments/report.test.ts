import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisFor } from '../report/axes.ts'
import { barsHtml } from '../report/bars.ts'
import { chart } from '../report/chart.ts'
import { reportHtml } from '../report/html.ts'
import { cellText } from '../report/table.ts'
import type { Series } from '../report/types.ts'
import type { ExperimentResult } from './experiment.ts'
import { type ReportedResult, renderReport } from './report.ts'
import { renderText } from './report-text.ts'

const series = (more: Partial<Series> = {}): Series => ({
  figure: '4.2: completeness',
  name: '2Steps',
  xLabel: 'b',
  yLabel: 'completeness',
  x: [10, 30, 50],
  y: [0.4, 0.8, 0.95],
  ...more,
})

const reported = (more: Partial<ExperimentResult> = {}, id = 'one'): ReportedResult => ({
  experiment: { id, title: `Experiment ${id}`, paper: 'thesis 4.4' },
  seeds: 3,
  result: {
    tables: [{ title: 'Costs', columns: ['strategy', 'cost'], rows: [['uniform', 12_345.5]] }],
    series: [series(), series({ name: 'uniform', y: [0.3, 0.6, 0.8] })],
    claims: [{ text: '2Steps is better', holds: true, figures: { 'gap at 30': 0.2 } }],
    deviations: ['Sources are drawn.'],
    ...more,
  },
})

/** Tags that were opened and not closed, or closed and not opened; void elements apart. */
function unbalanced(document: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, end, name, rest] of document.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^>"])*)>/g)) {
    if (rest!.endsWith('/') || ['meta', 'br'].includes(name!)) continue
    if (end === '') open.push(name!)
    else if (open.pop() !== name) wrong.push(name!)
  }
  return [...wrong, ...open]
}

describe('the report', () => {
  it('is one well-formed file that loads and runs nothing', () => {
    const document = renderReport([reported(), reported({}, 'two')])
    expect(unbalanced(document)).toEqual([])
    expect(document).toMatch(/^<!doctype html>/)
    expect(document).not.toMatch(/<script|<link|<img|src=|url\(|@import|https?:/)
    expect(document).toContain('id="two"')
    expect(document).toContain('2 experiments, 2 of 2 claims hold')
  })

  it('shows claims with their verdict and figures, tables, deviations and where the figure stands in the paper', () => {
    const document = renderReport([
      reported({ claims: [{ text: 'Order is kept', holds: false, figures: { uniform: 0.71 } }] }),
    ])
    expect(document).toContain('0 of 1 claims hold')
    expect(document).toMatch(/class="broken">.*✗.*Order is kept.*uniform <b>0\.71<\/b>/s)
    expect(document).toContain('Figure 4.2: completeness')
    expect(document).toMatch(/<td class="text">uniform<\/td>\s*<td class="number">12,345\.5<\/td>/)
    expect(document).toContain('Sources are drawn.')
    expect(document).toContain('3 seeds')
  })

  it('lets nothing an experiment says become markup', () => {
    const evil = `"><script>alert('1')</script>&`
    const text = fc.oneof(fc.string(), fc.constant(evil))
    fc.assert(
      fc.property(text, text, (a, b) => {
        const document = renderReport([
          {
            experiment: { id: a, title: b, paper: a },
            result: {
              tables: [{ title: a, columns: [b, a], rows: [[a, b]] }],
              series: [series({ figure: b, name: a, xLabel: b, yLabel: a }), series({ figure: b, name: b })],
              claims: [{ text: b, holds: false, figures: { [a]: b } }],
              deviations: [a],
            },
          },
        ])
        expect(document).not.toContain('<script')
        expect(unbalanced(document)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('folds long tables and draws a long line with few points', () => {
    const rows = Array.from({ length: 40 }, (_, k) => [k, k * k])
    const x = Array.from({ length: 50_000 }, (_, k) => k)
    const wave = x.map((k) => (k === 31_007 ? 99 : Math.sin(k / 900)))
    const document = renderReport([
      reported({ tables: [{ title: 'Long', columns: ['k', 'k²'], rows }], series: [series({ x, y: wave })] }),
    ])
    expect(document).toContain('<details')
    expect(document.length).toBeLessThan(60_000)
    // The lonely peak is still there: at the top of the plot.
    const [, path] = /class="curve c0" d="([^"]*)"/.exec(document)!
    const heights = path!
      .split(/[ML]/)
      .filter(Boolean)
      .map((point) => Number(point.split(' ')[1]))
    expect(Math.min(...heights)).toBeLessThan(30)
  })
})

describe('a plot', () => {
  it('has gaps where there is no value, and none of NaN in the drawing', () => {
    const svg = chart('gap', [series({ x: [1, 2, 3, 4], y: [1, Number.NaN, 3, 4] })]).markup
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    const [, path] = /class="curve c0" d="([^"]*)"/.exec(svg)!
    expect(path!.match(/M/g)).toHaveLength(2)
  })

  it.each([
    { name: 'asked for', series: series({ log: 'xy' }), kinds: ['log', 'log'] },
    { name: 'refused', series: series({ y: [1, 10, 1e6], log: 'none' }), kinds: ['linear', 'linear'] },
    { name: 'taken for more than three decades', series: series({ y: [1, 10, 1e6] }), kinds: ['linear', 'log'] },
    { name: 'not taken with a zero', series: series({ y: [0, 10, 1e6] }), kinds: ['linear', 'linear'] },
  ])('a logarithmic scale is $name', ({ series, kinds }) => {
    expect([axisFor([series], 'x', 0, 100).kind, axisFor([series], 'y', 100, 0).kind]).toEqual(kinds)
  })

  it('keeps every value within the axes', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (y) => {
        const axis = axisFor([series({ x: y.map((_, k) => k), y })], 'y', 250, 10)
        for (const each of y) {
          expect(axis.position(each)).toBeGreaterThanOrEqual(10 - 1e-6)
          expect(axis.position(each)).toBeLessThanOrEqual(250 + 1e-6)
        }
        expect(axis.labels.length).toBeLessThanOrEqual(7)
      }),
    )
  })

  it('draws empty series and single points without complaint', () => {
    for (const one of [series({ x: [], y: [] }), series({ x: [3], y: [0] }), series({ style: 'points' })]) {
      expect(chart('few', [one]).markup).not.toMatch(/NaN|undefined/)
    }
  })

  it('gives curves beyond the eighth a dash of their own', () => {
    const many = Array.from({ length: 10 }, (_, k) => series({ name: `s${k}` }))
    const looks = [...chart('many', many).markup.matchAll(/class="curve (c\d)" d="[^"]*"( stroke-dasharray="[^"]*")?/g)]
    expect(new Set(looks.map(([, colour, dash]) => `${colour}${dash ?? ''}`)).size).toBe(10)
  })

  it('draws bars in proportion', () => {
    const svg = barsHtml('Delay', [
      { name: 'uniform', value: 100 },
      { name: '<clairvoyant>', value: 25, marked: true },
    ]).markup
    expect(svg).toContain('width:70%')
    expect(svg).toContain('width:17.5%')
    expect(svg).toContain('&lt;clairvoyant&gt;')
  })
})

describe('text', () => {
  it('is readable on a terminal', () => {
    expect(renderText(reported())).toBe(`Experiment one
thesis 4.4

  ✓ 2Steps is better
      gap at 30 0.2

Costs
  strategy      cost
  uniform   12,345.5

Where ours differs:
  · Sources are drawn.
`)
  })

  it.each([
    [0.25, '0.25'],
    [-3, '−3'],
    [0, '0'],
    [1_234_567, '1,234,567'],
    [0.000012, '1.20e−5'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NaN, '–'],
    [null, '–'],
    ['≥ 4', '≥ 4'],
  ])('writes %s as %s', (value, text) => {
    expect(cellText(value)).toBe(text)
  })

  it('escapes every value of a template but HTML itself', () => {
    expect(reportHtml`<p>${'<b>'}${reportHtml`<i>${'&'}</i>`}${[reportHtml`1`, reportHtml`2`]}</p>`.markup).toBe(
      '<p>&lt;b&gt;<i>&amp;</i>1\n2</p>',
    )
  })
})
