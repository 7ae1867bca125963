import Database from 'better-sqlite3'
import { HOUR_MS } from '../../../model/index.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { createThreadPool, type ThreadPool } from '../../../runtime/threads.ts'
import { translate } from '../database/failures.ts'
import { isReadableDatabase } from '../schema/migrations.ts'

/** In `node_state` of a backup: what belongs to the node but not to its database. */
const SETTINGS_KEY = 'backup-settings'

export interface BackupContent {
  readonly sources: number
  readonly items: number
  readonly settings: string | null
}

/** What a thread does: pages of a gigabyte, and waiting for the disk at the end, take seconds. */
export type BackupTask =
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'keep'; readonly path: string; readonly settings: string | null }
  | { readonly kind: 'check'; readonly path: string }

/** One at a time, and few wait: a second one would have no use. */
const MOST_WAITING = 4
const DEADLINE_MS = HOUR_MS

/** Copies a database as it is at one moment; it can be used meanwhile. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await tasks().ask({ kind: 'copy', from, to })
}

/** Makes a copy of the database complete: one file without a journal beside it. */
export async function keepInBackup(path: string, settings: string | null): Promise<void> {
  await tasks().ask({ kind: 'keep', path, settings })
}

/** What a backup holds; throws BACKUP_INVALID for what is none, is damaged, or is of a newer version. */
export async function checkBackup(path: string): Promise<BackupContent> {
  return (await tasks().ask({ kind: 'check', path }))!
}

let pool: ThreadPool<BackupTask, BackupContent | null> | null = null

/** Threads that end with their work. */
function tasks(): ThreadPool<BackupTask, BackupContent | null> {
  pool ??= createThreadPool<BackupTask, BackupContent | null>({
    name: 'backups',
    module: new URL(import.meta.url.endsWith('.js') ? './backup-thread.js' : './backup-thread.ts', import.meta.url),
    data: null,
    mostWaiting: MOST_WAITING,
    deadlineMs: DEADLINE_MS,
    idleMs: 0,
    here: doBackupTask,
  })
  return pool
}

/** In the thread. */
export async function doBackupTask(task: BackupTask): Promise<BackupContent | null> {
  if (task.kind === 'check') return contentOf(task.path)
  if (task.kind === 'keep') writeSettings(task.path, task.settings)
  else await copyPages(task.from, task.to)
  return null
}

const BUSY_MS = 10_000
const ALL_PAGES = 0x7fff_ffff

/**
 * In one step: a copy starts over whenever somebody else writes between two. Meanwhile the write-ahead log of the writer
 * only grows; it is brought into the database here, since a node at full speed writes as much in these seconds as holds
 * its event loop for a tenth of one.
 */
async function copyPages(from: string, to: string): Promise<void> {
  try {
    const db = new Database(from, { fileMustExist: true, timeout: BUSY_MS })
    try {
      await db.backup(to, { progress: () => ALL_PAGES })
      bringLogHome(db)
    } finally {
      db.close()
    }
  } catch (error) {
    throw translate(to, error)
  }
}

function bringLogHome(db: Database.Database): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // On a disk that is full or read-only the log stays; the copy is whole.
  }
}

function writeSettings(path: string, settings: string | null): void {
  const db = new Database(path)
  try {
    db.pragma('journal_mode = DELETE')
    if (settings === null) db.prepare('DELETE FROM node_state WHERE key = ?').run(SETTINGS_KEY)
    else db.prepare('INSERT OR REPLACE INTO node_state (key, value) VALUES (?, ?)').run(SETTINGS_KEY, settings)
  } finally {
    db.close()
  }
}

function contentOf(path: string): BackupContent {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true })
    try {
      if (!isReadableDatabase(db)) throw new HeadwaterError('BACKUP_INVALID', 'a database of another program')
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
