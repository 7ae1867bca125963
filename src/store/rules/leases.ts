import type { ShardLease } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { SourcePart } from '../shards.ts'

/** What is left of a part whose leases are looked at: shards that another has by now are no longer of it. */
export function partUnder(
  part: SourcePart | undefined,
  isCurrent: (lease: ShardLease) => boolean,
): SourcePart | undefined {
  if (part?.tokens === undefined) return part
  const { tokens, shards, of } = part
  const left = [...shards].filter((shard) => {
    const token = tokens.get(shard)
    return token !== undefined && isCurrent({ shard, token })
  })
  return { shards: new Set(left), of }
}

/** Of a writer whose lease another has by now. */
export function leaseLost(lease: ShardLease | undefined): HeadwaterError {
  return new HeadwaterError('LEASE_LOST', lease === undefined ? undefined : `shard ${lease.shard}`)
}
