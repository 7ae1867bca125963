import {
  chmodSync,
  createReadStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { randomSecret } from '../../runtime/random.ts'
import { checkBackup, keepInBackup } from '../../store/sqlite/backup/backup.ts'
import { lockDataFolder } from '../../store/sqlite/database/lock.ts'
import { PRIVATE_FILE } from '../../store/sqlite/database/private-file.ts'
import { SECRET_SETTINGS } from '../settings/secret-settings.ts'
import { CONFIG_FILE } from '../settings/settings-file.ts'
import { DATABASE_FILE, RESTORE_FILE } from './data-folder.ts'
import type { Backups, Restored } from './opened-data.ts'

interface Backing {
  readonly dataDir: string
  /** A copy of the database of one moment. */
  readonly copyTo: (path: string) => Promise<void>
}

/** In pieces of 64 KiB, as by default, reading and sending takes twice the CPU time. */
const CHUNK_BYTES = 1024 ** 2

/** The whole node in one file: the database, with the settings of headwater.json in it. Keys and passwords stay here. */
export function folderBackups(backing: Backing): Backups {
  const { dataDir } = backing
  return {
    async read() {
      const path = join(dataDir, `backup-${randomSecret()}.db`)
      await writeBackup(backing, path)
      const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
      stream.on('close', () => rmSync(path, { force: true }))
      return { stream, bytes: statSync(path).size }
    },
    take: (file) => takeBackup(dataDir, file),
    write: (path) => writeBackup(backing, path),
  }
}

async function writeBackup({ dataDir, copyTo }: Backing, path: string): Promise<void> {
  try {
    await copyTo(path)
    const settings = join(dataDir, CONFIG_FILE)
    await keepInBackup(path, existsSync(settings) ? withoutSecrets(readFileSync(settings, 'utf8')) : null)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Checks a backup and leaves it for the next start. */
async function takeBackup(dataDir: string, file: Readable): Promise<Restored> {
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
}

function withoutSecrets(settings: string): string {
  const publicSettings = Object.entries(JSON.parse(settings) as object).filter(([name]) => !SECRET_SETTINGS.has(name))
  return `${JSON.stringify(Object.fromEntries(publicSettings), null, 2)}\n`
}

/** What a backup leaves out stays as this machine has it. */
function withSecretsOf(present: string | null, settings: string): string {
  const own = present === null ? {} : (JSON.parse(present) as object)
  const secrets = Object.entries(own).filter(([name]) => SECRET_SETTINGS.has(name))
  return `${JSON.stringify({ ...JSON.parse(settings), ...Object.fromEntries(secrets) }, null, 2)}\n`
}

function replaceSettings(dataDir: string, settings: string): void {
  const path = join(dataDir, CONFIG_FILE)
  const present = existsSync(path) ? readFileSync(path, 'utf8') : null
  const restored = withSecretsOf(present, settings)
  if (present !== null) {
    renameSync(path, `${path}.before-restore`)
    chmodSync(`${path}.before-restore`, PRIVATE_FILE)
  }
  writeFileSync(path, restored, { mode: PRIVATE_FILE })
}

async function save(file: Readable, path: string): Promise<void> {
  const handle = await open(path, 'wx', PRIVATE_FILE)
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) await handle.write(chunk)
  } finally {
    await handle.close()
  }
}

export function hasRestoredBackup(dataDir: string): boolean {
  return existsSync(join(dataDir, RESTORE_FILE))
}

/**
 * Before the database is opened by a node that starts: puts a restored one in its place. What was there is kept beside it.
 * Nobody else may have it open (the caller holds the lock).
 */
export function putBackupInPlace(dataDir: string, now: number): void {
  const restored = join(dataDir, RESTORE_FILE)
  const database = join(dataDir, DATABASE_FILE)
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${database}.before-${stamp}${end}`)
  }
  renameSync(restored, database)
  chmodSync(database, PRIVATE_FILE)
}

/** Where no node runs: checks a backup and puts it in the place of the database at once. */
export async function restoreBackup(dataDir: string, file: Readable, now: number): Promise<Restored> {
  const lock = lockDataFolder(dataDir)
  try {
    const restored = await takeBackup(dataDir, file)
    putBackupInPlace(dataDir, now)
    return restored
  } finally {
    lock.release()
  }
}
