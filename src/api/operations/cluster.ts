import { z } from 'zod'
import { operation } from './operation.ts'
import { duration, instant } from './shared.ts'

const member = z.object({
  /** Of this start of the process; another start is another member. */
  id: z.string(),
  /** Machine and process. */
  name: z.string(),
  roles: z.array(z.string()),
  version: z.string(),
  startedAt: instant,
  /** When it last said that it is there. Members that were not seen for a day are forgotten. */
  lastSeenAt: instant,
  /** Shards that it has, by role. */
  shards: z.record(z.string(), z.int()),
  /** Requests that it was granted and may still make. */
  granted: z.number(),
})

const leasedRole = z.object({
  role: z.string(),
  shards: z.int(),
  /** That a member has; the others wait for one. */
  owned: z.int(),
  /** How often a shard got another owner, since the cluster was made. */
  handOvers: z.int(),
})

const commonBudget = z.object({
  requests: z.number(),
  perMs: duration,
  /** What it allows in a second, on average. */
  perSecond: z.number(),
  /** What could be granted at once; below 0: what is owed. */
  balance: z.number(),
  /** Granted to members that may still spend it. */
  granted: z.number(),
  /** Spent in the last `limit.spanMs`. */
  spent: z.number(),
  /** Never more than `amount` in any `spanMs`; null: the rate alone is held. */
  limit: z.object({ amount: z.number(), spanMs: duration }).nullable(),
})

export const clusterState = z.object({
  id: z.string(),
  /** Now, by the clock of the database, as all times here. */
  at: instant,
  members: z.array(member),
  roles: z.array(leasedRole),
  /** null: nobody has set one yet. */
  price: z.object({ price: z.number(), strategy: z.string(), ageMs: duration }).nullable(),
  /** null: no crawler has said yet what may be spent. */
  budget: commonBudget.nullable(),
  /** Who reads new items, and how many entries each is behind. */
  readers: z.array(
    z.object({ name: z.string(), owner: z.string().nullable(), backlog: z.int(), isExpired: z.boolean() }),
  ),
  /** Whether the database may lose what it has confirmed, and what to do about it; null: nothing. */
  durability: z.object({ isAtRisk: z.boolean(), words: z.string(), remedy: z.string().nullable() }),
  /** Requests of all members in the last minutes, step by step, oldest first. */
  spending: z.array(z.object({ from: instant, to: instant, requests: z.number() })),
})

export const clusterView = z.object({
  /** The folder, or the address without its password. */
  data: z.string(),
  /** null: one node alone has the data. */
  cluster: clusterState.nullable(),
})

export const clusterOperations = {
  showCluster: operation('showCluster', 'Node', {
    method: 'GET',
    path: '/api/cluster',
    right: 'admin',
    summary:
      'The processes on the same data: what each has, the common price and budget, and how far readers are behind',
    answer: clusterView,
  }),
}
