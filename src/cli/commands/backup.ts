import { createReadStream, existsSync } from 'node:fs'
import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { configFor, DATA_OPTION, STORE_OPTION } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'

export function backupCommand(context: CliContext): Command {
  return new Command('backup')
    .description('Save the whole node in one file, also while it runs; the key file is not in it')
    .argument('<file>', 'to write; it must not be there yet')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater backup headwater-2026-01-31.db')
    .action(async (file: string, options: JsonOption, command: Command) => {
      if (existsSync(file)) throw new HeadwaterError('FILE_UNWRITABLE', `${file} is there already`)
      const config = await configFor(command, context)
      const { openData } = await import('../../app/data/data.ts')
      const data = await openData(config, context.clock)
      try {
        if (data.backups === null) throw new HeadwaterError('BACKUP_ELSEWHERE', data.name)
        await data.backups.write(file)
        await recordLocalActions([{ action: 'backup', subject: '' }], data.store, context)
        const { sources, items } = await data.store.counts()
        if (options.json) return context.out(json({ file, sources, items }))
        context.out(`Saved ${sources} sources and ${items} items in ${file}\n`)
      } finally {
        await data.store.close()
      }
    })
}

export function restoreCommand(context: CliContext): Command {
  return new Command('restore')
    .description(
      'Put a backup in the place of the database, also of one that is damaged; what was there stays beside it',
    )
    .argument('<file>', 'that `headwater backup` or the dashboard saved')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater restore headwater-2026-01-31.db')
    .action(async (file: string, options: JsonOption, command: Command) => {
      if (!existsSync(file)) throw new HeadwaterError('FILE_UNREADABLE', `${file} is not there`)
      const config = await configFor(command, context)
      const { openData, placeOf } = await import('../../app/data/data.ts')
      const { restore, name } = placeOf(config)
      if (restore === null) throw new HeadwaterError('BACKUP_ELSEWHERE', name)
      const { sources, items } = await restore(createReadStream(file), context.clock.now())
      const { store } = await openData(config, context.clock)
      const subject = `${sources} sources, ${items} items`
      await recordLocalActions([{ action: 'restore', subject }], store, context).finally(() => store.close())
      if (options.json) return context.out(json({ sources, items }))
      context.out(`Restored ${sources} sources and ${items} items; what was there is kept beside it\n`)
    })
}
