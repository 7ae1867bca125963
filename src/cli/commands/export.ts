import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { userCalled } from './user-called.ts'

/** All that a user would take along, as files that others can read (docs/moving.md). */
export function exportAllCommand(context: CliContext): Command {
  return new Command('export')
    .description(
      'Write sources, articles with read and starred state, query feeds and settings as files for other programs',
    )
    .argument('<folder>', 'where to; made if it is not there')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option('--user <name>', 'whose read and starred state (default: the owner of the node)')
    .option('--starred', 'of the articles only those that are starred')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater export my-feeds --starred')
    .action(async (folder: string, options: JsonOption & { user?: string; starred?: boolean }, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const { store } = data
        const user = await userCalled(options.user, store)
        const { exportedItems } = await import('../../app/export/export-items.ts')
        const { exportedFiles } = await import('../../app/export/export-files.ts')
        const choice = { starredOnly: options.starred === true, since: Number.NEGATIVE_INFINITY }
        const files = await exportedFiles(data, context.clock.now())
        await mkdir(folder, { recursive: true })
          .then(async () => {
            for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
            const items = Readable.from(exportedItems(user?.id ?? 0, choice, store))
            await pipeline(items, createWriteStream(join(folder, 'items.json'), { mode: 0o600 }))
          })
          .catch((cause: unknown) => {
            if (cause instanceof HeadwaterError) throw cause
            throw new HeadwaterError('FILE_UNREADABLE', `cannot write into ${folder}`, { cause })
          })
        const names = [...Object.keys(files), 'items.json']
        context.out(options.json ? json({ folder, files: names }) : `Wrote ${names.join(', ')} into ${folder}\n`)
      }),
    )
}
