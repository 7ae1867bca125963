import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ItemBuffer } from '../../buffer/buffer.ts'
import type { Notifier } from '../../buffer/notifier.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { BackgroundWatch } from '../../runtime/supervisor.ts'
import type { ReportState } from '../../store/node-state.ts'
import { isLocked } from '../../store/sqlite/database/lock.ts'
import { makePrivateFolder } from '../../store/sqlite/database/private-file.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'
import { DATABASE_FILE } from './data-folder.ts'

export { DATABASE_FILE }

/** Whether a node runs on it now. */
export function isRunning({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  return isLocked(dataDir)
}

/** Whether a node keeps its data there. */
export function hasData({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  return existsSync(join(dataDir, DATABASE_FILE))
}

export interface Data {
  readonly store: Store
  readonly buffer: ItemBuffer
  readonly notifier: Notifier
}

export interface OpenedData extends Data {
  /** Copies the database as it is at one moment, while it is used. */
  readonly backup: (path: string) => Promise<void>
  /** Why log-ins that were written in plain could not be sealed yet; null: there are none. */
  readonly unsealed: Error | null
  /** Within the database file, for what will be written next. */
  readonly freeBytes: () => number
  /** The file cannot be written, as on a disk that is mounted so: it is only read, until it is opened again. */
  readonly isReadOnly: boolean
}

/**
 * Opens the data folder, making it where there is none. Any number of processes may have it open; one runs the node, with
 * threads for what takes long.
 */
export async function openData(
  config: Config,
  clock: Clock,
  background?: BackgroundWatch,
  hasThreads = false,
  onUnreadableState: ReportState = () => {},
): Promise<OpenedData> {
  try {
    makePrivateFolder(config.dataDir)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwaterError('STORE_FAILED', `the data folder ${config.dataDir}: ${detail}`, { cause })
  }
  const path = join(config.dataDir, DATABASE_FILE)
  const watch = background === undefined ? {} : { background }
  const { bufferCapacity, keyFile } = config
  return openSqliteStore({ path, clock, bufferCapacity, keyFile, hasThreads, onUnreadableState, ...watch })
}
