import { Command } from 'commander'
import type { SourcePreview } from '../../app/sources/find-feed.ts'
import { withNewSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, json } from '../output.ts'
import { searchPolitely } from './polite-search.ts'

export function discoverCommand(context: CliContext): Command {
  return new Command('discover')
    .description('Show the feeds behind an address, and why; nothing is added')
    .argument('<address>', 'of a feed, site, channel, profile, repository …, as it was pasted')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private')
    .option('--host-spacing <duration>', 'shortest time between two requests to one host (default: 1s)')
    .option('--json', 'print them as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater source discover https://www.youtube.com/@NASA
  $ headwater source discover @Gargron@mastodon.social`,
    )
    .action(async (address: string, options: { json?: boolean }, command: Command) =>
      withNewSession(command, context, async (session) => {
        const { previewFeeds } = await import('../../app/sources/find-feed.ts')
        const feeds = await searchPolitely(session, context, (fetcher, rules) =>
          previewFeeds(address, { url: address }, fetcher, { rules }),
        )
        context.out(options.json ? json(feeds.map(previewJson)) : feeds.map(described).join(''))
      }),
    )
}

function previewJson({ items, ...feed }: SourcePreview) {
  return { ...feed, items: items.map((item) => ({ ...item, published: isoOrNull(item.published) })) }
}

function described({ url, title, rule, format, itemCount }: SourcePreview): string {
  const how = rule === null ? '' : `, ${rule}`
  return `${url}\n  ${title ?? '(no title)'}: ${format}, ${itemCount} items${how}\n`
}
