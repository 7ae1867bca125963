import { chmodSync, existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILE } from '../../runtime/vault.ts'
import { LOCK_FILE, PRIVATE_FILE, PRIVATE_FOLDER } from '../../store/sqlite/database/private-file.ts'
import type { Environment } from '../environment.ts'
import { OUTPUT_FOLDER } from '../settings/config.ts'
import { CONFIG_FILE } from '../settings/settings-file.ts'
import { MEMBERS_FOLDER } from './member-place.ts'

export const DATABASE_FILE = 'headwater.db'
/** Waits in the data folder for the next start. */
export const RESTORE_FILE = 'restore.db'
const DEMO_FOLDER = 'demo'
/** Folders of ours, which are not closed themselves. */
const FOLDERS: readonly string[] = [OUTPUT_FOLDER, DEMO_FOLDER, MEMBERS_FOLDER]

/** Files that hold what only the user who runs the node may read, with what a crash or a restore may leave of them. */
const PRIVATE = [DATABASE_FILE, CONFIG_FILE, KEY_FILE, LOCK_FILE, RESTORE_FILE]
const PRIVATE_TEMPORARY = /^(?:backup|upload)-[\w-]+\.db/

const OTHERS = 0o077
/** Set-group-id and sticky: somebody has made the folder for a group. */
const ON_PURPOSE = 0o3000

export interface PermissionChanges {
  /** Names of what others could read until now; `.` is the folder itself. */
  readonly changedPaths: readonly string[]
  /** Why the folder was left as it is, although others may look into it; null: they may not. */
  readonly leftBecause: string | null
}

/**
 * Closes an existing folder to others. It is left as it is where that would hurt: it belongs to somebody else, is set up for
 * a group, or holds other things than a node's. Its private files are closed in any case.
 */
export function tightenDataFolder(dataDir: string, uid: number | undefined = process.getuid?.()): PermissionChanges {
  // Windows knows no such modes.
  if (uid === undefined) return { changedPaths: [], leftBecause: null }
  const names = readdirSync(dataDir)
  const tightened = names.filter((name) => isPrivate(name) && tighten(join(dataDir, name), PRIVATE_FILE, uid))
  const folder = lstatSync(dataDir)
  const leftBecause = (folder.mode & OTHERS) === 0 ? null : whyLeft(folder, names, uid)
  if (leftBecause === null && tighten(dataDir, PRIVATE_FOLDER, uid)) tightened.push('.')
  return { changedPaths: tightened, leftBecause }
}

/** What others could read until now, they cannot any more, unless that would hurt. */
export function closeToOthers(dataDir: string, { logger }: Pick<Environment, 'logger'>): void {
  if (!existsSync(dataDir)) return
  const { changedPaths: tightened, leftBecause } = tightenDataFolder(dataDir)
  if (tightened.length > 0) logger.warn({ dataDir, tightened }, 'closed to other users of this machine')
  if (leftBecause !== null) logger.warn({ dataDir, leftBecause }, 'others can look into the data folder')
}

function isPrivate(name: string): boolean {
  const isOf = (own: string) => name === own || name.startsWith(`${own}-`) || name.startsWith(`${own}.`)
  return PRIVATE_TEMPORARY.test(name) || PRIVATE.some(isOf)
}

function whyLeft({ uid: owner, mode }: Stats, names: readonly string[], uid: number): string | null {
  if (owner !== uid) return 'it belongs to another user'
  if ((mode & ON_PURPOSE) !== 0) return 'it is set up for a group'
  const foreign = names.find((name) => !isPrivate(name) && !FOLDERS.includes(name))
  return foreign === undefined ? null : `it also holds other things, as ${foreign}`
}

/** Whether it was open to others; a link is none of ours. */
function tighten(path: string, mode: number, uid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isSymbolicLink() || (stats.mode & OTHERS) === 0 || stats.uid !== uid) return false
  try {
    chmodSync(path, mode)
    return true
  } catch {
    return false
  }
}
