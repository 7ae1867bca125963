import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { DATA_OPTION, option, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, json } from '../output.ts'
import { table } from '../table.ts'

const MOST = 100_000

export function auditCommand(context: CliContext): Command {
  return new Command('audit')
    .description('Who did what, newest first: log-ins, rights, tokens, settings, removals')
    .option('--limit <n>', 'so many entries', option(readLimit), 50)
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater audit --limit 20')
    .action(async ({ limit, ...options }: { limit: number; json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const entries = await data.store.audit({ limit })
        if (options.json) return context.out(json(entries.map((one) => ({ ...one, at: isoOrNull(one.at) }))))
        const rows = entries.map(({ at, userName, address, action, subject, count }) => [
          isoOrNull(at) ?? '–',
          userName || '–',
          address ?? '–',
          count === 1 ? action : `${action} × ${count}`,
          subject,
        ])
        context.out(table(['AT', 'WHO', 'FROM', 'WHAT', 'SUBJECT'], rows, context.style))
      }),
    )
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit
  throw new HeadwaterError('USAGE', `a whole number from 1 to ${MOST}`)
}
