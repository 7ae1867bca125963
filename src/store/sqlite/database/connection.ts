import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { KEY_FILE, openVault, type Vault } from '../../../runtime/vault.ts'
import { migrate } from '../schema/migrations.ts'
import { refuseEmptiedDatabase } from './earlier-node.ts'
import { translateErrors } from './failures.ts'
import { makePrivateFile, makePrivateFolder } from './private-file.ts'

/** SQLite does not know the types of rows: each query says what its rows look like. */
export type SqlStatement<Row = unknown> = Database.Statement<unknown[], Row>

/** One open database. Statements are prepared at their first use and kept: their number does not grow with the data. */
export interface Connection {
  readonly db: Database.Database
  /** For what must not be readable from the database alone. */
  readonly vault: Vault
  /** The file cannot be written; every write fails. */
  readonly isReadOnly: boolean
  /** `Row`: what `get`, `all` and `iterate` return; with `pluck` the value itself, with `raw` a tuple. */
  sql<Row = unknown>(text: string): SqlStatement<Row>
  /** Everything read in it is of one moment. */
  snapshot<T>(action: () => T): T
  /** Runs in one transaction, or as part of the one that is open. */
  transaction<T>(action: () => T): T
  /** Until the function that it returns is called, somebody else brings the write-ahead log into the database. */
  leaveLog(): () => void
  close(): void
}

/**
 * `process`: an acknowledged write survives the end of the process in any way, kill -9 included; after a power cut the
 * database is whole, but the last moments may be missing (all of it together: items, states and cursors).
 * `power`: each commit waits for the disk. See docs/decisions/0013-store-durability.md.
 */
export type Durability = 'process' | 'power'

export interface ConnectionOptions {
  readonly path: string
  readonly durability?: Durability
  /** Default: beside the database. */
  readonly keyFile?: string | undefined
  /** Opens also what a move has not finished. */
  readonly isForMove?: boolean
}

// An item of 2 KB does not fit twice into a page of 4 KB and takes all of it; with 16 KB the file is 40 % smaller and
// writing takes half the time. See docs/decisions/0010-store-layout.md.
const PAGE_BYTES = 16_384
const CACHE_KIB = 16_384
const CHECKPOINT_PAGES = 1_000
const BUSY_MS = 10_000

export function openConnection(options: ConnectionOptions): Connection {
  return translateErrors(options.path, () => {
    makePrivateFolder(dirname(options.path))
    refuseEmptiedDatabase(options.path)
    makePrivateFile(options.path)
    const db = new Database(options.path, { timeout: BUSY_MS })
    try {
      db.pragma(`page_size = ${PAGE_BYTES}`)
      db.pragma('journal_mode = WAL')
      db.pragma(`synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'}`)
      db.pragma(`cache_size = -${CACHE_KIB}`)
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
      migrate(db, options.isForMove)
      const vault = openVault(options.keyFile ?? keyFileBeside(options.path))
      return connectionOf(db, vault, isUnwritable(options.path), () => closeAndKeepLog(db))
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** A phrase asks for three slices of each block of 1,024 items, a page each: with 100,000 items that is 5 MB (0062). */
const READER_CACHE_KIB = 16_384

/** For a thread that only reads, beside the writer. */
export function openReader(path: string): Connection {
  return translateErrors(path, () => {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    db.pragma(`cache_size = -${READER_CACHE_KIB}`)
    return connectionOf(db, openVault(keyFileBeside(path)), true, () => db.close())
  })
}

function keyFileBeside(databasePath: string): string {
  return join(dirname(databasePath), KEY_FILE)
}

/** SQLite opens for reading what it cannot open for writing, and says so only at the first write. */
function isUnwritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/**
 * Leaves the write-ahead log and its index behind, empty. The last connection would remove both, unless it can only read;
 * and on a disk that is full or read-only the next start could not make them again.
 */
function closeAndKeepLog(db: Database.Database): void {
  let second: Database.Database | null = null
  try {
    if (db.pragma('journal_mode', { simple: true }) !== 'wal') return
    second = new Database(db.name, { readonly: true, fileMustExist: true })
    second.pragma('schema_version')
    db.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // Without room, or locked by others, the log stays as it is.
  } finally {
    db.close()
    second?.close()
  }
}

function connectionOf(db: Database.Database, vault: Vault, isReadOnly: boolean, close: () => void): Connection {
  const statements = new Map<string, SqlStatement>()
  const sql = <Row>(text: string) => {
    let statement = statements.get(text)
    if (statement === undefined) {
      statement = db.prepare(text)
      statements.set(text, statement)
    }
    return statement as SqlStatement<Row>
  }
  const within = <T>(begin: string, action: () => T): T => {
    if (db.inTransaction) return action()
    sql(begin).run()
    try {
      const result = action()
      sql('COMMIT').run()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after some failures, such as a full disk.
      if (db.inTransaction) sql('ROLLBACK').run()
      throw error
    }
  }
  const snapshot = <T>(action: () => T): T => within('BEGIN DEFERRED', action)
  // IMMEDIATE: a transaction that begins by reading could not wait for another process's write at its first own one.
  const transaction = <T>(action: () => T): T => within('BEGIN IMMEDIATE', action)
  let leaving = 0
  const leaveLog = () => {
    if (++leaving === 1) db.pragma('wal_autocheckpoint = 0')
    return () => {
      if (--leaving === 0 && db.open) db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    }
  }
  return { db, vault, isReadOnly, sql, snapshot, transaction, leaveLog, close }
}
