import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { ReaderExport } from '../../sources/exports/index.ts'
import type { OpmlList } from '../../sources/opml.ts'
import { withNewSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { userCalled } from './user-called.ts'

export function importCommand(context: CliContext): Command {
  return new Command('import')
    .description(
      'Follow all feeds of lists (OPML, whose folders become categories, or plain addresses), and take over articles of other readers',
    )
    .argument('<file...>', 'files, or - for standard input')
    .option('--user <name>', 'for whom articles are read and starred (default: the owner of the node)')
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      `
Articles come from Miniflux, FreshRSS, Tiny Tiny RSS, Feedly, Inoreader and other nodes: docs/moving.md. Examples:
  $ headwater source import subscriptions.opml
  $ headwater source import subscriptions.opml starred.json
  $ headwater source import work.opml addresses.txt`,
    )
    .action(async (files: string[], options: { json?: boolean; user?: string }, command: Command) =>
      withNewSession(command, context, async ({ data }) => {
        const { importSources } = await import('../../app/sources/import-sources.ts')
        const { importItems } = await import('../../app/sources/import-items.ts')
        // All are read before anything is added: a slip in the last name must not leave half of it done.
        const lists = await Promise.all(files.map((file) => readList(file, context)))
        const entries = lists.flatMap((list) => list.entries)
        const problems = lists.flatMap((list) => list.problems)
        const user = await userCalled(options.user, data.store)
        const now = context.clock.now()
        const counts = await importSources(entries, data.store, now)
        const articles = lists.flatMap((list) => ('items' in list ? list.items : []))
        const { stored, marked } = await importItems(articles, user?.id ?? null, data.store, now)
        if (options.json) return context.out(json({ ...counts, stored, marked, problems }))
        context.out(`Imported ${counts.added} sources; ${counts.known} were there already.\n`)
        if (articles.length > 0) context.out(`Stored ${stored} articles, and marked ${marked} as read or starred.\n`)
        if (articles.length > 0 && user === null) context.err('Nothing is marked: the node has no owner yet.\n')
        for (const url of counts.bad) context.err(`Passed over, not a usable address: ${url}\n`)
        for (const problem of problems) context.err(`Passed over: ${problem.message}\n`)
      }),
    )
}

async function readList(file: string, context: CliContext): Promise<OpmlList | ReaderExport> {
  const { readOpml } = await import('../../sources/opml.ts')
  const { readExport } = await import('../../sources/exports/index.ts')
  const bytes = await read(file, context)
  const list = readExport(bytes) ?? readOpml(bytes)
  const [problem] = list.problems
  if (list.entries.length > 0 || problem === undefined) return list
  throw new HeadwaterError('OPML_INVALID', `${file}: ${problem.message}`)
}

export function exportCommand(context: CliContext): Command {
  return new Command('export')
    .description('Write all sources as an OPML list')
    .argument('[file]', 'where to (default: standard output)')
    .addHelpText('after', '\nExample:\n  $ headwater source export subscriptions.opml')
    .action(async (file: string | undefined, _options: object, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const { opmlEntries } = await import('../../app/sources/import-sources.ts')
        const { writeOpml } = await import('../../sources/opml.ts')
        const opml = writeOpml(opmlEntries(await data.store.sources()), 'Headwater', context.clock.now())
        if (file === undefined || file === '-') return context.out(opml)
        await writeFile(file, opml).catch((cause) => {
          throw new HeadwaterError('FILE_UNREADABLE', `cannot write ${file}`, { cause })
        })
      }),
    )
}

async function read(file: string, context: CliContext): Promise<Uint8Array> {
  if (file === '-') return context.readStdin()
  return readFile(file).catch((cause) => {
    throw new HeadwaterError('FILE_UNREADABLE', file, { cause })
  })
}
