import { afterAll, expect, it } from 'vitest'
import type { LogInLimits } from '../../src/cluster/log-in-limits.ts'
import { MemoryGrants } from '../../src/cluster/memory/grants.ts'
import { createMemoryJobBoard } from '../../src/cluster/memory/job-board.ts'
import { MemoryLogInLimits } from '../../src/cluster/memory/log-in-limits.ts'
import { MemoryPrices } from '../../src/cluster/memory/prices.ts'
import { HOUR_MS } from '../../src/model/index.ts'
import { endPostgresCluster, postgresCluster } from '../support/postgres-cluster.ts'
import { describeGrants } from './grants.contract.ts'
import { describeJobBoard } from './job-board.contract.ts'
import { describeLogIns } from './log-in-limits.contract.ts'
import { describePrices } from './prices.contract.ts'

function memoryCluster() {
  let at = Date.UTC(2026, 0, 5)
  const clock = { now: () => at }
  const logIns = new MemoryLogInLimits(clock.now)
  const jobs = createMemoryJobBoard(clock.now)
  return {
    grants: new MemoryGrants(clock),
    prices: new MemoryPrices(clock),
    replicas: [logIns, logIns] as const,
    boards: [jobs, jobs] as const,
    now: () => at,
    async pass(ms: number) {
      at += ms
    },
    async end() {},
  }
}

afterAll(endPostgresCluster)

describeGrants({ name: 'memory', cases: 300, open: async () => memoryCluster() })
describeGrants({ name: 'PostgreSQL', cases: 12, open: postgresCluster })
describePrices({ name: 'memory', open: async () => memoryCluster() })
describePrices({ name: 'PostgreSQL', open: postgresCluster })
describeJobBoard({ name: 'memory', open: async () => memoryCluster() })
describeJobBoard({ name: 'PostgreSQL', open: postgresCluster })
describeLogIns({ name: 'memory', cases: 100, open: async () => memoryCluster() })
describeLogIns({ name: 'PostgreSQL', cases: 3, open: postgresCluster })

it('log-in limits in memory forget the oldest, however many names and places are tried', async () => {
  const limits = new MemoryLogInLimits(() => 0)
  for (let round = 0; round < 60_000; round++)
    await limits.admit({ account: `a${round}`, address: `p${round}`, isKnown: false })
  expect(limits.entries).toBeLessThanOrEqual(40_000)
})

it('log-in limits in PostgreSQL forget what is old, and the oldest of too many', async () => {
  const { replicas, pass, attempts, few, end } = await postgresCluster()
  const admit = (limits: LogInLimits, name: string) => limits.admit({ account: name, address: name, isKnown: false })
  for (let round = 0; round < 70; round++) await admit(replicas[0], `old ${round}`)
  expect(await attempts()).toBe(140)
  await pass(HOUR_MS + 1)
  for (let round = 0; round < 150; round++) {
    await pass(1)
    await admit(few, `new ${round}`)
  }
  // Looked at after each 64 tries, of two counts each.
  expect(await attempts()).toBeLessThanOrEqual(20 + 128)
  for (let round = 0; round < 5; round++) expect(await admit(few, 'again')).toBe(0)
  expect(await admit(few, 'again')).toBeGreaterThan(0)
  await end()
})
