import Database from 'better-sqlite3'
import { HeadwaterError } from '../../runtime/errors.ts'
import { isOurs } from './migrations.ts'

/** In `node_state` of a backup: what belongs to the node but not to its database. */
const SETTINGS_KEY = 'backup-settings'

/** Makes a copy of the database complete: one file without a journal beside it. */
export function keepInBackup(path: string, settings: string | null): void {
  const db = new Database(path)
  try {
    db.pragma('journal_mode = DELETE')
    if (settings === null) db.prepare('DELETE FROM node_state WHERE key = ?').run(SETTINGS_KEY)
    else db.prepare('INSERT OR REPLACE INTO node_state (key, value) VALUES (?, ?)').run(SETTINGS_KEY, settings)
  } finally {
    db.close()
  }
}

/** What a backup holds; throws BACKUP_INVALID for what is none, is damaged, or is of a newer version. */
export function keptInBackup(path: string): {
  readonly sources: number
  readonly items: number
  readonly settings: string | null
} {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true })
    try {
      if (!isOurs(db)) throw new HeadwaterError('BACKUP_INVALID', 'a database of another program')
      const fault = db.pragma('quick_check(1)', { simple: true })
      if (fault !== 'ok') throw new HeadwaterError('BACKUP_INVALID', String(fault))
      const number = (sql: string) => Number(db.prepare(sql).pluck().get())
      return {
        sources: number('SELECT count(*) FROM source'),
        items: number("SELECT value FROM counter WHERE name = 'items'"),
        settings: (db.prepare('SELECT value FROM node_state WHERE key = ?').pluck().get(SETTINGS_KEY) ?? null) as
          | string
          | null,
      }
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof HeadwaterError) throw error
    throw new HeadwaterError('BACKUP_INVALID', error instanceof Error ? error.message : undefined, { cause: error })
  }
}
