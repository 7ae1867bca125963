import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { keyFileOf } from '../../../../test/support/postgres-adapter.ts'
import { present } from '../../../../test/support/present.ts'
import { addSource, storeItems } from '../../../../test/support/publishing.ts'
import { saveFeed } from '../../../../test/support/query-publishing.ts'
import { HOUR_MS, type QueryFeed, type Shard, type Source } from '../../../model/index.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { type PublishRecord, QUERY_READER } from '../../query-feeds.ts'
import type { QueryShards } from '../../query-shards.ts'
import { parseAddress } from '../database/address.ts'
import { type Lock, lockStatement } from '../database/locks.ts'
import { openConnections } from '../database/pool.ts'
import type { Access, Sql } from '../database/sql.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'
import { createPostgresQueryShards } from './query-shards.ts'

const A = { role: 'matcher', owner: 'a' } as const
const B = { role: 'matcher', owner: 'b' } as const

let cluster: PostgresStore
let url: string
let drop: () => Promise<void>
let source: Source
/** Three feeds that walk through no archive; two of them were given shards. */
let feeds: readonly QueryFeed[]

beforeEach(async () => {
  const database = await testDatabase()
  url = database.url
  drop = database.drop
  cluster = await openPostgresStore({ url: database.url, clock: systemClock, keyFile: keyFileOf(database.url) })
  const { store, leases } = cluster
  source = await addSource(store, 'https://a.example/feed')
  const names = ['one', 'two', 'three']
  for (const name of names) await saveFeed(store, name)
  feeds = await Promise.all(names.map(async (name) => present(await store.queryFeed(name))))
  await leases.claim(A, [1, 2, 3], HOUR_MS)
  await assign(1, 2)
  for (const { id, version } of feeds.slice(0, 2)) {
    const stretch = { feeds: [{ feedId: id, version }], after: 0, upTo: 0, isEnd: true, publications: [], at: 0 }
    await cluster.queryShards.publishCatchUp(stretch, await partOf([1, 2]))
  }
  await storeItems(store, source.id, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
})

afterEach(async () => {
  await cluster.store.close()
  await drop()
})

/** Feeds in their order, as many as there are shards. */
async function assign(...shards: readonly Shard[]): Promise<boolean> {
  const { store, queryShards } = cluster
  return queryShards.assign(
    new Map(shards.map((shard, at) => [present(feeds[at]).id, shard])),
    await store.queryRevision(),
  )
}

async function partOf(shards: readonly Shard[], token = 1) {
  const { number } = await cluster.queryShards.division()
  return { division: number, tokens: new Map(shards.map((shard) => [shard, token])) }
}

/** Of all items up to one, in a feed. */
async function recordUpTo(nth: number, feed: number): Promise<PublishRecord> {
  const entries = (await cluster.buffer.read(QUERY_READER, 10)).slice(0, nth)
  const { id: feedId, version } = present(feeds[feed])
  return {
    cursor: present(entries.at(-1)).cursor,
    publications: entries.map(({ item }) => ({ feedId, version, itemSeq: item.seq, joined: [] })),
    itemCounts: new Map([[source.id, entries.length]]),
    matches: [{ feedId, version, sourceId: source.id, items: entries.length }],
    at: 0,
  }
}

const reached = async () =>
  Object.fromEntries([...(await cluster.queryShards.places())].map(([shard, { itemSeq }]) => [shard, itemSeq]))
const publishedIn = async (feed: number) => (await cluster.store.publicationState(present(feeds[feed]).id)).count

describe('query feeds in shards', () => {
  it('get on shard by shard, and the buffer waits for the last of them', async () => {
    const { store, queryShards, buffer } = cluster
    await queryShards.publish(await recordUpTo(3, 0), await partOf([1]))
    expect(await reached()).toEqual({ 1: 3, 2: 0 })
    expect(await store.processedUpTo()).toBe(0)
    await queryShards.publish(await recordUpTo(2, 1), await partOf([2]))
    expect(await reached()).toEqual({ 1: 3, 2: 2 })
    expect(await store.processedUpTo()).toBe(2)
    expect(await buffer.read(QUERY_READER, 10)).toHaveLength(1)
  })

  it('count an item of a source once, although every shard is evaluated on it', async () => {
    const { store, queryShards } = cluster
    await queryShards.publish(await recordUpTo(3, 0), await partOf([1]))
    await queryShards.publish(await recordUpTo(3, 1), await partOf([2]))
    expect(await store.selectivities()).toEqual(
      feeds.slice(0, 2).map(({ id }) => ({ feedId: id, sourceId: source.id, share: 1, items: 3 })),
    )
  })

  it.each([
    [
      'another has the shard',
      async () => {
        await cluster.leases.release(A, new Map([[1, 1]]))
        await cluster.leases.claim(B, [1], HOUR_MS)
      },
    ],
    ['the shard was given back', () => cluster.leases.release(A, new Map([[1, 1]]))],
    ['feeds were divided anew', async () => void (await assign(1, 1))],
  ])('take nothing from who is late: %s', async (_, happens) => {
    const { queryShards } = cluster
    const part = await partOf([1])
    const record = await recordUpTo(3, 0)
    await happens()
    await expect(queryShards.publish(record, part)).rejects.toMatchObject({ code: 'LEASE_LOST' })
    const stretch = { feeds: [], after: 0, upTo: 3, isEnd: false, publications: [], at: 0 }
    await expect(queryShards.publishCatchUp(stretch, part)).rejects.toMatchObject({ code: 'LEASE_LOST' })
    expect(await publishedIn(0)).toBe(0)
    expect(Object.values(await reached()).every((seq) => seq === 0)).toBe(true)
  })

  it('go back to where a feed was that comes to them, and not for one that walks through the archive', async () => {
    const { queryShards } = cluster
    await queryShards.publish(await recordUpTo(3, 0), await partOf([1]))
    await assign(1, 2, 1)
    expect(await reached()).toEqual({ 1: 3, 2: 0 })
    await assign(1, 1, 3)
    expect(await reached()).toEqual({ 1: 0, 3: 0 })
  })

  it('are not divided by who has not seen the last change of the queries', async () => {
    const { store, queryShards } = cluster
    const revision = await store.queryRevision()
    await saveFeed(store, 'four')
    expect(await queryShards.assign(new Map(), revision)).toBe(false)
    expect((await queryShards.division()).shards.size).toBe(2)
  })

  it('without any of them the buffer waits for nobody', async () => {
    const { store, buffer, queryShards } = cluster
    const changes = feeds.map(({ name }) => ({ kind: 'drop-feed' as const, name }))
    await store.changeQueries(changes, await store.queryRevision(), 0)
    await queryShards.assign(new Map(), await store.queryRevision())
    expect((await buffer.state()).readers).toEqual([])
    expect(await queryShards.division()).toMatchObject({ isReading: false, places: new Set() })
  })
})

it('a matcher that falls silent in the middle of publishing keeps nobody from taking over', async () => {
  const connections = await openConnections(parseAddress(url), [], 1)
  const client = await connections.connect()
  client.on('error', () => {})
  // Its connection's own limit, which is that of a lease, would let them take over too, much later.
  await client.query('SET idle_in_transaction_session_timeout = 0')
  const silent = queryShardsThatStopBefore(client, 'UPDATE query_shard')
  const { leases, queryShards } = cluster
  const record = await recordUpTo(2, 0)
  const part = await partOf([1, 2])
  await silent.publish(record, part)
  await leases.release(A, part.tokens)
  expect(await leases.claim(B, [1, 2], HOUR_MS)).toEqual(
    new Map([
      [1, 2],
      [2, 2],
    ]),
  )
  expect((await queryShards.publish(record, await partOf([1, 2], 2))).added).toBe(2)
  client.release(true)
  await connections.end()
})

/** As a process does whose machine is cut off: its transaction stays open. */
function queryShardsThatStopBefore(client: PoolClient, statement: string): QueryShards {
  let hasStopped: () => void
  const sql: Sql = {
    rows: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    first: async <Row>(text: string, values?: readonly unknown[]) => (await sql.rows<Row>(text, values))[0] ?? null,
    run: async (text, values = []) => {
      if (text.startsWith(statement)) {
        hasStopped()
        return new Promise(() => {})
      }
      return (await client.query(text, [...values])).rowCount ?? 0
    },
  }
  const transaction = async (locks: readonly Lock[], action: (sql: Sql) => Promise<unknown>) => {
    await client.query(`BEGIN; ${lockStatement(locks)}`)
    return new Promise<void>((resolve, reject) => {
      hasStopped = resolve
      action(sql).then(() => reject(new Error(`nothing began with ${statement}`)), reject)
    })
  }
  return createPostgresQueryShards({ transaction, bufferChanged: () => {}, now: () => 0 } as unknown as Access)
}
