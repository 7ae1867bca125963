import type { HasLease } from '../../cluster/hold-price.ts'
import { LeaseKeeper } from '../../cluster/lease-keeper.ts'
import type { LeaseStore, MemberBeat } from '../../cluster/lease-store.ts'
import type { HostMemory } from '../../crawler/shard-work.ts'
import type { Territory } from '../../crawler/territory.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import { leasedTerritory } from './leased-territory.ts'

/** The only shard of the controller. */
const CONTROLLER = 0

export interface LeasedCrawl {
  readonly territory: Territory
  /** The token of the lease to move the price of all; null: another process has it. */
  readonly controllerToken: HasLease
  /** The crawl, with its leases kept up until all that was under way is stored. */
  during(crawl: Layer): Layer
}

/** For a crawler beside others on the same data. */
export function leaseCrawl(
  { lease, hostSpacing }: Pick<Config, 'lease' | 'hostSpacing'>,
  leases: LeaseStore,
  member: MemberBeat,
  { clock, logger }: Environment,
  hostMemory: HostMemory,
): LeasedCrawl {
  const common = { leases, member, clock, logger, leaseMs: lease }
  const keeper = new LeaseKeeper({ ...common, role: 'crawler' })
  // No member names it among its roles: so it stays with whoever had it first, until that one is gone.
  const controller = new LeaseKeeper({ ...common, role: 'controller' })
  return {
    controllerToken: () => controller.current().get(CONTROLLER) ?? null,
    territory: leasedTerritory(keeper, hostSpacing),
    during: (crawl) => ({
      ...crawl,
      async run(end, succeeded) {
        const leasing = new AbortController()
        const keeping = Promise.all([keeper.run(leasing.signal), controller.run(leasing.signal)])
        try {
          await crawl.run(end, succeeded)
          await hostMemory.save()
        } finally {
          leasing.abort()
          await keeping
        }
      },
    }),
  }
}
