import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { addOne, newItem, record } from '../../../../test/contract/store.fixture.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openSqliteStore } from '../open.ts'
import { checkBackup, keepInBackup } from './backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a backup holds what was acknowledged before it, also what is only in the log, and the settings it is given', async () => {
  const { store, backup } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const source = await addOne(store, 'http://a.example/')
  await store.recordRefresh(record(source, { newItems: [newItem('a'), newItem('b')] }))
  const copy = join(folder, 'copy.db')
  const [, later] = await Promise.all([backup(copy), store.recordRefresh(record(source, { newItems: [newItem('c')] }))])
  expect(later.added).toBe(1)
  await keepInBackup(copy, '{"budget":"1/min"}')
  const content = await checkBackup(copy)
  expect(content).toMatchObject({ sources: 1, settings: '{"budget":"1/min"}' })
  expect(content.items).toBeGreaterThanOrEqual(2)
  await store.close()
})

it('brings the log into the database, and has commits do so again afterwards', async () => {
  const path = join(folder, 'logged.db')
  const { store, backup } = await openSqliteStore({ path, clock: systemClock })
  const source = await addOne(store, 'http://a.example/')
  const write = (name: string) =>
    store.recordRefresh(record(source, { newItems: [newItem(name, { content: 'x'.repeat(200_000) })] }))
  await write('a')
  await backup(join(folder, 'logged-copy.db'))
  const other = new Database(path, { readonly: true })
  expect(other.prepare('SELECT count(*) FROM item').pluck().get()).toBe(1)
  // 60 MB: several times what a log holds before a commit brings it home and the next begins at its start.
  for (let at = 0; at < 300; at++) await write(`b${at}`)
  expect(statSync(`${path}-wal`).size).toBeLessThan(40_000_000)
  other.close()
  await store.close()
})

it('a backup that cannot be written says so with a code', async () => {
  const { store, backup } = await openSqliteStore({ path: join(folder, 'other.db'), clock: systemClock })
  await expect(backup(join(folder, 'no such folder', 'copy.db'))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  await store.close()
})
