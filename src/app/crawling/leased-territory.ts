import type { LeaseKeeper } from '../../cluster/lease-keeper.ts'
import type { Territory } from '../../crawler/territory.ts'
import type { DurationMs } from '../../model/index.ts'

/** The shards that a member has leases of, as the crawler sees them. */
export function leasedTerritory(keeper: LeaseKeeper, restMs: DurationMs): Territory {
  return {
    shards: keeper.shards,
    restMs,
    tokens: () => keeper.tokens(),
    isValid: (shard, token) => keeper.isValid(shard, token),
    lose: (shard, token) => keeper.lose(shard, token),
    onChange: (listener) => keeper.onChange(listener),
    onLeave: (endWork) => keeper.onLeave(endWork),
  }
}
