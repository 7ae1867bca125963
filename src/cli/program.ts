import { Command, CommanderError } from 'commander'
import { VERSION } from '../app/version.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { appPasswordCommand } from './commands/app-password.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { clusterCommand } from './commands/cluster.ts'
import { completionCommand } from './commands/completion.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportAllCommand } from './commands/export.ts'
import { feedCommand } from './commands/feed.ts'
import { itemsCommand } from './commands/items.ts'
import { lettersCommand } from './commands/letters.ts'
import { moveCommand } from './commands/move.ts'
import { networkCommand } from './commands/network.ts'
import { pagesCommand } from './commands/pages.ts'
import { parseCommand } from './commands/parse.ts'
import { qualityCommand } from './commands/quality.ts'
import { queryCommand } from './commands/query.ts'
import { itemRuleCommand } from './commands/rule.ts'
import { type ServeParts, serveCommand } from './commands/serve.ts'
import { sourceCommand } from './commands/source.ts'
import { subscriptionCommand } from './commands/subscription.ts'
import { tokenCommand } from './commands/token.ts'
import { topCommand } from './commands/top.ts'
import { userCommand } from './commands/user.ts'
import type { CliContext } from './context.ts'
import { dataOption } from './data-option.ts'

export interface CliParts extends ServeParts {
  /** Commands that live outside src/: lab, bench. */
  readonly more: readonly Command[]
}

/** Commands that tell how far they are themselves, or run until they are ended. */
const OWN_PROGRESS = new Set('serve, top, lab world, source refresh, move, lab run, lab compare, bench'.split(', '))

/** All commands, as they are typed. */
export function buildProgram(context: CliContext, parts: CliParts): Command {
  const program = new Command('headwater')
    .description('A feed aggregator that spends a limited number of requests where they are worth most.')
    .version(VERSION)
    // Or `items -Vulkan` would ask for the version.
    .enablePositionalOptions()
    .hook('preAction', (_program, command) => {
      const words = wordsOf(command)
      if (!OWN_PROGRESS.has(words)) context.waiting?.start(`headwater ${words}`)
    })
    .addHelpText(
      'after',
      `
Examples:
  $ headwater serve --demo                         look around, without the internet
  $ headwater source add https://example.org/      follow a site
  $ headwater serve                                run the node on http://127.0.0.1:8080`,
    )
  const commands = [
    serveCommand(context, parts),
    sourceCommand(context),
    lettersCommand(context),
    queryCommand(context),
    itemsCommand(context),
    itemRuleCommand(context),
    pagesCommand(context),
    feedCommand(context),
    tokenCommand(context),
    appPasswordCommand(context),
    subscriptionCommand(context),
    userCommand(context),
    auditCommand(context),
    clusterCommand(context),
    networkCommand(context),
    backupCommand(context),
    restoreCommand(context),
    moveCommand(context),
    doctorCommand(context),
    topCommand(context),
    exportAllCommand(context),
    qualityCommand(context),
    parseCommand(context),
    ...parts.more,
    completionCommand(context, () => program),
  ]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...allOf(program)]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: context.out, writeErr: context.err })
      .showHelpAfterError('(see --help)')
  }
  return program
}

/** "source add": without the program's own name. */
function wordsOf(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name())
  return names.join(' ')
}

function allOf(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allOf(child)])
}

/** What to do next, with the commands as they must be typed for the data folder that was given. */
function hintFor({ hint }: HeadwaterError, argv: readonly string[]): string {
  return hint.replace(/`headwater [^`]+`/g, (command) => {
    const folder = dataOption(argv)
    return folder === '' ? command : `${command.slice(0, -1)} ${folder}\``
  })
}

/** 0 done, 1 failed, 2 wrong usage. */
export async function runCli(argv: readonly string[], context: CliContext, parts: CliParts): Promise<0 | 1 | 2> {
  try {
    await buildProgram(context, parts).parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof HeadwaterError) {
      context.err(`headwater: ${error.message} [${error.code}]\n${hintFor(error, argv)}\n`)
      return error.code === 'USAGE' ? 2 : 1
    }
    context.err(
      `headwater: something unexpected happened. Please report it.\n${error instanceof Error ? error.stack : error}\n`,
    )
    return 1
  } finally {
    context.waiting?.stop()
  }
}
