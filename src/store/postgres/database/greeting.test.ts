import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addOne } from '../../../../test/contract/store.fixture.ts'
import { type TestDatabase, testDatabase } from '../../../../test/support/postgres.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'

let folder: string
let database: TestDatabase
const opened: PostgresStore[] = []
const servers: Server[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
  database = await testDatabase()
})
afterEach(async () => {
  for (const { store } of opened.splice(0)) await store.close()
  for (const server of servers.splice(0)) server.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function open(url: string, key = 'key'): Promise<PostgresStore> {
  const store = await openPostgresStore({ url, clock: systemClock, keyFile: join(folder, key), connections: 2 })
  opened.push(store)
  return store
}

/** A message of the server: its kind, its length, and what it says (PostgreSQL's documentation, "Message Formats"). */
function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(kind), length, content])
}

/** Lets everybody in and says its version; notes the kinds of what it is told afterwards. */
async function serverOfVersion(version: string): Promise<{ readonly port: number; readonly told: string[] }> {
  const told: string[] = []
  const greeting = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('S', Buffer.from(`server_version\0${version}\0`)),
    message('Z', Buffer.from('I')),
  ])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.on('data', (bytes) => told.push(bytes.toString('latin1', 0, 1)))
      socket.write(greeting)
    })
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, told }
}

it.each(['9.6.24', '11.22 (Debian 11.22-0+deb10u2)', '14.9'])(
  'a server of version %s is asked nothing',
  async (version) => {
    const { port, told } = await serverOfVersion(version)
    await expect(open(`postgres://ann@127.0.0.1:${port}/feeds`)).rejects.toMatchObject({
      code: 'STORE_SERVER_UNFIT',
      message: expect.stringContaining(`it is version ${Number.parseInt(version, 10)}, and 15 is needed`),
    })
    expect(told.filter((kind) => kind !== 'X')).toEqual([])
  },
)

it('what stands in the place of its database while it runs is not written', async () => {
  const { store } = await open(database.url)
  await addOne(store, 'http://a/')
  await database.replace()
  const refused = { code: 'STORE_OTHER_CLUSTER', message: expect.stringContaining('it holds none') }
  await expect(addOne(store, 'http://b/')).rejects.toMatchObject(refused)

  const other = await open(database.url, 'key of the other')
  await expect(addOne(store, 'http://b/')).rejects.toMatchObject({
    code: 'STORE_OTHER_CLUSTER',
    message: expect.stringContaining(`it holds ${other.clusterId}`),
  })
  expect(await other.store.sources()).toEqual([])
})
