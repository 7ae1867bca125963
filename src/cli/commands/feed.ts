import { Command, Option } from 'commander'
import { sourceNamed } from '../../app/sources.ts'
import type { FeedAddress } from '../../publisher/addresses.ts'
import type { FeedFormatName } from '../../publisher/published-feed.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import type { CliContext } from '../context.ts'
import { DEFAULT_DATA_DIR, withSession } from '../session.ts'

export function feedCommand(context: CliContext): Command {
  return new Command('feed')
    .description('Print a published feed, as the node serves it')
    .argument('<name>', 'all, source/ID or category/PATH')
    .addOption(new Option('--format <format>', 'rss, atom or json').choices(['rss', 'atom', 'json']).default('rss'))
    .option('--data <dir>', `folder of the node's data (default: ${DEFAULT_DATA_DIR})`)
    .option('--feed-items <n>', 'how many items (default: 100)')
    .addHelpText('after', '\nExamples:\n  $ headwater feed all\n  $ headwater feed category/News --format atom')
    .action(async (name: string, options: { format: FeedFormatName }, command: Command) =>
      withSession(command, context, async ({ config, data }) => {
        const { createFeedService } = await import('../../publisher/feeds.ts')
        const feeds = createFeedService({
          store: data.store,
          clock: context.clock,
          baseUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
          limit: config.feedItems,
        })
        const feed = await feeds.get(await addressOf(name, data.store), options.format)
        if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', name)
        context.out(feed.body.toString())
      }),
    )
}

async function addressOf(name: string, store: Store): Promise<FeedAddress> {
  if (name === 'all') return { kind: 'all' }
  if (name.startsWith('category/')) return { kind: 'category', category: name.slice('category/'.length) }
  if (name.startsWith('source/')) {
    return { kind: 'source', sourceId: (await sourceNamed(name.slice('source/'.length), store)).id }
  }
  throw new HeadwaterError('FEED_NOT_FOUND', `${name}; write all, source/ID or category/PATH`)
}
