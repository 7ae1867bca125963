import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tightenDataFolder } from './data-folder.ts'

let outer: string
let folder: string

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'headwater-folder-'))
  folder = join(outer, 'data')
  mkdirSync(folder)
})

afterEach(() => rmSync(outer, { recursive: true, force: true }))

function write(name: string, mode = 0o644): void {
  writeFileSync(join(folder, name), '')
  chmodSync(join(folder, name), mode)
}
const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o7777).toString(8)

const OURS = [
  ...['headwater.db', 'headwater.db-wal', 'headwater.db-shm', 'headwater.db.before-2026-01-01T00-00-00-000Z-wal'],
  ...['headwater.json', 'headwater.json.before-restore', 'headwater.key', 'node.lock', 'restore.db'],
  ...['upload-abc_-1.db', 'backup-abc.db-journal'],
]

describe('a data folder that others could read', () => {
  it('is closed, with every file of the node', () => {
    for (const name of OURS) write(name)
    chmodSync(folder, 0o755)
    const { changedPaths: tightened, leftBecause } = tightenDataFolder(folder)
    expect([...tightened].sort()).toEqual([...OURS, '.'].sort())
    expect(leftBecause).toBeNull()
    expect(modeOf('.')).toBe('700')
    for (const name of OURS) expect([name, modeOf(name)]).toEqual([name, '600'])
    expect(tightenDataFolder(folder)).toEqual({ changedPaths: [], leftBecause: null })
  })

  it('keeps the modes of what subscriptions write: it is meant for others', () => {
    mkdirSync(join(folder, 'files'), { mode: 0o755 })
    write('files/out.rss')
    chmodSync(folder, 0o755)
    expect(tightenDataFolder(folder)).toEqual({ changedPaths: ['.'], leftBecause: null })
    expect([modeOf('files'), modeOf('files/out.rss')]).toEqual(['755', '644'])
  })

  it.each([
    ['it also holds other things, as index.html', () => write('index.html')],
    ['it is set up for a group', () => chmodSync(folder, 0o2770)],
    ['it is set up for a group', () => chmodSync(folder, 0o1777)],
  ])('is left open where %s, but not its files', (reason, arrange) => {
    write('headwater.db')
    chmodSync(folder, 0o755)
    arrange()
    const before = modeOf('.')
    expect(tightenDataFolder(folder)).toEqual({ changedPaths: ['headwater.db'], leftBecause: reason })
    expect([modeOf('.'), modeOf('headwater.db')]).toEqual([before, '600'])
  })

  it('is left alone where it belongs to somebody else', () => {
    write('headwater.db')
    chmodSync(folder, 0o755)
    const somebodyElse = (process.getuid?.() ?? 0) + 1
    expect(tightenDataFolder(folder, somebodyElse)).toEqual({
      changedPaths: [],
      leftBecause: 'it belongs to another user',
    })
    expect(modeOf('headwater.db')).toBe('644')
  })

  it('does not follow links out of the folder', () => {
    const elsewhere = join(outer, 'elsewhere')
    writeFileSync(elsewhere, '')
    chmodSync(elsewhere, 0o644)
    symlinkSync(elsewhere, join(folder, 'headwater.json'))
    tightenDataFolder(folder)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o644)
  })
})
