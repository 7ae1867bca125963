import { Command } from 'commander'
import { type BackFill, parseBackFill } from '../../app/queries/back-fill.ts'
import type { QueryStatement } from '../../query/language/ast.ts'
import type { QueryError } from '../../query/language/errors.ts'
import { type LocalAuditRecord, recordLocalActions } from '../audit-entry.ts'
import { configFor, option, withNewSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { progressOf, readQueryText } from './query-text.ts'

export function checkCommand(context: CliContext): Command {
  return new Command('check')
    .description('Say what is wrong with a query text; nothing is changed')
    .argument('<file>', 'a file of statements, or - for standard input')
    .option('--replace', 'CREATE of a feed that is there is no mistake')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater query check ice.query')
    .action(async (file: string, options: { json?: boolean; replace?: boolean }, command: Command) => {
      const text = await readQueryText(file, context)
      const { checkText, invalid } = await import('../../app/queries/apply.ts')
      const { statements, errors } = checkText(text, await knownTo(text, command, context), {
        replace: options.replace === true,
      })
      if (options.json) context.out(json({ ok: errors.length === 0, statements: statements.length, errors }))
      if (errors.length > 0) throw invalid(errors as readonly QueryError[])
      if (!options.json) context.out(`No mistakes in ${statements.length} statements.\n`)
    })
}

/** null where there is no data yet: a check should not make a folder. */
async function knownTo(text: string, command: Command, context: CliContext) {
  const { placeOf } = await import('../../app/data/data.ts')
  if (!(await placeOf(await configFor(command, context)).exists())) return null
  const { knownFeeds } = await import('../../app/queries/catalog.ts')
  return withNewSession(command, context, ({ data }) => knownFeeds(data.store, text, true))
}

interface ApplyOptions {
  readonly backFill?: BackFill
  readonly replace?: boolean
  readonly json?: boolean
}

export function applyCommand(context: CliContext): Command {
  return new Command('apply')
    .description('Carry out the statements of a file, all or none')
    .argument('<file>', 'a file of statements, or - for standard input')
    .option(
      '--back-fill <part>',
      'begin with this much of the archive: 30d, 1000 (items), all, none (default: 30d)',
      option(parseBackFill),
    )
    .option('--replace', 'CREATE of a feed that is there changes it')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
A file may be applied again: what is there as it says stays as it is. Examples:
  $ headwater query apply feeds.query
  $ headwater query apply feeds.query --replace --back-fill 7d`,
    )
    .action(async (file: string, { backFill, replace = false, json: asJson }: ApplyOptions, command: Command) => {
      const text = await readQueryText(file, context)
      await withNewSession(command, context, async ({ config, data }) => {
        const { applyQueries } = await import('../../app/queries/apply.ts')
        const { catchUpNow } = await import('../../app/queries/catch-up-now.ts')
        const options = { now: context.clock.now(), replace, ...(backFill === undefined ? {} : { backFill }) }
        const { createOutputCheck } = await import('../../app/publishing/outputs.ts')
        const outputs = createOutputCheck(data.store, () => config)
        const checkOutputs = (statements: readonly QueryStatement[]) => outputs.checkStatements(statements, null)
        const done = await applyQueries(text, data.store, { ...options, checkOutputs })
        await recordLocalActions(done.flatMap(removals), data.store, context)
        const filled = await catchUpNow(data, context.clock, config.lease, progressOf(context))
        if (asJson) return context.out(json({ done, filled }))
        for (const { name, action } of done) context.out(`${action} ${name}\n`)
        if (filled === 'by the node') context.out('The running node fills new feeds from the archive.\n')
      })
    })
}

function removals({ name, action }: { readonly name: string; readonly action: string }): readonly LocalAuditRecord[] {
  if (action === 'dropped') return [{ action: 'feed-dropped', subject: name }]
  return action === 'unsubscribed' ? [{ action: 'subscription-removed', subject: name }] : []
}
