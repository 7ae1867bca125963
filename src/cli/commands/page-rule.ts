import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { ItemSeq } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { table } from '../table.ts'

/** Rules for pages of sites; they hold for the whole node. */
export function pageRuleCommand(context: CliContext): Command {
  return new Command('rule')
    .description('Rules of your own for reading pages of a site: list, try, add, remove')
    .addHelpText(
      'after',
      `
A rule is a file of JSON: name, hosts, and lists of selectors for content, title, author, date and remove. They are CSS, or XPath
where they begin with a slash. It is tried on stored pages before it is saved. Examples:
  $ headwater pages rule try rule.json 1234 1240
  $ headwater pages rule add rule.json 1234 1240`,
    )
    .addCommand(tryCommand(context))
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(removeCommand(context))
}

function tryCommand(context: CliContext): Command {
  return new Command('try')
    .description('Show what a rule would make of stored pages')
    .argument('<file>', 'with the rule')
    .argument('<item...>', 'items whose pages are stored')
    .option('--json', 'print JSON (it always does)')
    .addHelpText('after', '\nExample:\n  $ headwater pages rule try rule.json 1234')
    .action(async (file: string, items: string[], _options: object, command: Command) =>
      withSession(command, context, async (session) => {
        context.out(json(await (await rulesOf(session)).try(readRule(file), itemNumbers(items))))
      }),
    )
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .description('Save a rule that is right on all of these pages; one of the same name is replaced')
    .argument('<file>', 'with the rule')
    .argument('<item...>', 'items whose pages are stored')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater pages rule add rule.json 1234 1240')
    .action(async (file: string, items: string[], options: JsonOption, command: Command) =>
      withSession(command, context, async (session) => {
        const trials = await (await rulesOf(session)).add(readRule(file), itemNumbers(items))
        await record(file, session, context)
        if (options.json) return context.out(json(trials))
        context.out(`Saved, after it was right on ${trials.length} ${trials.length === 1 ? 'page' : 'pages'}\n`)
      }),
    )
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the rules of this node')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater pages rule list')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async (session) => {
        const rules = await (await rulesOf(session)).list()
        if (options.json) return context.out(json(rules))
        const rows = rules.map(({ name, hosts, content }) => [name, hosts.join(' '), content.join(', ')])
        context.out(table(['NAME', 'HOSTS', 'CONTENT'], rows, context.style))
      }),
    )
}

function removeCommand(context: CliContext): Command {
  return new Command('remove')
    .description('Remove a rule')
    .argument('<name>', 'as in the list')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater pages rule remove "Example news"')
    .action(async (name: string, options: JsonOption, command: Command) =>
      withSession(command, context, async (session) => {
        await (await rulesOf(session)).remove(name)
        await record(name, session, context)
        context.out(options.json ? json({ removed: name }) : `Removed the rule ${name}\n`)
      }),
    )
}

async function rulesOf({ data }: CliSession) {
  const { createSiteRules } = await import('../../app/services/site-rules.ts')
  return createSiteRules(data.store)
}

function record(what: string, { data }: CliSession, context: CliContext): Promise<unknown> {
  return recordLocalActions([{ action: 'settings-changed', subject: `site rule ${what}` }], data.store, context)
}

function readRule(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new HeadwaterError('FILE_UNREADABLE', `${file}: ${(error as Error).message}`)
  }
}

export function itemNumbers(texts: readonly string[]): ItemSeq[] {
  return texts.map((text) => {
    if (!/^\d{1,15}$/.test(text)) throw new HeadwaterError('USAGE', `"${text}" is not the number of an item`)
    return Number(text)
  })
}
