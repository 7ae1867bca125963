import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne } from '../../../../test/contract/store.fixture.ts'
import { type TestDatabase, testDatabase } from '../../../../test/support/postgres.ts'
import { createNotifier } from '../../../buffer/notifier.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openVault } from '../../../runtime/vault.ts'
import { MOVE_STATE } from '../../transfer/transfer.ts'
import { parseAddress } from '../database/address.ts'
import { type DatabaseConnections, openConnections } from '../database/pool.ts'
import { createAccess } from '../database/sql.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'
import { prepareSchema, type SchemaStep, STEPS } from './migrate.ts'

const THIS = STEPS.length

describe('two neighbouring versions over one database', () => {
  let folder: string
  let database: TestDatabase
  const stores: PostgresStore[] = []
  const connected: DatabaseConnections[] = []
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
    database = await testDatabase()
  })
  afterEach(async () => {
    for (const { store } of stores.splice(0)) await store.close()
    for (const connections of connected.splice(0)) await connections.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  /** As this version does. */
  const open = async (keyFile = join(folder, 'key')) => {
    const options = { url: database.url, clock: systemClock, keyFile, connections: 2 }
    const store = await openPostgresStore(options)
    stores.push(store)
    return store
  }
  /** As the next version will, with one step more. */
  const openAsNext = (step: SchemaStep) => openWith([...STEPS, step])
  const openWith = async (steps: readonly SchemaStep[]) => {
    const address = parseAddress(database.url)
    const connections = await openConnections(address, [], 1)
    connected.push(connections)
    const access = createAccess({
      connections,
      shown: address.shown,
      vault: openVault(join(folder, 'key')),
      notifier: createNotifier(systemClock),
      now: () => systemClock.now(),
    })
    return prepareSchema(access, { newId: () => 'new', steps })
  }
  /** As the version before left it. */
  const openAsBefore = async () => {
    const id = await openWith(STEPS.slice(0, -1))
    await database.run('UPDATE headwater_cluster SET key_check = $1', [openVault(join(folder, 'key')).seal(id)])
    return id
  }
  const said = async () => (await database.run('SELECT schema_version, compatible_from FROM headwater_cluster'))[0]

  it('the older works on, and starts anew, where the newer schema says that it may', async () => {
    const before = await open()
    await before.leases.beat({ id: 'a', name: 'a 1', roles: ['crawler'], version: '0.2.0' }, 'crawler')
    const id = await openAsNext({ sql: 'ALTER TABLE source ADD COLUMN shade text', compatibleFrom: THIS })
    expect(id).toBe(before.clusterId)
    expect(await said()).toEqual({ schema_version: THIS + 1, compatible_from: THIS })

    expect(await addOne(before.store, 'http://a/')).toMatchObject({ id: 1 })
    const again = await open()
    expect(await addOne(again.store, 'http://b/')).toMatchObject({ id: 2 })
    expect(await said()).toEqual({ schema_version: THIS + 1, compatible_from: THIS })

    const beside = { id: 'b', name: 'b 2', roles: ['crawler'], version: '0.3.0' }
    const { members } = await again.leases.beat(beside, 'crawler')
    expect(members.map(({ version }) => version)).toEqual(['0.2.0', '0.3.0'])
  })

  it('the older is refused where it may not, before it writes anything', async () => {
    await open()
    await openAsNext({ sql: 'ALTER TABLE source ADD COLUMN shade text', compatibleFrom: THIS + 1 })
    await expect(open()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
  })

  it('the newer does not take the schema from under members that could not use it', async () => {
    const { leases } = await open()
    await leases.beat({ id: 'a', name: 'a 1', roles: ['crawler'], version: '0.2.0' }, 'crawler')
    const step = { sql: 'ALTER TABLE source DROP COLUMN url CASCADE', compatibleFrom: THIS + 1 }
    await expect(openAsNext(step)).rejects.toMatchObject({
      code: 'STORE_MEMBERS_OLDER',
      message: expect.stringContaining('a 1 (0.2.0)'),
    })
    expect(await said()).toEqual({ schema_version: THIS, compatible_from: 1 })
    await leases.forget('a')
    await openAsNext(step)
    expect(await said()).toEqual({ schema_version: THIS + 1, compatible_from: THIS + 1 })
  })

  it('the newer of another cluster is refused before it changes the schema', async () => {
    const id = await openAsBefore()
    openVault(join(folder, 'other key')).seal('there is a key')
    await expect(open(join(folder, 'other key'))).rejects.toMatchObject({ code: 'STORE_OTHER_KEY' })
    await expect(open(join(folder, 'no key'))).rejects.toMatchObject({ code: 'STORE_OTHER_KEY' })
    expect(await said()).toEqual({ schema_version: THIS - 1, compatible_from: 1 })
    expect((await open()).clusterId).toBe(id)
    expect(await said()).toEqual({ schema_version: THIS, compatible_from: 1 })
  })

  it('the newer changes no schema that is being moved', async () => {
    await openAsBefore()
    await database.run("INSERT INTO node_state (key, member, value) VALUES ($1, '', '{}')", [MOVE_STATE])
    await expect(open()).rejects.toMatchObject({ code: 'STORE_MOVING' })
    expect(await said()).toEqual({ schema_version: THIS - 1, compatible_from: 1 })
  })
})
