import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { LOCK_FILE } from './private-file.ts'

/**
 * SQLite takes a file of 0 bytes for a new database, and then removes the `-wal` beside it, which may hold the newest items.
 * A node that has once worked here never leaves such a file: its lock file, which is made when its database is, shows that
 * it has. What else is wrong with a file SQLite says itself when it is opened (half of it, other bytes).
 */
export function refuseEmptiedDatabase(path: string): void {
  const bytes = sizeOf(path)
  if (bytes === 0 && existsSync(join(dirname(path), LOCK_FILE))) throw new HeadwaterError('STORE_EMPTY', path)
  const journal = `${path}-wal`
  if ((bytes ?? 0) === 0 && (sizeOf(journal) ?? 0) > 0) {
    throw new HeadwaterError('STORE_EMPTY', `${path}, but ${journal} is there with what was written last`)
  }
}

/** null: there is none. */
function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null
}
