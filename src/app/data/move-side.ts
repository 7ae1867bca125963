import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import { KEY_FILE } from '../../runtime/vault.ts'
import { type FolderLock, lockDataFolder } from '../../store/sqlite/database/lock.ts'
import { LOCK_FILE } from '../../store/sqlite/database/private-file.ts'
import { openSqliteTransfer } from '../../store/sqlite/transfer/transfer.ts'
import type { Transfer } from '../../store/transfer/transfer.ts'
import type { Environment } from '../environment.ts'
import type { SettingsDocument } from '../settings/settings-document.ts'
import { DATABASE_FILE } from './data-folder.ts'
import { folderPlace, folderSettings } from './folder-data.ts'
import { databaseSettings } from './postgres-data.ts'
import { parseStoreUrl } from './store-url.ts'

/** One end of a move, open. */
export interface MoveSide {
  readonly transfer: Transfer
  readonly settings: Pick<SettingsDocument, 'read' | 'write'>
  release(): Promise<void>
}

export interface MoveSideOptions {
  readonly isTarget: boolean
  /** Of the key that seals its secrets. */
  readonly keyFile: string
  readonly environment: Environment
}

/** Throws where a node uses it, or there is nothing to move. */
export async function openForMove(url: string, options: MoveSideOptions): Promise<MoveSide> {
  const { kind, rest } = parseStoreUrl(url)
  switch (kind) {
    case 'sqlite':
      return openFolder(resolve(rest), options)
    case 'postgres':
      return openDatabase(rest, options)
    case 'memory':
      throw new HeadwaterError('STORE_URL_INVALID', 'what is in memory is gone with its process')
  }
}

/** Where its key lies, unless settings say otherwise; null: an address has no folder. */
export function folderOf(url: string): string | null {
  const { kind, rest } = parseStoreUrl(url)
  return kind === 'sqlite' ? resolve(rest) : null
}

export function keyFileIn(dataDir: string): string {
  return join(dataDir, KEY_FILE)
}

function openFolder(dir: string, { isTarget, keyFile, environment }: MoveSideOptions): MoveSide {
  const path = join(dir, DATABASE_FILE)
  const place = folderPlace(dir)
  if (isTarget) makeDatabase(dir, path, keyFile)
  else if (!existsSync(path)) throw new HeadwaterError('DATA_NOT_FOUND', dir)
  place.prepare(environment)
  const lock = lockDataFolder(dir)
  const transfer = openOr(lock, () => openSqliteTransfer({ path, name: dir, keyFile, isTarget }))
  return {
    transfer,
    settings: folderSettings(dir),
    async release() {
      await transfer.close()
      lock.release()
    },
  }
}

/**
 * Before the lock, which tells that a node has kept its archive here: an empty file beside it, as a kill would leave it now, would
 * be taken for an archive that is lost.
 */
function makeDatabase(dir: string, path: string, keyFile: string): void {
  if (existsSync(path) || existsSync(join(dir, LOCK_FILE))) return
  void openSqliteTransfer({ path, name: dir, keyFile, isTarget: true }).close()
}

function openOr(lock: FolderLock, open: () => Transfer): Transfer {
  try {
    return open()
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openDatabase(url: string, { isTarget, keyFile, environment }: MoveSideOptions): Promise<MoveSide> {
  // Who keeps to SQLite loads none of it.
  const { openPostgresTransfer } = await import('../../store/postgres/transfer/open.ts')
  const { transfer, settings } = await openPostgresTransfer({ url, clock: environment.clock, keyFile, isTarget })
  return { transfer, settings: databaseSettings({ settings }, transfer.name), release: () => transfer.close() }
}
