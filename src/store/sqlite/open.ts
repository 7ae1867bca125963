import type { ItemBuffer } from '../../buffer/buffer.ts'
import { createNotifier, type Notifier } from '../../buffer/notifier.ts'
import type { Clock } from '../../runtime/clock.ts'
import { DEFAULT_BUFFER_CAPACITY } from '../defaults.ts'
import type { ReportState } from '../node-state.ts'
import type { Store } from '../store.ts'
import { copyDatabase } from './backup/backup.ts'
import { createSqliteBuffer } from './buffer/buffer.ts'
import { type Connection, type Durability, openConnection } from './database/connection.ts'
import { translate, translateErrors } from './database/failures.ts'
import { makePrivateFile } from './database/private-file.ts'
import type { IndexerWatch } from './search/indexer.ts'
import { sealPlain } from './sources/seal-plain.ts'
import { createSqliteStore } from './store.ts'

export interface SqliteStoreOptions {
  /** Of the database file; its folder is made if it is not there. */
  readonly path: string
  readonly clock: Clock
  /** Entries that the slowest reader may lag behind before the crawler waits. */
  readonly bufferCapacity?: number
  readonly durability?: Durability
  /** Of the key that seals secrets; default: beside the database. */
  readonly keyFile?: string | undefined
  /** Gets the progress and failures of background work. */
  readonly background?: IndexerWatch
  readonly onUnreadableState?: ReportState
  /** Whether what takes long runs in threads; usually not. */
  readonly hasThreads?: boolean
}

export interface SqliteStore {
  readonly store: Store
  readonly buffer: ItemBuffer
  /** Of this process. */
  readonly notifier: Notifier
  /** Copies the database as it is at one moment; it can be used meanwhile. */
  readonly backup: (path: string) => Promise<void>
  /** Why secrets that were written in plain could not be sealed now; null: there are none. */
  readonly unsealed: Error | null
  /** Within the file, for what will be written next. */
  readonly freeBytes: () => number
  /** The file cannot be written; every write fails. */
  readonly isReadOnly: boolean
}

/** Archive and item buffer in one SQLite file, so that both change in the same transaction. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const connection = openConnection(options)
  const capacity = options.bufferCapacity ?? DEFAULT_BUFFER_CAPACITY
  const { clock, path } = options
  const unsealed = trySeal(connection)
  try {
    const notifier = createNotifier(clock)
    const buffer = createSqliteBuffer({ connection, clock, capacity, notifier })
    const store = createSqliteStore({
      connection,
      clock,
      capacity,
      bufferChanged: buffer.changed,
      notifier,
      ...(options.background === undefined ? {} : { background: options.background }),
      ...(options.onUnreadableState === undefined ? {} : { onUnreadableState: options.onUnreadableState }),
      hasThreads: options.hasThreads ?? false,
    })
    return {
      store,
      buffer,
      notifier,
      backup: (target) => backup(connection, path, target),
      freeBytes: () => freeBytes(connection),
      isReadOnly: connection.isReadOnly,
      unsealed,
    }
  } catch (error) {
    connection.close()
    throw translate(path, error)
  }
}

/** A full or read-only disk, or a key that cannot be used, is no reason not to serve. */
function trySeal(connection: Connection): Error | null {
  try {
    sealPlain(connection)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function freeBytes({ db, sql }: Connection): number {
  if (!db.open) return 0
  return sql('SELECT freelist_count * page_size FROM pragma_freelist_count(), pragma_page_size()')
    .pluck()
    .get() as number
}

async function backup(connection: Connection, path: string, target: string): Promise<void> {
  translateErrors(target, () => makePrivateFile(target))
  const resume = connection.leaveLog()
  try {
    await copyDatabase(path, target)
  } finally {
    resume()
  }
}
