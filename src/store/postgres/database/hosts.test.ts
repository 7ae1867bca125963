import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne } from '../../../../test/contract/store.fixture.ts'
import { eventually } from '../../../../test/support/patience.ts'
import { type OwnServer, ownServer } from '../../../../test/support/postgres.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore } from '../index.ts'

describe('a primary and its standby', () => {
  let folder: string
  let primary: OwnServer
  let standby: OwnServer
  const ends: (() => Promise<void>)[] = []
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
    primary = await ownServer()
    standby = await ownServer(['--standby-of', primary.host])
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await standby.stop()
    await primary.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const open = async (...hosts: readonly string[]) => {
    const url = `postgres://headwater@/postgres?host=${hosts.map(encodeURIComponent).join(',')}`
    const opened = await openPostgresStore({
      url,
      clock: systemClock,
      keyFile: join(folder, 'key'),
      roles: ['crawler'],
    })
    ends.push(() => opened.store.close())
    return opened
  }
  const ask = async ({ host, user }: OwnServer, sql: string) => {
    const client = new pg.Client({ host, user, database: 'postgres' })
    await client.connect()
    try {
      return (await client.query(sql)).rows[0]
    } finally {
      await client.end()
    }
  }

  it('the standby alone is refused; among several hosts the one that can be written is used', async () => {
    await expect(open(standby.host)).rejects.toMatchObject({ code: 'STORE_SERVER_UNFIT' })
    await expect(open('/nowhere', standby.host)).rejects.toMatchObject({ code: 'STORE_SERVER_UNFIT' })
    const { store } = await open('/nowhere', standby.host, primary.host)
    expect(await addOne(store, 'http://a/')).toMatchObject({ id: 1 })
  })

  it('when the primary is gone and the standby has been promoted, what is open goes on there', async () => {
    const { store, notifier } = await open(primary.host, standby.host)
    const other = await open(primary.host, standby.host)
    await addOne(store, 'http://a/')
    const isThere = async () => (await ask(standby, "SELECT to_regclass('source') AS there"))?.there !== null
    expect(await eventually(isThere)).toBe(true)
    const isCopied = async () => (await ask(standby, 'SELECT count(*)::int AS count FROM source'))?.count === 1
    expect(await eventually(isCopied)).toBe(true)

    await primary.stop()
    await expect(addOne(store, 'http://b/')).rejects.toMatchObject({
      code: expect.stringMatching(/STORE_UNREACHABLE|STORE_SERVER_UNFIT/),
    })
    await ask(standby, 'SELECT pg_promote()')
    let added: unknown = null
    const isAdded = async () => {
      added ??= await addOne(store, 'http://b/').catch(() => null)
      return added !== null
    }
    expect(await eventually(isAdded)).toBe(true)
    expect((await store.sources()).map(({ url }) => url)).toEqual(['http://a/', 'http://b/'])
    const heard = other.notifier.count('queries')
    const isHeard = () => {
      notifier.notify('queries')
      return other.notifier.count('queries') > heard
    }
    expect(await eventually(isHeard)).toBe(true)
  })
})
