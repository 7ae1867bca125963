import { afterAll } from 'vitest'
import { MemoryGrants } from '../../src/cluster/memory/grants.ts'
import { MemoryPrices } from '../../src/cluster/memory/prices.ts'
import { endPostgresCluster, postgresCluster } from '../support/postgres-cluster.ts'
import { describeGrants } from './grants.contract.ts'
import { describePrices } from './prices.contract.ts'

function memoryCluster() {
  let at = Date.UTC(2026, 0, 5)
  const clock = { now: () => at }
  return {
    grants: new MemoryGrants(clock),
    prices: new MemoryPrices(clock),
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
