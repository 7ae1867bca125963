import { Command } from 'commander'
import type { Config } from '../../app/config.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { withSession } from '../session.ts'
import { type SettingOptions, settingsFrom, withSettingOptions } from './source-settings.ts'
import { sourceJson } from './source-show.ts'

interface AddOptions extends SettingOptions {
  readonly check: boolean
  readonly json?: boolean
}

export function addCommand(context: CliContext): Command {
  return withSettingOptions(new Command('add'))
    .description('Follow a feed, by its own address or by the page of its site')
    .argument('<address>', 'address of the feed or of the site')
    .option('--no-check', 'add the address as it is, without fetching it first')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private')
    .option('--json', 'print the source as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater source add https://example.org/            finds the feed that the page announces
  $ headwater source add https://example.org/feed.xml --category News/Science --weight 2
  $ headwater source add https://intranet/feed --auth me:secret --allow-range private`,
    )
    .action(async (address: string, options: AddOptions, command: Command) =>
      withSession(command, context, async ({ config, data }) => {
        const { shownName, withDefaults } = await import('../../app/sources.ts')
        const { normalizeSourceUrl } = await import('../../sources/source-url.ts')
        const settings = settingsFrom(options)
        const url = options.check ? await checked(address, settings, config, context) : normalizeSourceUrl(address)
        const [{ source, added }] = await data.store.addSources(
          [withDefaults({ ...settings, url })],
          context.clock.now(),
        )
        if (!added) throw new HeadwaterError('SOURCE_EXISTS', `${source.url} is source ${source.id}`)
        context.out(options.json ? json(sourceJson(source)) : `Added source ${source.id}: ${shownName(source)}\n`)
      }),
    )
}

async function checked(
  address: string,
  settings: ReturnType<typeof settingsFrom>,
  config: Config,
  context: CliContext,
): Promise<string> {
  const { fetcherFor } = await import('../../app/crawling.ts')
  const { findFeed } = await import('../../app/find-feed.ts')
  const fetcher = fetcherFor(config, context.clock)
  try {
    return (await findFeed(address, { ...settings, url: address }, fetcher)).url
  } finally {
    await fetcher.close()
  }
}
