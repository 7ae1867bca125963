import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne, newItem, record } from '../../../../test/contract/store.fixture.ts'
import { eventually, PATIENCE_MS } from '../../../../test/support/patience.ts'
import { type TestDatabase, testDatabase, testServer } from '../../../../test/support/postgres.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('notifications between processes over PostgreSQL', () => {
  let database: TestDatabase
  const opened: PostgresStore[] = []
  beforeEach(async () => {
    database = await testDatabase()
  })
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close()
    await database.drop()
  })
  const open = async (role: 'crawler' | 'matcher') => {
    const options = { url: database.url, clock: systemClock, keyFile: join(folder, 'key'), connections: 3 }
    const store = await openPostgresStore({ ...options, roles: [role] })
    opened.push(store)
    return store
  }
  const listening = async () =>
    Number(
      (await database.run("SELECT count(*) AS count FROM pg_stat_activity WHERE query = 'LISTEN headwater'"))[0]?.[
        'count'
      ],
    )
  const untilListening = async (count: number) =>
    expect(await eventually(async () => (await listening()) === count)).toBe(true)
  /** A message may be lost; the next is not. */
  const hears = ({ notifier: here }: PostgresStore, { notifier: there }: PostgresStore) => {
    const before = there.count('deliveries')
    return eventually(() => {
      here.notify('deliveries')
      return there.count('deliveries') > before
    })
  }

  it('wake those who wait in another process, as a reader that waits for items', async () => {
    const [crawler, matcher] = [await open('crawler'), await open('matcher')]
    await untilListening(2)
    await matcher.buffer.register('queries', { from: 'end', owner: 'node', expiresAfterMs: null })
    const after = matcher.notifier.count('entries')
    const waiting = matcher.notifier.wait('entries', PATIENCE_MS, { after })
    const source = await addOne(crawler.store, 'http://a/')
    await crawler.store.recordRefresh(record(source, { newItems: [newItem('one')] }))
    await waiting
    expect(matcher.notifier.count('entries')).toBeGreaterThan(after)
    await matcher.buffer.waitForEntries('queries')
    expect(await matcher.buffer.read('queries', 10)).toHaveLength(1)
  })

  it('are heard again after the connection was lost', async () => {
    const [crawler, matcher] = [await open('crawler'), await open('matcher')]
    await untilListening(2)
    await database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN headwater'")
    expect(await hears(crawler, matcher)).toBe(true)
    expect(await hears(matcher, crawler)).toBe(true)
  })

  it('are at most ten messages a second, and none for a refresh without news', async () => {
    const crawler = await open('crawler')
    const { host, user } = await testServer()
    const client = new pg.Client({ host, user, database: database.name })
    await client.connect()
    let messages = 0
    client.on('notification', () => {
      messages++
    })
    await client.query('LISTEN headwater')
    const source = await addOne(crawler.store, 'http://a/')
    await crawler.store.recordRefresh(record(source))
    await client.query('SELECT 1')
    expect(messages).toBe(0)
    const begin = systemClock.monotonicMs()
    for (let i = 0; i < 300; i++) {
      crawler.notifier.notify('entries')
      await systemClock.sleep(2)
    }
    await crawler.store.close()
    const elapsed = systemClock.monotonicMs() - begin
    await client.query('SELECT 1')
    await client.end()
    expect(messages).toBeGreaterThan(0)
    // One at the beginning, one at the end.
    expect(messages).toBeLessThanOrEqual(elapsed / 100 + 2)
  })
})
