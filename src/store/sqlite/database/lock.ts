import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { translate } from './failures.ts'
import { LOCK_FILE, makePrivateFile, makePrivateFolder } from './private-file.ts'

/**
 * One node per data folder. The lock is an exclusive transaction on a tiny database of its own: the operating system
 * takes it back when the process ends, in whatever way, so that nothing stale is ever left behind.
 */
export function lockDataFolder(dir: string): { release(): void } {
  const db = tryLock(dir)
  if (db === null) throw new HeadwaterError('STORE_LOCKED', dir)
  return { release: () => db.close() }
}

export function isLocked(dir: string): boolean {
  if (!existsSync(join(dir, LOCK_FILE))) return false
  const db = tryLock(dir)
  db?.close()
  return db === null
}

/** null: another one has it. */
function tryLock(dir: string): Database.Database | null {
  const path = join(dir, LOCK_FILE)
  let db: Database.Database | null = null
  try {
    makePrivateFolder(dir)
    makePrivateFile(path)
    db = new Database(path, { timeout: 0 })
    // No journal file: nothing is ever written, so that killing the node leaves nothing to be rolled back.
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw translate(path, error)
  }
}
