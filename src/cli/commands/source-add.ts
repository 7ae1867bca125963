import { Command } from 'commander'
import type { FoundFeed, FoundFeeds, PickFeed } from '../../app/sources/find-feed.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type CliSession, withNewSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { allowForNode } from './allow-range.ts'
import { searchPolitely } from './polite-search.ts'
import { type SettingOptions, settingsFrom, withSettingOptions } from './source-settings.ts'
import { sourceJson } from './source-show.ts'

interface AddOptions extends SettingOptions {
  readonly check: boolean
  readonly pick?: string
  readonly allowRange?: string
  readonly json?: boolean
}

export function addCommand(context: CliContext): Command {
  return withSettingOptions(new Command('add'))
    .description('Follow a feed, by its own address or by that of its site, channel, profile, repository …')
    .argument('<address>', 'address of the feed or of what it is about, as it was pasted')
    .option('--no-check', 'add the address as it is, without fetching it first')
    .option('--pick <n>', 'which of several feeds of a site, by number or address (default: asks, or takes the first)')
    .option('--allow-range <ranges>', 'the node may fetch from these addresses, now and later: CIDR, loopback, private')
    .option('--host-spacing <duration>', 'shortest time between two requests to one host (default: 1s)')
    .option('--json', 'print the source as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater source add https://example.org/            finds the feed that the page announces
  $ headwater source add https://example.org/ --pick 2   the second of them
  $ headwater source add https://www.youtube.com/@NASA   knows where many sites have their feeds
  $ headwater source add https://example.org/feed.xml --category News/Science --weight 2
  $ headwater source add https://intranet/feed --auth me:secret --allow-range private
  $ headwater source add https://example.org/news --list "ul.news > li" --date .day   a page without a feed
  $ headwater source add https://example.org/prices --element "table#prices"          what changes there`,
    )
    .action(async (address: string, options: AddOptions, command: Command) =>
      withNewSession(command, context, (session) => add(address, options, session, context)),
    )
}

async function add(address: string, options: AddOptions, session: CliSession, context: CliContext): Promise<void> {
  const { shownName, withSourceDefaults: withDefaults } = await import('../../app/sources/import-sources.ts')
  const { normalizeSourceUrl } = await import('../../sources/source-url.ts')
  const { addOneSource } = await import('../../store/add-one-source.ts')
  const settings = settingsFrom(options)
  const found = options.check ? await checked(address, settings, options.pick, session, context) : null
  const url = found?.url ?? normalizeSourceUrl(address)
  const { store } = session.data
  const { source, added } = await addOneSource(store, withDefaults({ ...settings, url }), context.clock.now())
  if (!added) throw new HeadwaterError('SOURCE_EXISTS', `${source.url} is source ${source.id}`)
  context.out(
    options.json ? json(sourceJson(source)) : `Added source ${source.id}: ${found?.title || shownName(source)}\n`,
  )
  if (found !== null && found.rule !== null) context.err(`${found.rule}: ${source.url}\n`)
  if (found !== null && found.others.length > 0) nameOthers(found, context)
  await allowForNode(options.allowRange, session, context)
}

function nameOthers({ url, others }: FoundFeeds, context: CliContext): void {
  context.err(`Took ${url}. There are others; add one by its address:\n`)
  for (const other of others) context.err(`  ${described(other)}\n`)
}

async function checked(
  address: string,
  settings: ReturnType<typeof settingsFrom>,
  pick: string | undefined,
  session: CliSession,
  context: CliContext,
): Promise<FoundFeeds> {
  const { findFeed } = await import('../../app/sources/find-feed.ts')
  const { previewListing } = await import('../../app/sources/preview-page.ts')
  const source = { ...settings, url: address }
  const { listing } = settings
  return searchPolitely(session, context, async (fetcher, rules) => {
    if (listing == null) return findFeed(address, source, fetcher, { pick: pickFeed(pick, context), rules })
    return { ...(await previewListing(source, listing, fetcher)), rule: null, others: [] }
  })
}

function pickFeed(pick: string | undefined, context: CliContext): PickFeed {
  return async (announced) => {
    if (pick !== undefined) return pickedFrom(pick, announced)
    if (context.ask === null) return null
    context.err('There are several feeds:\n')
    for (const [at, feed] of announced.entries()) context.err(`  ${at + 1}  ${described(feed)}\n`)
    const answer = (await context.ask(`Which one? [1] `)).trim()
    return pickedFrom(answer === '' ? '1' : answer, announced)
  }
}

function pickedFrom(pick: string, announced: readonly FoundFeed[]): FoundFeed {
  const picked = /^\d+$/.test(pick) ? announced[Number(pick) - 1] : announced.find(({ url }) => url === pick)
  if (picked !== undefined) return picked
  const list = announced.map((feed, index) => `\n  ${index + 1}  ${described(feed)}`).join('')
  throw new HeadwaterError('USAGE', `"${pick}" is none of the feeds there; there are${list}`)
}

function described({ url, title }: FoundFeed): string {
  return title === null || title === '' ? url : `${url}  ${title}`
}
