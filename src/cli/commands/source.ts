import { Command } from 'commander'
import type { CliContext } from '../context.ts'
import { DATA_OPTION, STORE_OPTION } from '../session.ts'
import { addCommand } from './source-add.ts'
import { exportCommand, importCommand } from './source-opml.ts'
import { relearnCommand } from './source-relearn.ts'
import { refreshCommand, removeCommand, setCommand } from './source-set.ts'
import { listCommand, showCommand } from './source-show.ts'

export function sourceCommand(context: CliContext): Command {
  const command = new Command('source')
    .description('The feeds that are followed: add, import, export, list, show, set, refresh, relearn, remove')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      `
A source is named by its number or its address. Examples:
  $ headwater source add https://example.org/
  $ headwater source import subscriptions.opml
  $ headwater source list
  $ headwater source show 3`,
    )
  for (const make of [
    addCommand,
    importCommand,
    exportCommand,
    listCommand,
    showCommand,
    setCommand,
    refreshCommand,
    relearnCommand,
    removeCommand,
  ]) {
    command.addCommand(make(context))
  }
  return command
}
