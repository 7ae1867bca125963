import { Command } from 'commander'
import type { CliContext } from '../src/cli/context.ts'
import { option } from '../src/cli/session.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'

export function labCommand(_context: CliContext): Command {
  return new Command('lab')
    .description('Worlds and experiments: the same code as the live node, on synthetic and recorded feeds')
    .addCommand(worldCommand())
}

function worldCommand(): Command {
  const number = option((text) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0)) throw new HeadwaterError('USAGE', `"${text}" is not a number`)
    return value
  })
  return new Command('world')
    .description('Serve synthetic feeds on loopback, until Ctrl-C')
    .option('--feeds <n>', 'how many (default: 100)', number)
    .option('--window <w>', 'items that a feed shows (default: 20)', number)
    .option('--items <n>', 'mean items per feed and virtual day (default: 20)', number)
    .option('--speed <factor>', 'virtual seconds per second; 0: time stands still (default: 1)', number)
    .option('--seed <n>', 'the same seed, the same world (default: 1)', number)
    .option('--odd <share>', 'share of feeds with bad habits, 0 to 1 (default: 0)', number)
    .option('--per-host <n>', 'feeds under one host name (default: 1)', number)
    .option('--pages <n>', 'older pages per feed, RFC 5005 (default: 0)', number)
    .option('--max-age <seconds>', 'Cache-Control of the feeds', number)
    .option('--port <n>', 'port (default: any free one)', number)
    .option('--trace <file>', 'the sources of a trace instead of generated ones')
    .option('--demo', 'the world of headwater serve --demo')
    .option('--json', 'one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  $ headwater lab world --feeds 1000 --speed 60')
    .action(async (options: object) => {
      const { runWorldCommand } = await import('./worlds/command.ts')
      await runWorldCommand(options)
    })
}
