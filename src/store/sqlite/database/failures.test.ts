import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNotifier } from '../../../buffer/notifier.ts'
import { BLANK_ITEM } from '../../../model/index.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { NEW_SOURCE_STATE } from '../../defaults.ts'
import type { NewItem, RefreshRecord } from '../../store.ts'
import { openSqliteStore } from '../open.ts'
import { SCHEMA_VERSION } from '../schema/migrations.ts'
import { createSqliteStore } from '../store.ts'
import { openConnection } from './connection.ts'

const SETTINGS = {
  url: 'http://a/',
  name: null,
  categories: [],
  weight: 1,
  intervalMs: null,
  headers: {},
  basicAuth: null,
  userAgent: null,
  proxyUrl: null,
  paused: false,
}

function item(name: string, content: string): NewItem {
  return {
    key: Buffer.from(name.padEnd(16)).toString('hex'),
    contentHash: '0'.repeat(32),
    ...BLANK_ITEM,
    id: name,
    title: name,
    content,
    firstSeenAt: 1,
    sortAt: 1,
  }
}

function record(sourceId: number, ...newItems: NewItem[]): RefreshRecord {
  const state = { ...NEW_SOURCE_STATE, lastCheckAt: newItems.length }
  return {
    sourceId,
    state,
    movedTo: null,
    observation: null,
    renamedItems: [],
    intake: null,
    newItems,
    changedItems: [],
  }
}

describe('a database that cannot be used', () => {
  let dir: string
  let path: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headwater-failures-'))
    path = join(dir, 'headwater.db')
  })
  afterEach(() => {
    chmodSync(dir, 0o700)
    rmSync(dir, { recursive: true, force: true })
  })
  const open = () => openSqliteStore({ path, clock: systemClock })

  it('is refused as damaged when it is not a database', async () => {
    writeFileSync(path, 'no database at all, but long enough to be taken for one '.repeat(100))
    await expect(open()).rejects.toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining(path) })
  })

  it('is reported as damaged when pages in the middle are overwritten', async () => {
    const { store } = await open()
    const [{ source } = { source: null! }] = await store.addSources([SETTINGS], 0)
    const items = Array.from({ length: 200 }, (_, index) => item(`item ${index}`, 'x'.repeat(2_000)))
    await store.recordRefresh(record(source.id, ...items))
    await store.close()
    const db = new Database(path)
    const pages = Number(db.pragma('page_count', { simple: true }))
    db.close()
    const bytes = Buffer.alloc(16_384 * (pages - 3), 0x5a)
    const file = await import('node:fs/promises').then((fs) => fs.open(path, 'r+'))
    await file.write(bytes, 0, bytes.length, 16_384 * 3)
    await file.close()
    const use = async () => {
      const { store: damaged } = await open()
      try {
        await damaged.items({ scope: { kind: 'all' }, limit: 1_000, text: 'item' })
      } finally {
        await damaged.close()
      }
    }
    await expect(use()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it('is refused when a newer version wrote it, and left as it is', async () => {
    await (await open()).store.close()
    const db = new Database(path)
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    db.close()
    await expect(open()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
    const again = new Database(path)
    expect(again.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1)
    again.close()
  })

  it('is refused when it is the database of another program', async () => {
    const db = new Database(path)
    db.exec('CREATE TABLE bookmarks (url TEXT)')
    db.close()
    await expect(open()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    const again = new Database(path, { readonly: true })
    expect(again.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['bookmarks'])
    again.close()
  })

  it('is refused where no folder can be made', async () => {
    writeFileSync(join(dir, 'file'), '')
    path = join(dir, 'file', 'headwater.db')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  it.skipIf(process.getuid?.() === 0)(
    'is refused in a read-only folder (not tried by root, who may write)',
    async () => {
      chmodSync(dir, 0o500)
      await expect(open()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    },
  )
})

describe.skipIf(!existsSync('/proc/self'))('a folder that not even root may write (skipped without /proc)', () => {
  it('is refused', async () => {
    await expect(openSqliteStore({ path: '/proc/headwater.db', clock: systemClock })).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
  })
})

describe('a full disk', () => {
  it('refuses a refresh with its code, stores nothing of it, and goes on when there is room', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headwater-full-'))
    const path = join(dir, 'headwater.db')
    const connection = openConnection({ path })
    const store = createSqliteStore({
      connection,
      clock: systemClock,
      capacity: 10,
      bufferChanged: () => {},
      notifier: createNotifier(systemClock),
    })
    const [{ source } = { source: null! }] = await store.addSources([SETTINGS], 0)
    const pages = Number(connection.db.pragma('page_count', { simple: true }))
    connection.db.pragma(`max_page_count = ${pages + 1}`)
    const large = record(source.id, item('a', 'x'.repeat(10)), item('b', 'y'.repeat(200_000)))
    const small = record(source.id, item('c', 'z'))
    const [refused, stored] = await Promise.allSettled([store.recordRefresh(large), store.recordRefresh(small)])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'STORE_FAILED' } })
    expect(stored).toMatchObject({ status: 'fulfilled', value: { added: 1 } })
    expect(await store.counts()).toMatchObject({ items: 1 })
    expect((await store.source(source.id))?.state.lastCheckAt).toBe(1)
    connection.db.pragma(`max_page_count = ${pages + 1_000}`)
    expect(await store.recordRefresh(large)).toEqual({ added: 2, changed: 0 })
    expect(await store.items({ scope: { kind: 'all' }, limit: 9, text: 'x*' })).toHaveLength(1)
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  })
})
