import { Command } from 'commander'
import { nodeAddress } from '../../app/node-address.ts'
import type { QueryFeed } from '../../model/index.ts'
import { tokenHash } from '../../publisher/feed-access.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { Store } from '../../store/store.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'

export function tokenCommand(context: CliContext): Command {
  return new Command('token')
    .description('Let readers into private feeds')
    .addHelpText('after', '\nExamples:\n  $ headwater feed ice --private\n  $ headwater token create ice --label phone')
    .addCommand(createCommand(context))
    .addCommand(tokenListCommand(context))
    .addCommand(revokeCommand(context))
}

function createCommand(context: CliContext): Command {
  return new Command('create')
    .description('Make a token for a query feed; it is shown once and kept only as a hash')
    .argument('<feed>', 'name of the query feed')
    .option('--label <text>', 'what it is for, to know it in the list')
    .option('--json', 'print it as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater token create ice --label phone')
    .action(async (name: string, options: { label?: string; json?: boolean }, command: Command) =>
      withSession(command, context, async ({ config, data: { store } }) => {
        const feed = await feedNamed(name, store)
        const token = `hw_${randomSecret()}`
        const label = options.label ?? null
        const { id } = await store.addFeedToken(feed.id, { hash: tokenHash(token), label }, context.clock.now())
        const subject = [`token ${id} of feed ${name}`, label].filter(Boolean).join(', ')
        await recordLocalActions([{ action: 'token-made', subject }], store, context)
        const url = `${await nodeAddress(config, store)}/feeds/${encodeURIComponent(name)}.rss?token=${token}`
        if (options.json) return context.out(json({ id, feed: name, label, token, url }))
        context.out(`${token}\n\nRead the feed with it: ${url}\nIt cannot be shown again.\n`)
        if (!feed.isPrivate) context.out(`${name} is public; close it: headwater feed ${name} --private\n`)
      }),
    )
}

function tokenListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the tokens of a query feed')
    .argument('<feed>', 'name of the query feed')
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater token list ice')
    .action(async (name: string, options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const tokens = await store.feedTokens((await feedNamed(name, store)).id)
        if (options.json) {
          const rows = tokens.map(({ id, label, createdAt }) => ({ id, label, createdAt: isoOrNull(createdAt) }))
          return context.out(json(rows))
        }
        const now = context.clock.now()
        const rows = tokens.map(({ id, label, createdAt }) => [String(id), relative(createdAt, now), label ?? ''])
        context.out(table(['ID', 'CREATED', 'LABEL'], rows, context.style))
      }),
    )
}

function revokeCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('Take a token back; who has it is shut out at once')
    .argument('<id>', 'number in the list')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater token revoke 3')
    .action(async (id: string, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const removed = /^\d+$/.test(id) && (await store.removeFeedToken(Number(id)))
        if (!removed) throw new HeadwaterError('USAGE', `no token ${id}; see headwater token list FEED`)
        await recordLocalActions([{ action: 'token-revoked', subject: `token ${id}` }], store, context)
        context.out(options.json ? json({ revoked: Number(id) }) : `revoked ${id}\n`)
      }),
    )
}

async function feedNamed(name: string, store: Store): Promise<QueryFeed> {
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', `${name}; see headwater query list`)
  return feed
}
