import { Command } from 'commander'
import type { ListSelectors } from '../../model/index.ts'
import { type CliSession, withNewSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, json } from '../output.ts'
import { fetchingPolitely } from '../polite-fetching.ts'

interface SuggestOptions {
  readonly json?: boolean
}

export function suggestCommand(context: CliContext): Command {
  return new Command('suggest')
    .description('Suggest selectors for a page that has no feed, with the items that they find; nothing is saved')
    .argument('<address>', 'address of the page')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private')
    .option('--host-spacing <duration>', 'shortest time between two requests to one host (default: 1s)')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater source suggest https://example.org/news')
    .action(async (address: string, options: SuggestOptions, command: Command) =>
      withNewSession(command, context, (session) => runSuggest(address, options, session, context)),
    )
}

async function runSuggest(
  address: string,
  options: SuggestOptions,
  session: CliSession,
  context: CliContext,
): Promise<void> {
  const { suggestForPage } = await import('../../app/sources/preview-page.ts')
  const found = await fetchingPolitely(session, context, (fetcher) => suggestForPage({ url: address }, fetcher))
  if (options.json) return context.out(json(found))
  if (found.suggestions.length === 0) context.out('No list found; name an element with --element.\n')
  for (const { listing, itemCount, items } of found.suggestions) {
    context.out(`headwater source add ${shellWord(found.url)} ${optionsOf(listing)}   # ${itemCount} items\n`)
    for (const { title, published } of items) context.out(`  ${isoOrNull(published) ?? ''}  ${title ?? ''}\n`)
  }
}

/** As they are typed. */
function optionsOf(listing: ListSelectors): string {
  const given = Object.entries(listing).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return given.map(([name, selector]) => `--${name} ${shellWord(selector)}`).join(' ')
}

function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
