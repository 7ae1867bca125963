import { createReadStream, existsSync } from 'node:fs'
import { Command } from 'commander'
import { HeadwaterError } from '../../runtime/errors.ts'
import { recordDeeds } from '../audit-entry.ts'
import type { CliContext } from '../context.ts'
import { configFor, DEFAULT_DATA_DIR } from '../session.ts'

export function backupCommand(context: CliContext): Command {
  return new Command('backup')
    .description('Save the whole node in one file, also while it runs; the key file is not in it')
    .argument('<file>', 'to write; it must not be there yet')
    .option('--data <dir>', `folder of the node's data (default: ${DEFAULT_DATA_DIR})`)
    .addHelpText('after', '\nExample:\n  $ headwater backup headwater-2026-01-31.db')
    .action(async (file: string, _options: unknown, command: Command) => {
      if (existsSync(file)) throw new HeadwaterError('FILE_UNWRITABLE', `${file} is there already`)
      const config = await configFor(command, context)
      const { openData } = await import('../../app/data/data.ts')
      const { writeBackup } = await import('../../app/services/backups.ts')
      const data = await openData(config, context.clock)
      try {
        await writeBackup({ dataDir: config.dataDir, copyTo: data.backup }, file)
        await recordDeeds([{ action: 'backup', subject: '' }], data.store, context)
        const { sources, items } = await data.store.counts()
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
    .option('--data <dir>', `folder of the node's data (default: ${DEFAULT_DATA_DIR})`)
    .addHelpText('after', '\nExample:\n  $ headwater restore headwater-2026-01-31.db')
    .action(async (file: string, _options: unknown, command: Command) => {
      if (!existsSync(file)) throw new HeadwaterError('FILE_UNREADABLE', `${file} is not there`)
      const config = await configFor(command, context)
      const { restoreBackup } = await import('../../app/services/backups.ts')
      const { sources, items } = await restoreBackup(config.dataDir, createReadStream(file), context.clock.now())
      const { openData } = await import('../../app/data/data.ts')
      const { store } = await openData(config, context.clock)
      const subject = `${sources} sources, ${items} items`
      await recordDeeds([{ action: 'restore', subject }], store, context).finally(() => store.close())
      context.out(`Restored ${sources} sources and ${items} items; what was there is kept beside it\n`)
    })
}
