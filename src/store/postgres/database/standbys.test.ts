import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../../../test/support/patience.ts'
import { type OwnServer, ownServer } from '../../../../test/support/postgres.ts'
import { judgeDurability } from '../../../cluster/durability.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'

describe('what may be lost with a primary', () => {
  let folder: string
  let primary: OwnServer
  let standby: OwnServer | null = null
  const opened: PostgresStore[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
    primary = await ownServer()
    await run('CREATE DATABASE feeds', 'ALTER DATABASE feeds SET synchronous_commit = on', 'CREATE ROLE guest LOGIN')
  })
  afterAll(async () => {
    for (const { store } of opened) await store.close()
    await standby?.stop()
    await primary.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const runIn = async (database: string, ...statements: readonly string[]) => {
    const client = new pg.Client({ host: primary.host, user: primary.user, database })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const run = (...statements: readonly string[]) => runIn('postgres', ...statements)
  const open = async (user: string, ...others: readonly string[]) => {
    const hosts = [primary.host, ...others].map(encodeURIComponent).join(',')
    const url = `postgres://${user}@/feeds?host=${hosts}`
    const store = await openPostgresStore({ url, clock: systemClock, keyFile: join(folder, 'key'), connections: 2 })
    opened.push(store)
    return store
  }
  const verdict = async ({ durability }: PostgresStore) => judgeDurability(await durability())
  const becomes = async (store: PostgresStore, isAtRisk: boolean) =>
    expect(await eventually(async () => (await verdict(store)).isAtRisk === isAtRisk)).toBe(true)

  it('is nothing without a standby, and what it has not received yet where a standby is not waited for', async () => {
    const alone = await open('headwater')
    expect(await verdict(alone)).toMatchObject({ isAtRisk: false, remedy: null })
    expect(await verdict(await open('headwater', '/elsewhere'))).toMatchObject({ isAtRisk: true })

    standby = await ownServer(['--standby-of', primary.host])
    await becomes(alone, true)
    const { remedy } = await verdict(alone)
    expect(remedy).toMatch(/^set synchronous_standby_names = 'ANY 1 \(walreceiver\)'$/)

    // What it says is what helps.
    await run(`ALTER SYSTEM ${remedy}`, 'SELECT pg_reload_conf()')
    await becomes(alone, false)
    const isSynchronous = async () => (await alone.durability()).standbys[0]?.syncState === 'quorum'
    expect(await eventually(isSynchronous)).toBe(true)
    expect(await verdict(alone)).toMatchObject({ words: 'commits wait for a standby (ANY 1 (walreceiver))' })
  })

  it('cannot be seen whole by a user without the right, which is said', async () => {
    await runIn('feeds', 'GRANT ALL ON ALL TABLES IN SCHEMA public TO guest')
    const { words, remedy } = await verdict(await open('guest'))
    expect([words, remedy]).toEqual([
      expect.stringContaining('cannot be seen'),
      'grant pg_monitor to the user of the database to see it',
    ])
  })

  it('is the last moments where commits wait for nothing', async () => {
    await run('ALTER DATABASE feeds SET synchronous_commit = off')
    expect(await verdict(await open('headwater'))).toMatchObject({
      isAtRisk: true,
      remedy: 'set synchronous_commit = on',
    })
  })
})
