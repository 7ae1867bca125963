import { Command } from 'commander'
import { findSourceByName, shownName } from '../../app/sources/import-sources.ts'
import { withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'

export function relearnCommand(context: CliContext): Command {
  return new Command('relearn')
    .description('Forget what was learnt of sources and learn it again from their stored observations')
    .argument('<source...>', 'numbers or addresses')
    .option('--json', 'print as JSON')
    .addHelpText(
      'after',
      '\nA running node takes the new model over within a second.\n\nExample:\n  $ headwater source relearn 3',
    )
    .action(async (names: string[], options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data, config }) => {
        const { relearnSource } = await import('../../app/crawling/models.ts')
        const done: { id: number; observations: number }[] = []
        for (const name of names) {
          const source = await findSourceByName(name, data.store)
          const observations = await relearnSource(source, config, data.store, context.clock.now())
          done.push({ id: source.id, observations })
          if (!options.json) context.out(`${source.id}  learnt from ${observations} refreshes  ${shownName(source)}\n`)
        }
        if (options.json) context.out(json(done))
      }),
    )
}
