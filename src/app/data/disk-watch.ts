import type { DiskSpace } from '../../crawler/disk-space.ts'
import { SECOND_MS } from '../../model/index.ts'
import type { AlarmCode, Alarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { type Disk, refusalOf } from './disk.ts'
import { judgeDiskSpace } from './disk-verdict.ts'

export interface DiskSpaceWatch extends DiskSpace {
  /** Looks at once. */
  look(): Promise<void>
  readonly layer: Layer
}

export interface DiskSpaceWatchDeps {
  readonly disk: Disk
  /** The setting of the moment; undefined: no limit. */
  readonly maxBytes: () => number | undefined
  readonly alarms: Alarms
  readonly clock: Clock
  /** The folder can be written, though it could not when it was opened. */
  readonly onWritable: (() => void) | null
}

const LOOK_EVERY_MS = 2 * SECOND_MS
const CODES = ['DISK_FULL', 'DISK_NEARLY_FULL', 'DISK_READ_ONLY', 'DATA_LIMIT_REACHED', 'DATA_LIMIT_NEAR'] as const

/**
 * Watches the disk of the data folder and the folder's own limit, tells people by alarms, and the crawler whether it may
 * fetch. See docs/decisions/0055-room.md.
 */
export function createDiskSpaceWatch(deps: DiskSpaceWatchDeps): DiskSpaceWatch {
  const { disk, maxBytes, alarms, clock } = deps
  let hasRoom = true
  let isDoubted = false
  /** A trial failed: only another one shows that it is over. */
  let isRefused = false

  const look = async () => {
    const limit = maxBytes()
    const isDoubtful = isDoubted
    const facts = await disk.look({ isDoubtful: isDoubtful || isRefused, withUse: limit !== undefined })
    const before = new Set<AlarmCode>(alarms.list().map(({ code }) => code))
    const verdict = judgeDiskSpace(facts, limit, before)
    for (const code of CODES) {
      const detail = verdict.alarms.get(code)
      if (detail === undefined) alarms.clear(code)
      else alarms.raise(code, detail)
    }
    hasRoom = verdict.hasSpace
    isRefused = facts.trial !== null && facts.trial !== 'fine'
    if (isDoubtful) isDoubted = false
    if (facts.isWritable && hasRoom) deps.onWritable?.()
  }

  return {
    hasSpace: () => hasRoom && !isDoubted,
    doubt(error) {
      if (refusalOf(error) !== null) isDoubted = true
    },
    look,
    layer: {
      name: 'room',
      healthyAfterMs: null,
      run: repeat({ clock, everyMs: LOOK_EVERY_MS, action: look, alsoAtEnd: false }),
    },
  }
}
