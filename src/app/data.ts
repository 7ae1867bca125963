import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ItemBuffer } from '../buffer/buffer.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { BackgroundWatch } from '../runtime/supervisor.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

export const DATABASE_FILE = 'headwater.db'

export interface Data {
  readonly store: Store
  readonly buffer: ItemBuffer
}

export interface OpenedData extends Data {
  /** Copies the database as it is at one moment, while it is used. */
  readonly backup: (path: string) => Promise<void>
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
): Promise<OpenedData> {
  try {
    mkdirSync(config.dataDir, { recursive: true })
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwaterError('STORE_FAILED', `the data folder ${config.dataDir}: ${detail}`, { cause })
  }
  const path = join(config.dataDir, DATABASE_FILE)
  const watch = background === undefined ? {} : { background }
  return openSqliteStore({ path, clock, bufferCapacity: config.bufferCapacity, hasThreads, ...watch })
}
