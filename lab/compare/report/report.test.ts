import { describe, expect, it } from 'vitest'
import type { CompareResult, PolicyRow } from '../types.ts'
import { comparePage } from './report.ts'

const row = (policy: string, meanDelayMinutes: number, more: Partial<PolicyRow> = {}): PolicyRow => ({
  policy,
  requests: 1_000,
  meanDelayMinutes,
  medianDelayMinutes: meanDelayMinutes / 2,
  p95DelayMinutes: 3 * meanDelayMinutes,
  maxDelayMinutes: 9 * meanDelayMinutes,
  deviationMinutes: 1,
  lostShare: 0.0123,
  price: 1,
  ...more,
})

const trace = {
  trace: 'rss-<2023>',
  sources: 178,
  items: 463_000,
  window: 20,
  measuredDays: 194.04,
  budgets: [
    { perDay: 4, policies: [row('uniform', 180), row('clairvoyant', 30), row('miniflux', 90, { note: 'own' })] },
  ],
}
const result: CompareResult = { ...trace, traces: [trace, { ...trace, trace: 'another' }] }

describe('a comparison', () => {
  it('is a page, the quickest first, with the distance from the limit and the reasons', () => {
    const document = comparePage(trace)
    const rows = [...document.matchAll(/<tr>(<td.*?)<\/tr>/gs)].map(([, cells]) =>
      [...cells!.matchAll(/>([^<>]*)<\/td>/g)].map(([, cell]) => cell),
    )
    expect(rows).toEqual([
      ['clairvoyant limit', '1,000', '30', '15', '90', '270', '1.23', '1'],
      ['Miniflux *', '1,000', '90', '45', '270', '810', '1.23', '3'],
      ['uniform', '1,000', '180', '90', '540', '1,620', '1.23', '6'],
    ])
    expect(document).toContain('* Miniflux: own')
    expect(document).toContain('178 sources, 463,000 items, window 20, 194 days measured')
  })

  it('draws curves over budgets, gains with their intervals, classes, parts and drift', () => {
    const gain = { policy: 'foresight', gain: 0.251, low: 0.2, high: -0.3 }
    const learntPrice = { price: 1, requests: 990, drift: -0.01, meanDelayMinutes: 61.5, lostShare: 0 }
    const budget = (perDay: number) => ({
      perDay,
      policies: [row('foresight', 60 / perDay, { learntPrice }), row('uniform', 90 / perDay), row('clairvoyant', 0)],
      gains: [{ ...gain, over: 'uniform' }],
      classes: [{ ...gain, over: 'scc07-combined', by: 'activity', class: 'very slow', sources: 7 }],
    })
    const parts = [{ ...budget(8), drawnSources: 40, gains: [{ ...gain, over: 'foresight-myopic' }] }]
    const document = comparePage({ ...trace, budgets: [budget(1), budget(8)], parts })
    expect(document).toContain('Mean delay against budget')
    expect(document).toContain('Items lost against budget')
    expect(document).toContain('25.1 (20.0 to −30.0)')
    expect(document).toContain('looking ahead')
    expect(document).toContain('very slow')
    expect(document).toContain('−1.0 %, 61.5 min')
    expect(document).not.toMatch(/undefined|NaN/)
  })

  it('has bars for every trace and budget', () => {
    const document = comparePage(result)
    expect(document.match(/<figure>/g)).toHaveLength(2)
    expect(document).toContain('rss-&lt;2023&gt;')
    expect(document).toContain('<div class="bar marked">')
    expect(document).not.toMatch(/undefined|NaN/)
  })
})
