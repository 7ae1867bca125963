import { createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { findSourceByName } from '../../app/sources/import-sources.ts'
import { VERSION } from '../../app/version.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type CliSession, DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'
import { itemNumbers, pageRuleCommand } from './page-rule.ts'

export function pagesCommand(context: CliContext): Command {
  const command = new Command('pages')
    .description('Pages that items link to, as far as they are stored: list, again, export, rule')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      `
Pages are fetched where a source, a folder or a query feed asks for it. Examples:
  $ headwater source set 3 --pages fetch
  $ headwater pages list --source 3
  $ headwater pages export pages.warc.gz --source 3`,
    )
  for (const make of [listCommand, againCommand, exportCommand, pageRuleCommand]) command.addCommand(make(context))
  return command
}

const LISTED = 50

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('List stored pages in the order of their items')
    .option('--source <source>', 'of this source alone: id, name or address')
    .option('--after <item>', 'go on after this item', '0')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater pages list --source 3')
    .action(async (options: { source?: string; after: string; json?: boolean }, command: Command) =>
      withSession(command, context, async (session) => {
        const [after = 0] = itemNumbers([options.after])
        const { store } = session.data
        const pages = await store.storedPages({ ...(await ofSource(session, options.source)), after, limit: LISTED })
        if (options.json) return context.out(json(pages))
        const now = context.clock.now()
        const rows = pages.map((page) => [
          String(page.seq),
          relative(page.fetchedAt, now),
          `${Math.ceil(page.bodyBytes / 1000)} kB`,
          page.failure ?? page.facts?.wall ?? page.facts?.by ?? '',
          page.finalUrl ?? page.url,
        ])
        context.out(table(['ITEM', 'FETCHED', 'SIZE', 'READ BY', 'ADDRESS'], rows, context.style))
      }),
    )
}

function againCommand(context: CliContext): Command {
  return new Command('again')
    .description('Have pages fetched again; what has changed there is an edit of the item')
    .argument('<item...>', 'numbers of items')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater pages again 1234')
    .action(async (items: string[], options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const queued = await store.askAgain(itemNumbers(items), context.clock.now())
        if (options.json) return context.out(json({ queued }))
        context.out(`${queued} ${queued === 1 ? 'page is' : 'pages are'} fetched again\n`)
      }),
    )
}

function exportCommand(context: CliContext): Command {
  return new Command('export')
    .description('Write the stored pages as a compressed WARC file, which tools for web archives read')
    .argument('<file>', 'to write; it must not be there yet')
    .option('--source <source>', 'of this source alone: id, name or address')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater pages export pages.warc.gz --source 3')
    .action(async (file: string, options: JsonOption & { source?: string }, command: Command) => {
      if (existsSync(file)) throw new HeadwaterError('FILE_UNWRITABLE', `${file} is there already`)
      await withSession(command, context, async (session) => {
        const { warcOf } = await import('../../app/pages/warc-export.ts')
        const of = await ofSource(session, options.source)
        const records = warcOf(session.data.store, { ...of, software: `Headwater/${VERSION}` })
        await pipeline(records, createWriteStream(file, { flags: 'wx' }))
        context.out(options.json ? json({ file }) : `Wrote ${file}\n`)
      })
    })
}

async function ofSource({ data }: CliSession, name: string | undefined): Promise<{ readonly sourceId?: number }> {
  return name === undefined ? {} : { sourceId: (await findSourceByName(name, data.store)).id }
}
