import { expect, it } from 'vitest'
import { testDatabase } from '../test/support/postgres.ts'
import { benchPostgresStore } from './store-postgres.ts'

const verdict = { value: expect.any(Number), atMost: expect.any(Number), ok: expect.any(Boolean) }

it('bench store on PostgreSQL says what the server spends, and no reader misses an item; it leaves nothing behind', async () => {
  const database = await testDatabase()
  const figures = await benchPostgresStore({ store: database.url, seconds: 1, sources: 64 })
  expect(figures).toMatchObject({
    cpuMicrosPerItem: verdict,
    cpuMicrosPerUnchangedRefresh: verdict,
    itemsPerSecond: expect.any(Number),
    writers: {
      processes: 8,
      cpuMicrosPerItem: verdict,
      itemsPerSecond: expect.any(Number),
      waitingForLog: verdict,
      gaps: { value: 0, ok: true, itemsRead: expect.any(Number) },
    },
  })
  expect(
    await database.run("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"),
  ).toEqual([])
  expect(await database.run("SELECT 1 FROM pg_proc WHERE pronamespace = 'public'::regnamespace")).toEqual([])
  await database.run('CREATE TABLE somebody (a integer)')
  await database.run('INSERT INTO somebody VALUES (1)')
  await expect(benchPostgresStore({ store: database.url })).rejects.toMatchObject({ code: 'USAGE' })
  expect(await database.run('SELECT a FROM somebody')).toEqual([{ a: 1 }])
  await database.drop()
})
