import { describe, expect, it } from 'vitest'
import { CLUSTER_FAULTS } from '../../bench/cluster/options.ts'
import { failures, runBench } from './bench-run.ts'

const WHOLE = { crawlers: 3, matchers: 2, publishers: 2, apis: 2, mixed: 0, feeds: 60, requestsPerSecond: 20 }

it('a cluster to which everything happens for five minutes loses and doubles nothing', async () => {
  const figures = await runBench({ ...WHOLE, leaseMs: 3_000, seconds: 300, faults: CLUSTER_FAULTS })
  expect(figures.verdict.claims.filter(({ holds }) => !holds)).toEqual([])
  expect(new Set(figures.faults.map(({ fault }) => fault))).toEqual(new Set(CLUSTER_FAULTS))
})

describe('without a protection', () => {
  it('readers miss items where the log has no lock', async () => {
    const figures = await runBench({ seconds: 8, faults: [], break: 'log-lock' })
    expect(failures(figures)).toContain('itemsOutOfSight')
  })

  it('more than the budget is spent where grants are given again before they are over', async () => {
    const figures = await runBench({ seconds: 6, faults: [], requestsPerSecond: 4, break: 'grant-expiry' })
    expect(failures(figures)).toContain('requestsInOneSecond')
  })

  it('two crawlers are on one host where one does not watch the clock of its lease', async () => {
    const options = { seconds: 1, leaseMs: 1_500, latencyMs: 8_000, faults: ['partition'] } as const
    expect(failures(await runBench({ ...options, break: 'lease-clock' }))).toContain('requestsCrowded')
    expect(failures(await runBench(options))).not.toContain('requestsCrowded')
  })
})
