import Database from 'better-sqlite3'
import { MINUTE_MS } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { createThreadPool, type ThreadPool } from '../../runtime/threads.ts'
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

export interface BackupContent {
  readonly sources: number
  readonly items: number
  readonly settings: string | null
}

/** One at a time, and few wait: whoever restores has no use for a second. */
const MOST_WAITING = 1
const DEADLINE_MS = 10 * MINUTE_MS

/** As keptInBackup, in a thread that ends with its work. */
export async function checkBackup(path: string): Promise<BackupContent> {
  checks ??= createThreadPool<string, BackupContent>({
    name: 'checks of backups',
    module: new URL(import.meta.url.endsWith('.js') ? './backup-thread.js' : './backup-thread.ts', import.meta.url),
    data: null,
    mostWaiting: MOST_WAITING,
    deadlineMs: DEADLINE_MS,
    idleMs: 0,
    here: async (one) => keptInBackup(one),
  })
  return checks.ask(path)
}
let checks: ThreadPool<string, BackupContent> | null = null

/** What a backup holds; throws BACKUP_INVALID for what is none, is damaged, or is of a newer version. */
export function keptInBackup(path: string): BackupContent {
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
