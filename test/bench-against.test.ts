import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { costFigures, isLoss, losses } from '../scripts/bench-against.mjs'

const report = (cpuMicrosPerItem: number, itemsPerCpuSecond: number) =>
  costFigures({
    items: 20_000,
    store: { itemsPerSecond: 1, itemsPerCpuSecond, cpuMicrosPerItem },
    note: 'text',
    none: null,
  })

describe('benches of two commits in turns', () => {
  it('compares figures of cost, by processor time where there is one', () => {
    expect(report(80, 12_500)).toEqual([
      ['store.itemsPerCpuSecond', 12_500],
      ['store.cpuMicrosPerItem', 80],
    ])
  })

  it.each([
    { name: 'no change', before: [80, 12_500], now: [80, 12_500], lost: [0, 0] },
    { name: 'a tenth dearer', before: [80, 11_000], now: [88, 10_000], lost: [0.1, 0.1] },
    { name: 'half the cost', before: [80, 10_000], now: [40, 20_000], lost: [-0.5, -0.5] },
  ] as const)('$name', ({ before, now, lost }) => {
    const rows = losses([{ before: report(before[0], before[1]), now: report(now[0], now[1]) }]) as {
      path: string
      lost: number
    }[]
    expect(rows.map(({ path }) => path)).toEqual(['store.itemsPerCpuSecond', 'store.cpuMicrosPerItem'])
    for (const [at, row] of rows.entries())
      expect(row.lost).toBeCloseTo([lost[0], lost[1]].toReversed()[at] ?? Number.NaN)
  })

  it('takes the median of the turns, so that one slow turn does not count', () => {
    const turns = [1, 1.5, 1.01].map((factor) => ({ before: report(100, 1_000), now: report(100 * factor, 1_000) }))
    const [, cost] = losses(turns) as { lost: number }[]
    expect(cost?.lost).toBeCloseTo(0.01)
  })

  it('calls no loss what other people’s code does on a noisy machine', () => {
    const verdicts = ['bareInserts.itemsPerCpuSecond', 'store.itemsPerCpuSecond'].map((path) =>
      isLoss({ path, lost: 0.05 }),
    )
    expect(verdicts).toEqual([false, true])
  })

  it('leaves out what only one of them measures', () => {
    const before = costFigures({ old: { cpuMs: 1 }, both: { cpuMs: 2 } })
    const now = costFigures({ both: { cpuMs: 2 }, fresh: { cpuMs: 3 } })
    expect((losses([{ before, now }]) as { path: string }[]).map(({ path }) => path)).toEqual(['both.cpuMs'])
  })
})
