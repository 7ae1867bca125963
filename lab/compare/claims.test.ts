import { describe, expect, it } from 'vitest'
import { comparisonClaims } from './claims.ts'
import type { BudgetRows, GainRow, PolicyRow, TraceComparison } from './types.ts'

const row = (policy: string, meanDelayMinutes: number, lostShare = 0): PolicyRow => ({
  policy,
  requests: 1_000,
  meanDelayMinutes,
  medianDelayMinutes: 1,
  p95DelayMinutes: 2,
  maxDelayMinutes: 3,
  deviationMinutes: 1,
  lostShare,
  price: 1,
})
const over = (policy: string, gain: number, low = gain - 0.02): GainRow => ({
  policy: 'foresight',
  over: policy,
  gain,
  low,
  high: gain + 0.02,
})
const budget = (perDay: number, gains: readonly GainRow[], more: Partial<BudgetRows> = {}): BudgetRows => ({
  perDay,
  policies: [row('foresight', 10, 0.01), row('scc07-combined', 12), row('two-steps', 13, 0.01), row('miniflux', 20)],
  gains,
  ...more,
})
const trace = (name: string, budgets: readonly BudgetRows[], window = 20): TraceComparison => ({
  trace: `traces/${name}/trace.csv.gz`,
  sources: 100,
  items: 1_000,
  window,
  measuredDays: 30,
  budgets,
})
const verdicts = (...traces: TraceComparison[]) =>
  Object.fromEntries(comparisonClaims(traces).map(({ text, verdict }) => [text, verdict]))

describe('claims', () => {
  it('hold where the figure is reached and the interval excludes zero', () => {
    const found = verdicts(
      trace('rss-2024', [
        budget(3, [over('scc07-combined', 0.06)]),
        budget(24, [over('scc07-combined', 0.14), over('miniflux', 0.5)]),
        budget(96, [over('scc07-combined', 0.3, -0.01)]),
      ]),
    )
    expect(found).toMatchObject({
      'rss-2024, 3 a day: mean delay at least 5 % below that of SCC07 combined': 'holds',
      'rss-2024, 24 a day: mean delay at least 15 % below that of SCC07 combined': 'fails',
      'rss-2024, 96 a day: mean delay at least 20 % below that of SCC07 combined': 'fails',
      "rss-2024, 24 a day: mean delay at least 45 % below that of Miniflux's entry_frequency": 'holds',
      "rss-2024, 4 a day: mean delay at least 35 % below that of Miniflux's entry_frequency": 'not measured',
    })
  })

  it('say of each trace and of its slow sources whether another is ahead beyond the interval', () => {
    const text = (name: string) => `${name}: behind no other causal policy at any budget, beyond the 95 % interval`
    const near = trace('rss-2024', [budget(3, [over('azar', -0.019), over('clairvoyant', -0.9)])])
    const slow = {
      ...trace('reddit-2013', [budget(3, [over('azar', -0.021)])]),
      trace: 'traces/reddit-2013/trace.csv.gz#slow',
    }
    const found = verdicts(near, slow)
    expect(found[text('rss-2024')]).toBe('holds')
    expect(found[text('reddit-2013, slow')]).toBe('fails')
  })

  it('against a peer hold only if they do against it as it is shipped, too', () => {
    const text = "rss-2024, 24 a day: mean delay at least 45 % below that of Miniflux's entry_frequency"
    const scaled = trace('rss-2024', [budget(24, [over('miniflux', 0.5)])])
    const shipped = (gain: GainRow) => ({
      ...scaled,
      shipped: [
        { peer: 'miniflux', perDay: 7, theirs: row('miniflux as shipped', 20), ours: row('foresight', 9), gain },
      ],
    })
    expect(verdicts(shipped(over('miniflux as shipped', 0.55)))[text]).toBe('holds')
    expect(verdicts(shipped(over('miniflux as shipped', 0.4)))[text]).toBe('fails')
  })

  it('of loss fail at the first budget at which more is lost', () => {
    const text = 'rss-2024: loss never above that of 2Steps at the same budget'
    const worse = budget(8, [], { policies: [row('foresight', 1, 0.011), row('two-steps', 1, 0.01)] })
    expect(verdicts(trace('rss-2024', [budget(3, [])]))[text]).toBe('holds')
    expect(verdicts(trace('rss-2024', [budget(3, []), worse]))[text]).toBe('fails')
  })

  it('are about every other policy on the traces that nothing was chosen on', () => {
    const text = 'reddit-2013: not behind any other causal policy by more than 2 % at any budget'
    const near = trace('reddit-2013', [budget(3, [over('uniform', 0.4), over('only-tau', -0.019)])])
    const far = trace('reddit-2013', [budget(3, [over('uniform', 0.4), over('only-tau', -0.021)])])
    expect(verdicts(near)).toMatchObject({ [text]: 'holds' })
    expect(verdicts(far)).toMatchObject({ [text]: 'fails' })
    expect(comparisonClaims([far])[0]!.figures['3 a day']).toMatch(/only-tau/)
    // Too few sources to be sure is said, too.
    expect(comparisonClaims([near])[0]!.figures['by the interval it could be']).toBe('at 3 a day')
  })

  it('say how soon unknown sources are served as well as known ones', () => {
    const newcomers = {
      sources: 100,
      starts: 6,
      delayRatioByDay: [2, 1.1],
      requestRatioByDay: [1, 1],
      settledRatio: 1.1,
    }
    const text = 'rss-2024: unknown sources are within 1.2 × of their steady delay after three days'
    expect(verdicts(trace('rss-2024', [budget(4, [], { newcomers })]))[text]).toBe('holds')
    const slow = { ...newcomers, settledRatio: 1.3 }
    expect(verdicts(trace('rss-2024', [budget(4, [], { newcomers: slow })]))[text]).toBe('fails')
  })

  it('are not made of other traces or other windows', () => {
    expect(comparisonClaims([trace('mine', [budget(3, [])]), trace('rss-2024', [budget(3, [])], 10)])).toEqual([])
  })
})
