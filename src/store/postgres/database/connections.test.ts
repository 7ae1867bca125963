import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore } from '../index.ts'
import { connectionsOf, type StoreRole } from './connections.ts'

const ALL: readonly StoreRole[] = ['crawler', 'matcher', 'publisher', 'api']
const GUIDE = join(import.meta.dirname, '../../../../docs/cluster.md')

it('are what the guide says', () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const said = (process: string) =>
    Number(
      guide
        .split('\n')
        .find((line) => line.startsWith(`| ${process}`))
        ?.split('|')[2],
    )
  expect(said('`--role crawler`, `matcher`, `publisher`, each')).toBe(connectionsOf(['crawler']))
  expect([connectionsOf(['matcher']), connectionsOf(['publisher'])]).toEqual(Array(2).fill(connectionsOf(['crawler'])))
  expect(said('`--role api`')).toBe(connectionsOf(['api']))
  expect(said('several roles in one process')).toBe(connectionsOf(ALL))
  expect(said('a command')).toBe(connectionsOf([]))
})

it('are no more, however much is asked at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
  const database = await testDatabase()
  const options = { url: database.url, clock: systemClock, keyFile: join(folder, 'key') }
  const stores = await Promise.all(
    [[], ALL].map((roles: readonly StoreRole[]) => openPostgresStore({ ...options, roles })),
  )
  try {
    await Promise.all(stores.flatMap(({ store }) => Array.from({ length: 40 }, () => store.counts())))
    const rows = await database.run(
      `SELECT application_name AS name, count(*)::int AS open FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'headwater %' GROUP BY 1 ORDER BY 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(['headwater command', `headwater ${ALL.join(',')}`])
    expect(rows.filter(({ open }, index) => Number(open) > connectionsOf(index === 0 ? [] : ALL))).toEqual([])
  } finally {
    for (const { store } of stores) await store.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
