import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { addOne, newItem, record } from '../../../../test/contract/store.fixture.ts'
import { NODE_READER } from '../../../buffer/buffer.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openSqliteStore } from '../open.ts'

const COLUMNS = ['owner', 'expires_after_ms', 'seen_at', 'item_seq']

it('readers of an older folder continue where they were, and are waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-readers-'))
  const path = join(folder, 'headwater.db')
  const first = await openSqliteStore({ path, clock: systemClock })
  const source = await addOne(first.store, 'http://a/')
  await first.store.recordRefresh(record(source, { newItems: ['a', 'b', 'c'].map((name) => newItem(name)) }))
  await first.store.close()
  const db = new Database(path)
  db.exec(
    'DROP INDEX publication_origin; ALTER TABLE publication DROP COLUMN origin; DROP TABLE source_icon; DROP TABLE hub_subscription; DROP TABLE hub_topic; DROP INDEX item_by_first_seen; DROP INDEX item_mark_unread; DROP TABLE push_subscription; DROP TABLE item_page; ALTER TABLE item DROP COLUMN article; ALTER TABLE source DROP COLUMN pages',
  )
  for (const column of COLUMNS) db.exec(`ALTER TABLE buffer_reader DROP COLUMN ${column}`)
  db.exec("INSERT INTO buffer_reader (name, cursor) VALUES ('publisher', 1), ('query', 2)")
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true })) - 10}`)
  db.close()

  const { store, buffer } = await openSqliteStore({ path, clock: systemClock })
  expect(await buffer.state()).toMatchObject({
    backlog: 2,
    readers: [
      { name: 'publisher', owner: null, isExpired: false },
      { name: 'query', owner: null, isExpired: false },
    ],
  })
  expect(await store.processedUpTo()).toBe(2)
  expect(await buffer.register('publisher', { from: 'start', ...NODE_READER })).toEqual({ kind: 'known' })
  expect((await buffer.read('publisher', 9)).map(({ item }) => item.title)).toEqual(['b', 'c'])
  expect((await buffer.state()).readers[0]).toMatchObject({ owner: 'node' })
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
