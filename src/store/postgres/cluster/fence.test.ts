import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { addOne, newItem, record } from '../../../../test/contract/store.fixture.ts'
import { postgresAdapter } from '../../../../test/support/postgres-adapter.ts'
import { present } from '../../../../test/support/present.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { shardOf } from '../../shards.ts'
import type { Sql } from '../database/sql.ts'
import { writeRefreshes } from '../items/refresh.ts'
import { currentPart } from './current-part.ts'

const URL_OF_A = 'https://a.example/feed'
const SHARD = shardOf(URL_OF_A, 1_024)
const LONG_MS = 3_600_000
const A = { role: 'crawler', owner: 'a' } as const
const B = { role: 'crawler', owner: 'b' } as const

describe('a group of refreshes that is being written', () => {
  const ends: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    ends.push(() => client.end())
    return client
  }

  it.each(['claim', 'release'] as const)('is committed before a %s of its lease is', async (how) => {
    const { store, leases: opened, address, end } = await postgresAdapter.open()
    ends.push(end)
    const leases = present(opened)
    const source = await addOne(store, URL_OF_A)
    // Over at once: another may take it, if nothing is under way.
    await leases.claim(A, [SHARD], how === 'claim' ? 0 : LONG_MS)
    const writer = await connect(present(address))
    await writer.query('BEGIN')
    const one = record(source, { newItems: [newItem('one')], lease: { shard: SHARD, token: 1 } })
    expect(await writeRefreshes(sqlOf(writer), [one], { capacity: 100, now: 0 })).toEqual([{ added: 1, changed: 0 }])
    const change = (
      how === 'claim' ? leases.claim(B, [SHARD], LONG_MS) : leases.release(A, new Map([[SHARD, 1]]))
    ).then(() => 'changed')
    const watcher = await connect(present(address))
    expect(await Promise.race([change, untilSomebodyWaits(watcher)])).toBe('waits')
    await writer.query('COMMIT')
    expect(await change).toBe('changed')
    expect(await store.itemCount(source.id)).toBe(1)
    await expect(store.recordRefresh(one)).rejects.toMatchObject({ code: 'LEASE_LOST' })
  })
})

it('a member that falls silent in the middle of storing what it learnt keeps nobody from taking over', async () => {
  const { leases: opened, address, end } = await postgresAdapter.open()
  const leases = present(opened)
  await leases.claim(A, [SHARD], 0)
  const writer = new pg.Client({ connectionString: present(address) })
  writer.on('error', () => {})
  await writer.connect()
  await writer.query('BEGIN')
  const part = { shards: new Set([SHARD]), of: 1_024, tokens: new Map([[SHARD, 1]]) }
  await currentPart(sqlOf(writer), part)
  expect(await leases.claim(B, [SHARD], LONG_MS)).toEqual(new Map([[SHARD, 2]]))
  await expect(writer.query('COMMIT')).rejects.toThrow()
  await writer.end().catch(() => {})
  await end()
})

async function untilSomebodyWaits(watcher: pg.Client): Promise<'waits'> {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  while ((await watcher.query(sql)).rows.length === 0) await systemClock.sleep(5)
  return 'waits'
}

function sqlOf(client: pg.Client): Sql {
  return {
    rows: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    first: async <Row>(text: string, values: readonly unknown[] = []) =>
      ((await client.query(text, [...values])).rows[0] ?? null) as Row | null,
    run: async (text, values = []) => (await client.query(text, [...values])).rowCount ?? 0,
  }
}
