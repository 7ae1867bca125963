import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/postgres.ts'
import { createNotifier } from '../../../buffer/notifier.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openVault } from '../../../runtime/vault.ts'
import { parseAddress } from '../database/address.ts'
import { type DatabaseConnections, openConnections } from '../database/pool.ts'
import { type Access, createAccess } from '../database/sql.ts'
import { prepareSchema } from './migrate.ts'

let folder: string
let database: TestDatabase
const connected: DatabaseConnections[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
  database = await testDatabase()
})
afterEach(async () => {
  for (const connections of connected.splice(0)) await connections.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function accessOf(): Promise<Access> {
  const address = parseAddress(database.url)
  const connections = await openConnections(address, [], 2)
  connected.push(connections)
  return createAccess({
    connections,
    shown: address.shown,
    vault: openVault(join(folder, 'key')),
    notifier: createNotifier(systemClock),
    now: () => systemClock.now(),
  })
}

it('a process that looked before another one had made the tables joins its cluster', async () => {
  const faster = await accessOf()
  const access = await accessOf()
  const slower: Access = {
    ...access,
    snapshot: (action) =>
      access.snapshot(async (sql) => {
        // The moment of a snapshot is that of its first statement.
        await sql.first('SELECT 1')
        await prepareSchema(faster, { newId: () => 'of the faster one' })
        return action(sql)
      }),
  }
  expect(await prepareSchema(slower, { newId: () => 'of the slower one' })).toBe('of the faster one')
})

it('tables of that name in another schema of the server are not ours', async () => {
  await prepareSchema(await accessOf(), { newId: () => 'one' })
  await database.run('CREATE SCHEMA theirs')
  await database.run(`ALTER DATABASE ${database.name} SET search_path = theirs, public`)
  await database.run('CREATE TABLE theirs.some (id integer)')
  await expect(prepareSchema(await accessOf(), { newId: () => 'two' })).rejects.toMatchObject({ code: 'STORE_FOREIGN' })
})
