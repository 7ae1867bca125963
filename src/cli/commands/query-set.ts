import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type CliSession, option, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { parsePositive } from './source-settings.ts'
import { readWish, wishInWords } from './wish-words.ts'

interface SetOptions {
  readonly weight?: number
  readonly wish?: string
  readonly json?: boolean
}

export function querySetCommand(context: CliContext): Command {
  return new Command('set')
    .description('Change what a query feed counts when the budget is spent, and which quality it is to have')
    .argument('<name>', 'of the query feed')
    .option('--weight <n>', 'importance of its items; 1 is usual', option(parsePositive))
    .option('--wish <quality>', 'wished quality, as delay<10min or completeness>95%; none')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  its sources are refreshed sooner, as far as it keeps something of them\n  $ headwater query set ice --weight 3' +
        '\n  its items come within ten minutes on average, as far as the budget has room for that\n  $ headwater query set ice --wish "delay<10min"',
    )
    .action(async (name: string, options: SetOptions, command: Command) =>
      withSession(command, context, (session) => runSet(session, context, name, options)),
    )
}

async function runSet(
  { data: { store } }: CliSession,
  context: CliContext,
  name: string,
  options: SetOptions,
): Promise<void> {
  const { weight } = options
  const wish = options.wish === undefined ? undefined : readWish(options.wish)
  if (weight === undefined && wish === undefined) {
    throw new HeadwaterError('USAGE', 'nothing to set; give --weight or --wish')
  }
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('QUERY_NOT_FOUND', name)
  const patch = { ...(weight === undefined ? {} : { weight }), ...(wish === undefined ? {} : { wish }) }
  await store.updateQueryFeed(feed.id, patch)
  if (options.json) return context.out(json({ name, ...patch }))
  if (weight !== undefined) context.out(`${name} has weight ${weight}\n`)
  if (wish !== undefined) context.out(`${name} ${wish === null ? 'has no wish' : `wishes for ${wishInWords(wish)}`}\n`)
}
