import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne } from '../../../test/contract/store.fixture.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/postgres.ts'
import { systemClock } from '../../runtime/clock.ts'
import { openVault } from '../../runtime/vault.ts'
import { openPostgresStore, type PostgresStore } from './index.ts'
import { STEPS } from './schema/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('opening a PostgreSQL store', () => {
  let database: TestDatabase
  const opened: PostgresStore[] = []
  beforeEach(async () => {
    database = await testDatabase()
  })
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close()
    await database.drop()
  })
  const open = async (more: { url?: string; keyFile?: string } = {}) => {
    const options = { url: database.url, clock: systemClock, keyFile: join(folder, 'key'), connections: 2, ...more }
    const store = await openPostgresStore(options)
    opened.push(store)
    return store
  }
  const urlOf = (user: string, name = database.name) =>
    database.url.replace(/\/\/[^@]*@/, `//${user}@`).replace(database.name, name)
  const tables = async () =>
    (await database.run("SELECT count(*) AS count FROM pg_tables WHERE schemaname = 'public'"))[0]?.['count']

  it('makes its tables once, however many processes start at the same time', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()))
    expect(new Set(stores.map(({ clusterId }) => clusterId)).size).toBe(1)
    await Promise.all(stores.map(({ store }, index) => addOne(store, `http://${index}/`)))
    const { revision, changed } = await stores[0]!.store.scheduleChanges(0)
    expect([revision, changed.length]).toEqual([8, 8])
  })

  it('belongs to one cluster: a process of another, which has another key, is refused', async () => {
    const { clusterId } = await open()
    expect((await open()).clusterId).toBe(clusterId)
    const keyFile = join(folder, 'key of another')
    openVault(keyFile).seal('there is a key')
    await expect(open({ keyFile })).rejects.toMatchObject({ code: 'STORE_OTHER_KEY' })
  })

  it('refuses what a newer version has written', async () => {
    await open()
    const next = STEPS.length + 1
    await database.run('UPDATE headwater_cluster SET schema_version = $1, compatible_from = $1', [next])
    await expect(open()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
    await expect(open()).rejects.toThrow(`schema version ${next} needs a program that knows ${next} at least`)
  })

  it('leaves the database of another program alone', async () => {
    await database.run('CREATE TABLE theirs (id integer)')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_FOREIGN' })
    expect(await tables()).toBe('1')
  })

  it('says which rights are missing before it touches anything', async () => {
    const guest = `guest_${database.name}`
    await database.run(`CREATE ROLE ${guest} LOGIN`)
    await expect(open({ url: urlOf(guest) })).rejects.toMatchObject({ code: 'STORE_NO_RIGHTS' })
    expect(await tables()).toBe('0')
    await open()
    await database.run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${guest}`)
    await expect(open({ url: urlOf(guest) })).rejects.toThrow('may not write the table')
    await database.run(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${guest}`)
    await database.run(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${guest}`)
    const { store } = await open({ url: urlOf(guest) })
    expect(await addOne(store, 'http://a/')).toMatchObject({ id: 1 })
    await store.close()
    await database.run(`DROP OWNED BY ${guest}`)
    await database.run(`DROP ROLE ${guest}`)
  })

  it('needs a database in UTF8', async () => {
    const name = `latin_${database.name}`
    await database.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    await expect(open({ url: urlOf('headwater', name) })).rejects.toMatchObject({ code: 'STORE_SERVER_UNFIT' })
    await database.run(`DROP DATABASE ${name} WITH (FORCE)`)
  })

  it.each([
    ['STORE_LOGIN_REFUSED', () => urlOf('nobody')],
    ['STORE_LOGIN_REFUSED', () => urlOf('headwater', 'nowhere')],
    ['STORE_UNREACHABLE', () => 'postgres://ann@localhost/feeds?host=/nowhere'],
    ['STORE_UNREACHABLE', () => 'postgres://ann@127.0.0.1:1/feeds'],
    ['STORE_URL_INVALID', () => 'postgres://ann@127.0.0.1'],
  ])('fails with %s', async (code, url) => {
    await expect(open({ url: url() })).rejects.toMatchObject({ code })
  })
})
