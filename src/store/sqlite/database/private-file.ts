import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'

/** Of folders and files that hold what only the user who runs the node may read. */
export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600

/** Made by the first node of a folder and left there, so that it also shows that there was one (earlier-node.ts). */
export const LOCK_FILE = 'node.lock'

/**
 * Makes a file that only its owner can read, unless it is there already. SQLite takes an empty file for a new database, and
 * gives `-wal`, `-shm` and `-journal` the mode of the database (`findCreateFileMode` in os_unix.c).
 */
export function makePrivateFile(path: string): void {
  // On a disk that cannot be written, opening for writing fails even where nothing would be.
  if (existsSync(path)) return
  closeSync(openSync(path, 'a', PRIVATE_FILE))
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER })
}
