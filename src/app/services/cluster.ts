import type { ClusterView } from '../../api/services.ts'
import type { GrantStanding } from '../../cluster/grants.ts'
import { MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type ClusterStanding, readClusterStanding } from '../data/cluster-standing.ts'
import type { OpenedData } from '../data/opened-data.ts'
import type { QualityStep, RecentQuality } from '../quality/recent-quality.ts'

const SPENDING_SPAN_MS = 10 * MINUTE_MS
const SPENDING_STEP_MS = 10 * SECOND_MS

/** How the processes on these data stand, as the API shows it. */
export function createClusterService(
  data: OpenedData,
  recent: Pick<RecentQuality, 'steps'> | null,
  clock: Pick<Clock, 'now'>,
): () => Promise<ClusterView> {
  return async () => {
    if (data.cluster === null) return { data: data.name, cluster: null }
    const standing = await readClusterStanding(data)
    // What was spent is known a step later.
    const steps = recent?.steps(SPENDING_SPAN_MS, SPENDING_STEP_MS, clock.now() - SPENDING_STEP_MS) ?? []
    return { data: data.name, cluster: stateOf(standing, steps) }
  }
}

function stateOf(standing: ClusterStanding, steps: readonly QualityStep[]): ClusterView['cluster'] {
  const { id, now, members, roles, price, budget, readers, durability } = standing
  return {
    id,
    at: now,
    members: members.map((member) => ({ ...member, roles: [...member.roles], shards: { ...member.shards } })),
    roles: [...roles],
    price: price && { price: price.price, strategy: price.strategy, ageMs: Math.max(0, price.ageMs) },
    budget: budget && budgetOf(budget),
    readers: [...readers],
    durability,
    spending: steps.map(({ from, to, tally }) => ({ from, to, requests: tally.requests })),
  }
}

function budgetOf({ terms, balance, outstanding, spent, limit }: GrantStanding) {
  const { requests, perMs } = terms.budget
  return {
    requests,
    perMs,
    perSecond: (requests * terms.factor * SECOND_MS) / perMs,
    balance,
    granted: [...outstanding.values()].reduce((sum, amount) => sum + amount, 0),
    spent,
    limit,
  }
}
