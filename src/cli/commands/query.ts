import { Command } from 'commander'
import { DATA_OPTION, STORE_OPTION } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { applyCommand, checkCommand } from './query-apply.ts'
import { dropCommand, queryListCommand, queryShowCommand } from './query-list.ts'
import { previewCommand } from './query-preview.ts'
import { querySetCommand } from './query-set.ts'

const SUBCOMMANDS = [
  checkCommand,
  previewCommand,
  applyCommand,
  queryListCommand,
  queryShowCommand,
  querySetCommand,
  dropCommand,
]

export function queryCommand(context: CliContext): Command {
  const command = new Command('query')
    .description('Query feeds, made of other feeds: check, preview, apply, list, show, set, drop')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      `
Works beside a running node and without one. The language: docs/query-language.md. Examples:
  $ echo 'CREATE FEED ice AS RETURN ALL WHERE ITEM CONTAINS "iceland" OR "volcano";' > ice.query
  $ headwater query preview ice.query          what would it hold?
  $ headwater query apply ice.query            save it; the node serves /feeds/ice.rss
  $ headwater feed ice --format atom`,
    )
  for (const make of SUBCOMMANDS) command.addCommand(make(context))
  return command
}
