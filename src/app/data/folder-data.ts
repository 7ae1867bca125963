import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import { KEY_FILE, openVault } from '../../runtime/vault.ts'
import { isLocked, lockDataFolder } from '../../store/sqlite/database/lock.ts'
import { makePrivateFolder } from '../../store/sqlite/database/private-file.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import type { Environment } from '../environment.ts'
import type { SettingsDocument } from '../settings/settings-document.ts'
import { CONFIG_FILE, readSettingsFile, writeSettingsFile } from '../settings/settings-file.ts'
import { DATABASE_FILE, tightenDataFolder } from './data-folder.ts'
import { lookInProcess } from './database-check.ts'
import { folderDisk } from './disk.ts'
import { folderBackups, hasRestoredBackup, putBackupInPlace, restoreBackup } from './folder-backups.ts'
import type { DataPlace, OpenedData, OpenOptions, RoleLocks } from './opened-data.ts'
import { ROLE_NAMES } from './role-names.ts'

/** SQLite in a folder, with settings, key and locks beside it. */
export function folderPlace(dataDir: string): DataPlace {
  const common = { name: dataDir, settings: settingsIn(dataDir), locks: locksOf(dataDir) }
  return {
    ...common,
    exists: async () => existsSync(join(dataDir, DATABASE_FILE)),
    prepare(environment) {
      takeRestored(dataDir, environment)
      tighten(dataDir, environment)
    },
    open: async (options) => ({ ...common, ...(await open(dataDir, options)) }),
    restore: (file, now) => restoreBackup(dataDir, file, now),
  }
}

async function open(
  dataDir: string,
  { config, clock, background, hasThreads, onUnreadableState }: OpenOptions,
): Promise<Omit<OpenedData, 'name' | 'settings' | 'locks'>> {
  try {
    makePrivateFolder(dataDir)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwaterError('STORE_FAILED', `the data folder ${dataDir}: ${detail}`, { cause })
  }
  const path = join(dataDir, DATABASE_FILE)
  const watch = background === undefined ? {} : { background }
  const { bufferCapacity, keyFile } = config
  const opened = await openSqliteStore({
    path,
    clock,
    bufferCapacity,
    keyFile,
    hasThreads,
    onUnreadableState,
    ...watch,
  })
  const { store, buffer, notifier, backup, freeBytes, unsealed, isReadOnly } = opened
  return {
    store,
    buffer,
    notifier,
    vault: openVault(keyFile ?? join(dataDir, KEY_FILE)),
    backups: folderBackups({ dataDir, copyTo: backup }),
    disk: folderDisk(dataDir, freeBytes),
    check: (signal) => lookInProcess(path, signal),
    unsealed,
    isReadOnly,
    cluster: null,
  }
}

/** A whole node holds one lock, as it always did; a part of one shares it with the others. */
function locksOf(dataDir: string): RoleLocks {
  return {
    take(roles) {
      if (roles.length === ROLE_NAMES.length) return lockDataFolder(dataDir)
      const locks: { release(): void }[] = []
      const release = () => {
        for (const lock of locks) lock.release()
      }
      try {
        for (const role of roles) locks.push(lockDataFolder(dataDir, role))
      } catch (error) {
        release()
        throw error
      }
      return { release }
    },
    isTaken: (role) => isLocked(dataDir, role),
  }
}

function settingsIn(dataDir: string): SettingsDocument {
  let last = ''
  return {
    read: async () => readSettingsFile(dataDir),
    write: async (settings) => writeSettingsFile(dataDir, settings),
    async version() {
      // Settings that came with a backup are of the next start, as the backup is.
      if (!hasRestoredBackup(dataDir)) last = versionOf(join(dataDir, CONFIG_FILE))
      return last
    },
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.ino} ${stats.mtimeNs} ${stats.size}`
}

/** A backup that was given to the last run takes the place of the database, if no other node has it open. */
function takeRestored(dataDir: string, { clock, logger }: Environment): void {
  if (!hasRestoredBackup(dataDir)) return
  const lock = lockDataFolder(dataDir)
  try {
    putBackupInPlace(dataDir, clock.now())
    logger.info({ dataDir }, 'the backup was restored; what was there is kept beside it')
  } finally {
    lock.release()
  }
}

/** What others could read until now, they cannot any more, unless that would hurt. */
function tighten(dataDir: string, { logger }: Environment): void {
  if (!existsSync(dataDir)) return
  const { changedPaths: tightened, leftBecause } = tightenDataFolder(dataDir)
  if (tightened.length > 0) logger.warn({ dataDir, tightened }, 'closed to other users of this machine')
  if (leftBecause !== null) logger.warn({ dataDir, leftBecause }, 'others can look into the data folder')
}
