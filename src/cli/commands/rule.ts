import { Command, Option } from 'commander'
import type { OwnRules } from '../../app/services/open-rules.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { table } from '../table.ts'
import { userCalled } from './user-called.ts'

interface AddOptions {
  readonly source?: string
  readonly category?: string
  readonly feed?: string
  readonly user?: string
  readonly tag?: string
  readonly json?: boolean
}

type Action = 'read' | 'star' | 'mute' | 'tag'

/** Rules without a query, of the owner or of another user. */
export function itemRuleCommand(context: CliContext): Command {
  return new Command('rule')
    .description('What is to happen to items that hold some words: list, add, remove')
    .addHelpText(
      'after',
      `
A rule is about a source, a folder, a query feed, or everything; what is there already is treated, too. Examples:
  $ headwater rule add mute "celebrity gossip" sponsored --category News
  $ headwater rule add star iceland
  $ headwater rule add tag volcano eruption --tag volcano-tag
  $ headwater rule list
  $ headwater rule remove 1`,
    )
    .addCommand(addRuleCommand(context))
    .addCommand(listRulesCommand(context))
    .addCommand(removeRuleCommand(context))
}

function addRuleCommand(context: CliContext): Command {
  return new Command('add')
    .description('Make a rule')
    .argument('<action>', 'read, star, mute (read, whatever other rules say) or tag (into a private query feed)')
    .argument('[words...]', 'one of them is enough; in quotes they must follow each other; none: all items')
    .option('--source <source>', 'of this source alone, by number or address')
    .option('--category <folder>', 'of this folder alone')
    .option('--feed <name>', 'of this query feed alone')
    .option('--tag <name>', 'name of the tag')
    .option('--user <name>', 'for whom (default: the owner of the node)')
    .option('--json', 'print it as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater rule add star iceland --category News')
    .action(async (action: string, words: string[], options: AddOptions, command: Command) =>
      withRules(command, context, options.user, async (rules, store) => {
        const { rule, applied } = await rules.add(await ruleFrom(action, words, options, store))
        if (options.json) return context.out(json({ rule, applied }))
        context.out(`Rule ${rule.id}: ${rule.action} ${rule.query}\nApplied to ${applied} items of the archive.\n`)
      }),
    )
}

async function ruleFrom(action: string, words: string[], options: AddOptions, store: Store) {
  const { findSourceByName } = await import('../../app/sources/import-sources.ts')
  const source = options.source === undefined ? null : await findSourceByName(options.source, store)
  const draft = { place: placeOf(options, source?.id ?? null), words, action: actionOf(action) }
  if ((draft.action === 'tag') !== (options.tag !== undefined))
    throw new HeadwaterError('USAGE', 'give --tag with the action tag, and with no other')
  return { ...draft, tag: options.tag ?? null }
}

function actionOf(text: string): Action {
  if (text === 'read' || text === 'star' || text === 'mute' || text === 'tag') return text
  throw new HeadwaterError('USAGE', `no action ${text}: give read, star, mute or tag`)
}

function placeOf({ category, feed }: AddOptions, sourceId: number | null) {
  if ([category, feed, sourceId].filter((one) => one != null).length > 1)
    throw new HeadwaterError('USAGE', 'give one of --source, --category and --feed')
  if (sourceId !== null) return { kind: 'source', sourceId } as const
  if (category !== undefined) return { kind: 'category', category } as const
  return feed === undefined ? ({ kind: 'all' } as const) : ({ kind: 'feed', feed } as const)
}

function listRulesCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the rules, each with the query that it is')
    .option('--user <name>', 'whose (default: those of the owner)')
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater rule list')
    .action(async (options: { user?: string; json?: boolean }, command: Command) =>
      withRules(command, context, options.user, async (rules) => {
        const all = await rules.list()
        if (options.json) return context.out(json(all))
        const rows = all.map(({ id, action, tag, query }) => [String(id), tag ?? action, query ?? 'its source is gone'])
        context.out(table(['ID', 'ACTION', 'QUERY'], rows, context.style))
      }),
    )
}

function removeRuleCommand(context: CliContext): Command {
  return new Command('remove')
    .description('Remove a rule; what it did stays, but a tag goes with it')
    .argument('<id>', 'as in the list', Number)
    .addOption(new Option('--user <name>', 'whose (default: of the owner)'))
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater rule remove 1')
    .action(async (id: number, options: JsonOption & { user?: string }, command: Command) =>
      withRules(command, context, options.user, async (rules) => {
        await rules.remove(id)
        context.out(options.json ? json({ removed: id }) : `Removed rule ${id}\n`)
      }),
    )
}

async function withRules(
  command: Command,
  context: CliContext,
  userName: string | undefined,
  action: (rules: OwnRules, store: Store) => Promise<void>,
): Promise<void> {
  await withSession(command, context, async ({ config, data: { store } }) => {
    const user = await userCalled(userName, store)
    if (user === null) throw new HeadwaterError('USER_NOT_FOUND', 'the node has no owner yet')
    const { openRules } = await import('../../app/services/open-rules.ts')
    await action(openRules(config, store, user, context.clock), store)
  })
}
