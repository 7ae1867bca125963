import type { InstantMs } from '../model/index.ts'
import type { Cluster } from './cluster.ts'
import { type DurabilityVerdict, judgeDurability } from './durability.ts'
import type { GrantStanding } from './grants.ts'
import type { LeasedRole, LeaseView, Member } from './lease-store.ts'
import type { PostedPrice } from './prices.ts'
import { shardsOf } from './shards.ts'

const LEASED_ROLES: readonly LeasedRole[] = ['crawler', 'matcher', 'publisher', 'controller']

/** How a cluster stands at one moment, for people. */
export interface ClusterStatus {
  readonly id: string
  /** By the clock of the store. */
  readonly now: InstantMs
  readonly members: readonly MemberStatus[]
  readonly roles: readonly RoleStatus[]
  /** null: nobody has set one yet. */
  readonly price: PostedPrice | null
  /** null: nobody has said what may be spent. */
  readonly budget: GrantStanding | null
  /** What the database may lose. */
  readonly durability: DurabilityVerdict
}

export interface MemberStatus extends Member {
  /** Shards that it has, by role; those that it has none of are left out. */
  readonly shards: Readonly<Partial<Record<LeasedRole, number>>>
  /** What it was granted and may still spend. */
  readonly granted: number
}

export interface RoleStatus {
  readonly role: LeasedRole
  readonly shards: number
  /** That somebody has. */
  readonly owned: number
  /** How often one of them got another owner, since the cluster was made. */
  readonly handOvers: number
}

/** Reads it from the store; for whoever looks, member or not. */
export async function readClusterStatus({ id, leases, grants, prices, durability }: Cluster): Promise<ClusterStatus> {
  const [views, price, budget, safety] = await Promise.all([
    Promise.all(LEASED_ROLES.map((role) => leases.view(role))),
    prices.read(),
    grants.standing(),
    durability(),
  ])
  const owners = LEASED_ROLES.map((role, index) => ({ role, counts: countByOwner(views[index]) }))
  const members = (views.at(-1)?.members ?? []).map((member) => ({
    ...member,
    shards: Object.fromEntries(
      owners.flatMap(({ role, counts }) => (counts.has(member.id) ? [[role, counts.get(member.id)]] : [])),
    ),
    granted: grantedTo(member.id, budget),
  }))
  const roles = owners.map(({ role, counts }, index) => ({
    role,
    shards: shardsOf(role),
    owned: [...counts.values()].reduce((sum, count) => sum + count, 0),
    handOvers: handOversIn(views[index]),
  }))
  return { id, now: views.at(-1)?.now ?? 0, members, roles, price, budget, durability: judgeDurability(safety) }
}

/** A member draws under a name of its own for each crawl that it begins. */
function grantedTo(memberId: string, budget: GrantStanding | null): number {
  const own = [...(budget?.outstanding ?? [])].filter(([name]) => name.startsWith(memberId))
  return own.reduce((sum, [, amount]) => sum + amount, 0)
}

/** The first owner of a shard gets the token 1, each later one the next. */
function handOversIn(view: LeaseView | undefined): number {
  return (view?.leases ?? []).reduce((sum, { token }) => sum + token - 1, 0)
}

/** Of leases that are not over. */
function countByOwner(view: LeaseView | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { owner, until } of view?.leases ?? []) {
    if (owner !== null && until > (view?.now ?? 0)) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}
