import { Command } from 'commander'
import { DATA_OPTION, STORE_OPTION } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { addCommand } from './source-add.ts'
import { discoverCommand } from './source-discover.ts'
import { liveCommand } from './source-live.ts'
import { exportCommand, importCommand } from './source-opml.ts'
import { relearnCommand } from './source-relearn.ts'
import { ruleCommand } from './source-rule.ts'
import { refreshCommand, removeCommand, sourceSetCommand } from './source-set.ts'
import { sourceListCommand, sourceShowCommand } from './source-show.ts'
import { suggestCommand } from './source-suggest.ts'

export function sourceCommand(context: CliContext): Command {
  const command = new Command('source')
    .description(
      'The feeds that are followed: add, discover, suggest, rule, import, export, live, list, show, set, refresh, relearn, remove',
    )
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
    suggestCommand,
    discoverCommand,
    ruleCommand,
    importCommand,
    exportCommand,
    liveCommand,
    sourceListCommand,
    sourceShowCommand,
    sourceSetCommand,
    refreshCommand,
    relearnCommand,
    removeCommand,
  ]) {
    command.addCommand(make(context))
  }
  return command
}
