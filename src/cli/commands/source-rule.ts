import { Command } from 'commander'
import { recordLocalActions } from '../audit-entry.ts'
import { withNewSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { table } from '../table.ts'

/** Rules that are made here hold for all users of the node. */
export function ruleCommand(context: CliContext): Command {
  return new Command('rule')
    .description('Rules of your own from pasted addresses to feeds: list, add, remove')
    .addHelpText(
      'after',
      `
Names in braces stand for a step of the path: {name}, {id:number}, or as the last one {path...}. Examples:
  $ headwater source rule add "Example people" "example.org/people/{name}" "https://example.org/feeds/{name}.xml"
  $ headwater source rule list
  $ headwater source rule remove "Example people"`,
    )
    .addCommand(ruleListCommand(context))
    .addCommand(ruleAddCommand(context))
    .addCommand(ruleRemoveCommand(context))
}

function ruleAddCommand(context: CliContext): Command {
  return new Command('add')
    .description('Add a rule, which is tried before the built-in ones; one of the same name is replaced')
    .argument('<name>', 'what such an address is of')
    .argument('<form>', 'of the addresses that it is for, as example.org/people/{name}')
    .argument('<feed...>', 'where their feeds are, as https://example.org/feeds/{name}.xml, likeliest first')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ headwater source rule add "Example people" "example.org/people/{name}" "https://example.org/feeds/{name}.xml"',
    )
    .action(async (name: string, match: string, give: string[], options: JsonOption, command: Command) =>
      withNewSession(command, context, async ({ data: { store } }) => {
        const { addRule } = await import('../../app/sources/address-rules.ts')
        await addRule({ name, match, give, ownerId: null }, store)
        await recordLocalActions([{ action: 'settings-changed', subject: `address rule ${name}` }], store, context)
        context.out(options.json ? json({ name, match, give }) : `Added the rule ${name}\n`)
      }),
    )
}

function ruleListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the rules of the node and of its users')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater source rule list')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const { ADDRESS_RULES } = await import('../../app/sources/address-rules.ts')
        const rules = await store.state(ADDRESS_RULES)
        if (options.json) return context.out(json(rules))
        const rows = rules.map(({ name, match, give, ownerId }) => [
          name,
          match,
          give.join(' '),
          ownerId === null ? 'all' : `user ${ownerId}`,
        ])
        context.out(table(['NAME', 'FORM', 'FEED', 'FOR'], rows, context.style))
      }),
    )
}

function ruleRemoveCommand(context: CliContext): Command {
  return new Command('remove')
    .description('Remove a rule that holds for all')
    .argument('<name>', 'as in the list')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater source rule remove "Example people"')
    .action(async (name: string, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const { removeRule } = await import('../../app/sources/address-rules.ts')
        await removeRule({ name, ownerId: null }, store)
        await recordLocalActions([{ action: 'settings-changed', subject: `address rule ${name}` }], store, context)
        context.out(options.json ? json({ removed: name }) : `Removed the rule ${name}\n`)
      }),
    )
}
