import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { translate } from './failures.ts'
import { LOCK_FILE, makePrivateFile, makePrivateFolder } from './private-file.ts'

export interface FolderLock {
  release(): void
}

type Hold = 'EXCLUSIVE' | 'SHARED'

/**
 * One node per data folder. The lock is a transaction on a tiny database of its own: the operating system takes it back when
 * the process ends, in whatever way, so that nothing stale is ever left behind.
 *
 * A whole node holds it exclusively. A part of one (`part`, as `crawler`) shares it with the other parts, and holds a lock of
 * its own name exclusively: so no part runs twice, and none beside a whole node.
 */
export function lockDataFolder(dir: string, part?: string): FolderLock {
  const whole = tryLock(dir, LOCK_FILE, part === undefined ? 'EXCLUSIVE' : 'SHARED')
  if (whole === null) throw new HeadwaterError('STORE_LOCKED', dir)
  if (part === undefined) return { release: () => whole.close() }
  const own = tryLockOr(whole, () => tryLock(dir, fileOf(part), 'EXCLUSIVE'))
  if (own === null) throw new HeadwaterError('STORE_LOCKED', `${dir} (${part})`)
  return {
    release() {
      own.close()
      whole.close()
    },
  }
}

/** Whether a node runs there: a whole one or any part, or with `part` a whole one or this part. */
export function isLocked(dir: string, part?: string): boolean {
  if (part === undefined) return isFileLocked(dir, LOCK_FILE, 'EXCLUSIVE')
  return isFileLocked(dir, LOCK_FILE, 'SHARED') || isFileLocked(dir, fileOf(part), 'EXCLUSIVE')
}

function isFileLocked(dir: string, file: string, wanted: Hold): boolean {
  if (!existsSync(join(dir, file))) return false
  const db = tryLock(dir, file, wanted)
  db?.close()
  return db === null
}

function fileOf(part: string): string {
  return `${LOCK_FILE}-${part}`
}

function tryLockOr(whole: Database.Database, lock: () => Database.Database | null): Database.Database | null {
  let own: Database.Database | null = null
  try {
    own = lock()
    return own
  } finally {
    if (own === null) whole.close()
  }
}

/** null: another one has it. */
function tryLock(dir: string, file: string, hold: Hold): Database.Database | null {
  const path = join(dir, file)
  let db: Database.Database | null = null
  try {
    makePrivateFolder(dir)
    makePrivateFile(path)
    db = new Database(path, { timeout: 0 })
    // No journal file: nothing is ever written, so that killing the node leaves nothing to be rolled back.
    db.pragma('journal_mode = MEMORY')
    // Reading within a transaction shares the file until the transaction ends.
    if (hold === 'EXCLUSIVE') db.exec('BEGIN EXCLUSIVE')
    else db.exec('BEGIN; SELECT count(*) FROM sqlite_master')
    return db
  } catch (error) {
    db?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw translate(path, error)
  }
}
