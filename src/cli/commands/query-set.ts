import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { option, withSession } from '../session.ts'
import { positive } from './source-settings.ts'

interface SetOptions {
  readonly weight?: number
  readonly json?: boolean
}

export function setCommand(context: CliContext): Command {
  return new Command('set')
    .description('Change what a query feed counts when the budget is spent')
    .argument('<name>', 'of the query feed')
    .option('--weight <n>', 'importance of its items; 1 is usual', option(positive))
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      '\nExample: its sources are looked at sooner, as far as it keeps something of them\n  $ headwater query set ice --weight 3',
    )
    .action(async (name: string, options: SetOptions, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const { weight } = options
        if (weight === undefined) throw new HeadwaterError('USAGE', 'nothing to set; give --weight')
        const feed = await store.queryFeed(name)
        if (feed === null) throw new HeadwaterError('QUERY_NOT_FOUND', name)
        await store.updateQueryFeed(feed.id, { weight })
        context.out(options.json ? json({ name, weight }) : `${name} has weight ${weight}\n`)
      }),
    )
}
