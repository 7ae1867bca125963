import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsFor } from '../../../../test/support/published-items.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openSqliteStore } from '../open.ts'
import { lockDataFolder } from './lock.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-earlier-'))
  path = join(folder, 'headwater.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openSqliteStore({ path, clock: systemClock })

/** A node has been here: with a database of many pages and its lock file. */
async function anEarlierNode(): Promise<void> {
  const { store } = await open()
  lockDataFolder(folder).release()
  const settings = Array.from({ length: 500 }, (_, i) => settingsFor(`https://example.org/${i}/${'x'.repeat(200)}`))
  await store.addSources(settings, 0)
  await store.close()
}

describe('a database beside the marks of an earlier node', () => {
  const damages: readonly [string, string, () => void][] = [
    ['0 bytes', 'STORE_EMPTY', () => truncateSync(path, 0)],
    ['half of it', 'STORE_CORRUPT', () => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['its first page', 'STORE_CORRUPT', () => truncateSync(path, 16_384)],
    ['part of its header', 'STORE_CORRUPT', () => truncateSync(path, 60)],
    ['zeros', 'STORE_CORRUPT', () => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ['other bytes', 'STORE_CORRUPT', () => writeFileSync(path, 'something else '.repeat(10_000))],
  ]

  it.each(damages)('of %s is refused with %s, and nothing is changed', async (_what, code, damage) => {
    await anEarlierNode()
    damage()
    const before = readFileSync(path)
    await expect(open()).rejects.toMatchObject({ code, hint: expect.stringContaining('headwater restore') })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('of 0 bytes does not cost the journal, which SQLite would remove', async () => {
    const { store } = await open()
    await store.addSources([settingsFor('https://example.org/')], 0)
    const journal = readFileSync(`${path}-wal`)
    await store.close()
    for (const isThere of [true, false]) {
      rmSync(path, { force: true })
      if (isThere) writeFileSync(path, '')
      writeFileSync(`${path}-wal`, journal)
      await expect(open()).rejects.toMatchObject({ code: 'STORE_EMPTY' })
      expect(readFileSync(`${path}-wal`).equals(journal)).toBe(true)
    }
  })

  it('may be moved away to start over', async () => {
    await anEarlierNode()
    rmSync(path)
    const { store } = await open()
    expect((await store.counts()).sources).toBe(0)
    await store.close()
  })

  it('may be empty where no node has been: a start was interrupted', async () => {
    writeFileSync(path, '')
    const { store } = await open()
    await store.close()
    expect(existsSync(path)).toBe(true)
  })

  it('after a kill is opened with its journal, however little of it is in the file itself', async () => {
    const { store } = await open()
    lockDataFolder(folder).release()
    await store.addSources([settingsFor('https://example.org/')], 0)
    const killed = join(folder, 'killed', 'headwater.db')
    mkdirSync(join(folder, 'killed'))
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${killed}${end}`)
    writeFileSync(join(folder, 'killed', 'node.lock'), '')
    const again = await openSqliteStore({ path: killed, clock: systemClock })
    expect((await again.store.counts()).sources).toBe(1)
    await again.store.close()
    await store.close()
  })
})

describe('the files of a store', () => {
  it('are for nobody else, whatever the umask', async () => {
    const { store, backup } = await open()
    lockDataFolder(folder).release()
    await store.addSources([settingsFor('https://example.org/', { basicAuth: { user: 'a', password: 'b' } })], 0)
    await backup(join(folder, 'copy.db'))
    const modes = ['headwater.db', 'headwater.db-wal', 'headwater.db-shm', 'headwater.key', 'node.lock', 'copy.db'].map(
      (name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)],
    )
    expect(modes).toEqual(modes.map(([name]) => [name, '600']))
    await store.close()
  })
})
