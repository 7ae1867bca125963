import { constants } from 'node:fs'
import { access, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Room } from '../../crawler/room.ts'
import { SECOND_MS } from '../../model/index.ts'
import type { AlarmCode, Alarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import { periodic } from '../../runtime/periodic.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { type DiskFacts, judgeRoom } from './room-verdict.ts'

export interface RoomWatch extends Room {
  /** Looks at once. */
  look(): Promise<void>
  readonly layer: Layer
}

export interface RoomWatchDeps {
  readonly dataDir: string
  /** The setting of the moment; undefined: no limit. */
  readonly maxBytes: () => number | undefined
  /** Within the database, for new items: what retention removed. */
  readonly freeBytes: () => number
  readonly alarms: Alarms
  readonly clock: Clock
  /** The folder can be written, though it could not when it was opened. */
  readonly onWritable: (() => void) | null
}

const LOOK_EVERY_MS = 2 * SECOND_MS
const CODES = ['DISK_FULL', 'DISK_NEARLY_FULL', 'DISK_READ_ONLY', 'DATA_LIMIT_REACHED', 'DATA_LIMIT_NEAR'] as const
const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT']
const READ_ONLY = ['SQLITE_READONLY', 'EROFS', 'EACCES', 'EPERM']
/** More than a page of the database, so that a disk with a few bytes left does not pass. */
const TRIAL_BYTES = 64 * 1024

/**
 * Watches the disk of the data folder and the folder's own limit, tells people by alarms, and the crawler whether it may
 * fetch. Usually it only asks the file system; after a write that failed it tries one, because quotas and broken disks do
 * not show otherwise. See docs/decisions/0055-room.md.
 */
export function createRoomWatch(deps: RoomWatchDeps): RoomWatch {
  const { dataDir, maxBytes, freeBytes, alarms, clock } = deps
  let hasRoom = true
  let isDoubted = false
  /** A trial failed: only another one shows that it is over. */
  let isRefused = false

  const look = async () => {
    const limit = maxBytes()
    const isDoubtful = isDoubted
    const facts = await diskFacts(dataDir, isDoubtful || isRefused, limit === undefined ? null : freeBytes)
    const before = new Set<AlarmCode>(alarms.list().map(({ code }) => code))
    const verdict = judgeRoom(facts, limit, before)
    for (const code of CODES) {
      const detail = verdict.alarms.get(code)
      if (detail === undefined) alarms.clear(code)
      else alarms.raise(code, detail)
    }
    hasRoom = verdict.hasRoom
    isRefused = facts.trial !== null && facts.trial !== 'fine'
    if (isDoubtful) isDoubted = false
    if (facts.isWritable && hasRoom) deps.onWritable?.()
  }

  return {
    hasRoom: () => hasRoom && !isDoubted,
    doubt(error) {
      if (refusalOf(error) !== null) isDoubted = true
    },
    look,
    layer: {
      name: 'room',
      healthyAfterMs: null,
      run: periodic({ clock, everyMs: LOOK_EVERY_MS, action: look, alsoAtEnd: false }),
    },
  }
}

async function diskFacts(dataDir: string, isDoubtful: boolean, free: (() => number) | null): Promise<DiskFacts> {
  const { blocks, bavail, bsize } = await statfs(dataDir)
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  return {
    totalBytes: blocks * bsize,
    freeBytes: bavail * bsize,
    usedBytes: free === null ? null : (await folderBytes(dataDir)) - free(),
    isWritable,
    trial: isDoubtful && isWritable ? await tryToWrite(join(dataDir, 'room.trial')) : null,
  }
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    // What is removed meanwhile takes no room.
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
function refusalOf(error: unknown): 'full' | 'read-only' | 'unknown' | null {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one && typeof one.code === 'string' ? one.code : ''
    if (FULL.includes(code)) return 'full'
    if (READ_ONLY.some((basic) => code.startsWith(basic))) return 'read-only'
    if (code.startsWith('SQLITE_IOERR') || code === 'EIO') return 'unknown'
  }
  return null
}
