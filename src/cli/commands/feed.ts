import { Command, Option } from 'commander'
import { nodeAddress } from '../../app/node-address.ts'
import { findSourceByName } from '../../app/sources/import-sources.ts'
import type { FeedAddress } from '../../publisher/addresses.ts'
import type { FeedFormatName } from '../../publisher/published-feed.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'

interface FeedOptions {
  readonly format: FeedFormatName
  readonly private?: boolean
  readonly public?: boolean
  readonly json?: boolean
}

export function feedCommand(context: CliContext): Command {
  return new Command('feed')
    .description('Print a published feed, as the node serves it')
    .argument('<name>', 'of a query feed, or all, source/ID, category/PATH')
    .addOption(new Option('--format <format>', 'rss, atom or json').choices(['rss', 'atom', 'json']).default('rss'))
    .option('--private', 'show it only to readers with a token (query feeds)')
    .option('--public', 'show it to everybody again')
    .option('--json', 'the same as --format json; with --private or --public: what was done as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option('--feed-items <n>', 'how many items (default: 100)')
    .addHelpText('after', '\nExamples:\n  $ headwater feed all\n  $ headwater feed ice --format atom')
    .action(async (name: string, options: FeedOptions, command: Command) =>
      withSession(command, context, (session) => runFeed(session, context, name, options)),
    )
}

async function runFeed(
  { config, data }: CliSession,
  context: CliContext,
  name: string,
  options: FeedOptions,
): Promise<void> {
  if (options.private || options.public) {
    const words = await setAccess(name, options, data.store)
    const subject = `${options.private ? 'private' : 'public'}: ${name}`
    await recordLocalActions([{ action: 'feed-access-changed', subject }], data.store, context)
    return context.out(options.json ? json({ feed: name, isPrivate: options.private === true }) : words)
  }
  const { feedServiceFor } = await import('../../app/publishing/publishing.ts')
  const feeds = feedServiceFor(config, data, context.clock, await nodeAddress(config, data.store))
  const feed = await feeds.get(await addressOf(name, data.store), options.json ? 'json' : options.format)
  if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', name)
  context.out(feed.body.toString())
}

async function setAccess(name: string, options: FeedOptions, store: Store): Promise<string> {
  if (options.private && options.public) throw new HeadwaterError('USAGE', 'give --private or --public, not both')
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', `${name}; only query feeds can be private`)
  await store.updateQueryFeed(feed.id, { isPrivate: options.private === true })
  if (!options.private) return `${name} is public\n`
  const tokens = (await store.feedTokens(feed.id)).length
  return `${name} is private${tokens > 0 ? '' : `; let somebody read it: headwater token create ${name}`}\n`
}

async function addressOf(name: string, store: Store): Promise<FeedAddress> {
  if (name === 'all') return { kind: 'all' }
  if (name.startsWith('category/')) return { kind: 'category', category: name.slice('category/'.length) }
  if (name.startsWith('source/')) {
    return { kind: 'source', sourceId: (await findSourceByName(name.slice('source/'.length), store)).id }
  }
  return { kind: 'query', name }
}
