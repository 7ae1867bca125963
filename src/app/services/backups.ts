import { createReadStream, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupService } from '../../api/services.ts'
import { randomSecret } from '../../runtime/random.ts'
import { checkBackup, keepInBackup } from '../../store/sqlite/backup.ts'
import { CONFIG_FILE } from '../config.ts'
import { DATABASE_FILE } from '../data.ts'

/** Waits in the data folder for the next start. */
const RESTORE_FILE = 'restore.db'

export interface Backing {
  readonly dataDir: string
  /** A copy of the database of one moment. */
  readonly copyTo: (path: string) => Promise<void>
}

/** The whole node in one file: the database, with the settings of headwater.json in it. */
export function createBackupService({ dataDir, copyTo }: Backing): BackupService {
  return {
    async read() {
      const path = join(dataDir, `backup-${randomSecret()}.db`)
      try {
        await copyTo(path)
        const settings = join(dataDir, CONFIG_FILE)
        keepInBackup(path, existsSync(settings) ? readFileSync(settings, 'utf8') : null)
        const stream = createReadStream(path)
        stream.on('close', () => rmSync(path, { force: true }))
        return { stream, bytes: statSync(path).size }
      } catch (error) {
        rmSync(path, { force: true })
        throw error
      }
    },
    async take(file) {
      const path = join(dataDir, `upload-${randomSecret()}.db`)
      try {
        await save(file, path)
        const { sources, items, settings } = await checkBackup(path)
        renameSync(path, join(dataDir, RESTORE_FILE))
        // Read at the next start, before the database.
        if (settings !== null) replaceSettings(dataDir, settings)
        return { sources, items }
      } finally {
        rmSync(path, { force: true })
        for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      }
    },
  }
}

function replaceSettings(dataDir: string, settings: string): void {
  const path = join(dataDir, CONFIG_FILE)
  if (existsSync(path)) renameSync(path, `${path}.before-restore`)
  writeFileSync(path, settings, { mode: 0o600 })
}

async function save(file: Readable, path: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) await handle.write(chunk)
  } finally {
    await handle.close()
  }
}

export function hasRestored(dataDir: string): boolean {
  return existsSync(join(dataDir, RESTORE_FILE))
}

/**
 * Before the database is opened by a node that starts: puts a restored one in its place. What was there is kept beside it.
 * Nobody else may have it open (the caller holds the lock).
 */
export function putRestored(dataDir: string, now: number): void {
  const restored = join(dataDir, RESTORE_FILE)
  const database = join(dataDir, DATABASE_FILE)
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${database}.before-${stamp}${end}`)
  }
  renameSync(restored, database)
}
