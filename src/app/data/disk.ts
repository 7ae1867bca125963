import { constants } from 'node:fs'
import { access, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskFacts } from './disk-verdict.ts'

/** Where data is written to. */
export interface Disk {
  look(wanted: { readonly isDoubtful: boolean; readonly withUse: boolean }): Promise<DiskFacts>
}

const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT']
const READ_ONLY = ['SQLITE_READONLY', 'EROFS', 'EACCES', 'EPERM']
/** More than a page of the database, so that a disk with a few bytes left does not pass. */
const TRIAL_BYTES = 64 * 1024

/**
 * The disk of a folder. Usually only the file system is asked; in doubt, after a write that failed, one is tried, because
 * quotas and broken disks do not show otherwise. `freeBytes`: within the database, for new items.
 */
export function folderDisk(folder: string, freeBytes: () => number): Disk {
  return {
    async look({ isDoubtful, withUse }) {
      const { blocks, bavail, bsize } = await statfs(folder)
      const isWritable = await access(folder, constants.W_OK).then(
        () => true,
        () => false,
      )
      return {
        totalBytes: blocks * bsize,
        freeBytes: bavail * bsize,
        usedBytes: withUse ? (await folderBytes(folder)) - freeBytes() : null,
        isWritable,
        trial: isDoubtful && isWritable ? await tryToWrite(join(folder, 'room.trial')) : null,
      }
    },
  }
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    // What is removed meanwhile takes no disk space.
    if (entry.isDirectory()) bytes += await folderBytes(path)
    else if (entry.isFile()) bytes += (await stat(path).catch(() => null))?.size ?? 0
  }
  return bytes
}

async function tryToWrite(path: string): Promise<NonNullable<DiskFacts['trial']>> {
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.write(Buffer.alloc(TRIAL_BYTES, 1))
      await file.sync()
    } finally {
      await file.close()
    }
    return 'fine'
  } catch (error) {
    return refusalOf(error) === 'read-only' ? 'read-only' : 'full'
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** What a failed write says of the disk; null: nothing. */
export function refusalOf(error: unknown): 'full' | 'read-only' | 'unknown' | null {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one && typeof one.code === 'string' ? one.code : ''
    if (FULL.includes(code)) return 'full'
    if (READ_ONLY.some((basic) => code.startsWith(basic))) return 'read-only'
    if (code.startsWith('SQLITE_IOERR') || code === 'EIO') return 'unknown'
  }
  return null
}
