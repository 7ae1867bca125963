import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createAlarms } from '../../runtime/alarms.ts'
import { systemClock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { folderDisk } from './disk.ts'
import { createDiskSpaceWatch } from './disk-watch.ts'

const MIB = 1024 ** 2
const folders: string[] = []

function openWatch({ maxBytes, free = () => 0 }: { maxBytes?: number; free?: () => number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-room-'))
  folders.push(dataDir)
  const alarms = createAlarms({ clock: systemClock })
  const codes = () => alarms.list().map(({ code }) => code)
  const watch = createDiskSpaceWatch({
    disk: folderDisk(dataDir, free),
    maxBytes: () => maxBytes,
    alarms,
    clock: systemClock,
    onWritable: null,
  })
  return { dataDir, watch, codes }
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('the watch over the data folder', () => {
  it('counts everything in it, but not what is free within the database', async () => {
    let free = 0
    const { dataDir, watch, codes } = openWatch({ maxBytes: 3 * MIB, free: () => free })
    mkdirSync(join(dataDir, 'files'))
    writeFileSync(join(dataDir, 'headwater.db'), '')
    writeFileSync(join(dataDir, 'files', 'out.jsonl'), '')
    truncateSync(join(dataDir, 'headwater.db'), 2 * MIB)
    await watch.look()
    expect(watch.hasSpace()).toBe(true)
    truncateSync(join(dataDir, 'files', 'out.jsonl'), MIB)
    await watch.look()
    expect(watch.hasSpace()).toBe(false)
    expect(codes()).toContain('DATA_LIMIT_REACHED')
    free = MIB
    await watch.look()
    expect(watch.hasSpace()).toBe(true)
    expect(codes()).not.toContain('DATA_LIMIT_REACHED')
  })

  it('stops at the first write that failed for want of room, and looks closely before it goes on', async () => {
    const { watch } = openWatch()
    watch.doubt(new Error('a mistake in a program says nothing about disks'))
    expect(watch.hasSpace()).toBe(true)
    const cause = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    watch.doubt(new HeadwaterError('STORE_FAILED', 'x', { cause }))
    expect(watch.hasSpace()).toBe(false)
    await watch.look()
    expect(watch.hasSpace()).toBe(true)
  })
})
