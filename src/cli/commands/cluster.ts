import { Command } from 'commander'
import { type ClusterStanding, readClusterStanding } from '../../app/data/cluster-standing.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, json, relative } from '../output.ts'
import type { Style } from '../style.ts'
import { table } from '../table.ts'

export function clusterCommand(context: CliContext): Command {
  return new Command('cluster')
    .description('Several processes on one PostgreSQL')
    .addCommand(statusCommand(context))
    .addHelpText('after', '\nExample:\n  $ headwater cluster status --store postgres://me@db.example.org/feeds')
}

function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description('Members, what each of them has, the common price and budget, and how far readers are behind')
    .option('--json', 'print it as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater cluster status --store postgres://me@db.example.org/feeds')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const standing = await readClusterStanding(data)
        context.out(options.json ? json(wireStanding(standing)) : wordsFor(standing, context.style))
      }),
    )
}

function wireStanding({ members, budget, ...status }: ClusterStanding): object {
  return {
    ...status,
    now: isoOrNull(status.now),
    members: members.map((member) => ({
      ...member,
      startedAt: isoOrNull(member.startedAt),
      lastSeenAt: isoOrNull(member.lastSeenAt),
    })),
    budget: budget && { ...budget, outstanding: Object.fromEntries(budget.outstanding) },
  }
}

function wordsFor(
  { id, now, members, roles, price, budget, readers, durability }: ClusterStanding,
  style: Style | undefined,
): string {
  const memberRows = members.map(({ name, roles, version, startedAt, lastSeenAt, shards, granted }) => [
    name,
    roles.join(','),
    version,
    relative(startedAt, now),
    relative(lastSeenAt, now),
    Object.entries(shards)
      .map(([role, count]) => `${role} ${count}`)
      .join(', ') || '–',
    String(Math.round(granted * 10) / 10),
  ])
  const sections = [
    `Cluster ${id}\n`,
    table(['MEMBER', 'ROLES', 'VERSION', 'STARTED', 'SEEN', 'SHARDS', 'GRANTED'], memberRows, style),
    table(
      ['ROLE', 'SHARDS', 'OWNED', 'HANDED OVER'],
      roles.map(({ role, shards, owned, handOvers }) => [role, String(shards), String(owned), String(handOvers)]),
      style,
    ),
    `${priceWords(price, now)}\n${budgetWords(budget)}\n${durabilityWords(durability)}\n`,
    table(
      ['READER', 'OWNER', 'BEHIND'],
      readers.map(({ name, owner, backlog, isExpired }) => [
        name,
        owner ?? '–',
        isExpired ? 'expired' : String(backlog),
      ]),
      style,
    ),
  ]
  return sections.join('\n')
}

function priceWords(price: ClusterStanding['price'], now: number): string {
  if (price === null) return 'Price: nobody has set one yet'
  return `Price: ${price.price} (${price.strategy}, set ${relative(now - price.ageMs, now)})`
}

function budgetWords(budget: ClusterStanding['budget']): string {
  if (budget === null) return 'Budget: no crawler has said yet what may be spent'
  const { terms, balance, spent, limit } = budget
  const rate = `${terms.budget.requests} requests every ${terms.budget.perMs / 1_000} s`
  const used =
    limit === null ? '' : `; spent ${Math.round(spent)} of ${Math.round(limit.amount)} in ${limit.spanMs / 1_000} s`
  return `Budget: ${rate}; ${Math.round(balance)} can be granted now${used}`
}

function durabilityWords({ isAtRisk, words, remedy }: ClusterStanding['durability']): string {
  return `Database: ${isAtRisk ? 'WARNING, ' : ''}${words}${remedy === null ? '' : `; ${remedy}`}`
}
