import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiskFacts, judgeDiskSpace, reserveBytes } from './disk-verdict.ts'

const MIB = 1024 ** 2
const fine: DiskFacts = {
  totalBytes: 1000 * MIB,
  freeBytes: 500 * MIB,
  usedBytes: 10 * MIB,
  isWritable: true,
  trial: null,
}

describe('whether there is room', () => {
  it.each<[string, Partial<DiskFacts>, number | undefined, string[], boolean]>([
    ['a disk half empty', {}, undefined, [], true],
    ['nine tenths used', { freeBytes: 99 * MIB }, undefined, ['DISK_NEARLY_FULL'], true],
    ['only the reserve left', { freeBytes: 19 * MIB }, undefined, ['DISK_FULL'], false],
    [
      'a write that failed for want of room, whatever the disk says',
      { trial: 'full' },
      undefined,
      ['DISK_FULL'],
      false,
    ],
    ['a folder that refuses', { isWritable: false }, undefined, ['DISK_READ_ONLY'], false],
    ['a write that was refused', { trial: 'read-only' }, undefined, ['DISK_READ_ONLY'], false],
    ['a trial that went well', { trial: 'fine' }, undefined, [], true],
    ['nine tenths of the limit', {}, 11 * MIB, ['DATA_LIMIT_NEAR'], true],
    ['the limit', {}, 10 * MIB, ['DATA_LIMIT_REACHED'], false],
    ['both', { freeBytes: 0 }, 10 * MIB, ['DISK_FULL', 'DATA_LIMIT_REACHED'], false],
  ])('%s', (_, facts, limit, codes, hasRoom) => {
    const verdict = judgeDiskSpace({ ...fine, ...facts }, limit, new Set())
    expect([...verdict.alarms.keys()]).toEqual(codes)
    expect(verdict.hasSpace).toBe(hasRoom)
  })

  it('comes back a little later than it went, so that alarms do not flicker', () => {
    const full = new Set(['DISK_FULL'] as const)
    expect(judgeDiskSpace({ ...fine, freeBytes: 25 * MIB }, undefined, full).hasSpace).toBe(false)
    expect(judgeDiskSpace({ ...fine, freeBytes: 31 * MIB }, undefined, full).hasSpace).toBe(true)
    const reached = new Set(['DATA_LIMIT_REACHED'] as const)
    expect(judgeDiskSpace(fine, 10.1 * MIB, reached).hasSpace).toBe(false)
    expect(judgeDiskSpace(fine, 10.3 * MIB, reached).hasSpace).toBe(true)
  })

  it('more free space never takes room away', () => {
    const bytes = fc.integer({ min: 0, max: 2 ** 40 })
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.boolean(), (totalBytes, a, b, wasFull) => {
        const before = new Set(wasFull ? (['DISK_FULL'] as const) : [])
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map(
          (freeBytes) => judgeDiskSpace({ ...fine, totalBytes, freeBytes }, undefined, before).hasSpace,
        )
        expect(less && !more).toBe(false)
      }),
    )
    expect(reserveBytes(2 ** 50)).toBe(32 * MIB)
  })
})
