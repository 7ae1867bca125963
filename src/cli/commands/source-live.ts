import { Command } from 'commander'
import { recordLocalActions } from '../audit-entry.ts'
import { withNewSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { table } from '../table.ts'

export function liveCommand(context: CliContext): Command {
  return new Command('live')
    .description('Lists of feeds at an address (OPML) that the sources are kept in step with: list, add, remove')
    .addHelpText(
      'after',
      `
The running node reads each list every hour. What is new in it becomes a source; what has left it is paused, and goes on
when it is back. Sources that were there without the list are left alone. Examples:
  $ headwater source live add https://example.org/blogs.opml --category Blogs
  $ headwater source live list
  $ headwater source live remove https://example.org/blogs.opml`,
    )
    .addCommand(liveListCommand(context))
    .addCommand(liveAddCommand(context))
    .addCommand(liveRemoveCommand(context))
}

function liveAddCommand(context: CliContext): Command {
  return new Command('add')
    .description('Follow a list')
    .argument('<url>', 'where the list is')
    .option('--category <name>', 'a folder for all that it brings, beside its own folders')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater source live add https://example.org/blogs.opml --category Blogs')
    .action(async (url: string, options: JsonOption & { category?: string }, command: Command) =>
      withNewSession(command, context, async ({ data: { store } }) => {
        const { addLiveList } = await import('../../app/sources/live-lists.ts')
        const list = await addLiveList(url, options.category ?? null, store)
        await recordLocalActions([{ action: 'settings-changed', subject: 'live list added' }], store, context)
        if (options.json) return context.out(json(list))
        context.out(`Follows ${list.url}; the running node reads it within a minute.\n`)
      }),
    )
}

function liveListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List them, with what came of each')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater source live list')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const { LIVE_LISTS } = await import('../../app/sources/live-lists.ts')
        const lists = await store.state(LIVE_LISTS)
        if (options.json) return context.out(json(lists))
        const rows = lists.map(({ url, category, members, left, checkedAt, failure }) => [
          url,
          category ?? '',
          String(Object.keys(members).length - left.length),
          String(left.length),
          failure?.code ?? (checkedAt === null ? 'not read yet' : 'read'),
        ])
        context.out(table(['ADDRESS', 'FOLDER', 'SOURCES', 'LEFT', 'STATE'], rows, context.style))
      }),
    )
}

function liveRemoveCommand(context: CliContext): Command {
  return new Command('remove')
    .description('Follow a list no longer; its sources stay')
    .argument('<url>', 'as in the list')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater source live remove https://example.org/blogs.opml')
    .action(async (url: string, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const { removeLiveList } = await import('../../app/sources/live-lists.ts')
        await removeLiveList(url, store)
        await recordLocalActions([{ action: 'settings-changed', subject: 'live list removed' }], store, context)
        context.out(options.json ? json({ removed: url }) : `No longer follows ${url}\n`)
      }),
    )
}
