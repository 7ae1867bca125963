import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../../test/support/local-server.ts'
import { type OwnServer, ownServer, testDatabase } from '../../../../test/support/postgres.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore } from '../index.ts'

let folder: string
let port: number
let server: OwnServer
const path = (name: string) => join(folder, name)

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']

function makeAuthority(name: string): void {
  openssl('req', '-x509', ...KEY, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-tls-'))
  makeAuthority('ours')
  makeAuthority('theirs')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  openssl(
    'req',
    '-x509',
    ...KEY,
    ...names,
    '-CA',
    'ours.crt',
    '-CAkey',
    'ours.key',
    '-keyout',
    'server.key',
    '-out',
    'server.crt',
  )
  const probe = await startServer(() => {})
  port = probe.port
  await probe.close()
  server = await ownServer(['--tls', String(port), '--cert', path('server.crt'), '--key', path('server.key')])
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (host: string, query: string) => {
  const url = `postgres://headwater@${host}:${port}/postgres?${query}`
  const { store } = await openPostgresStore({ url, clock: systemClock, keyFile: path('key'), connections: 2 })
  await store.counts()
  await store.close()
  return 'opened'
}

describe('the certificate of a database server', () => {
  it.each([
    ['localhost', () => `sslmode=verify-full&sslrootcert=${path('ours.crt')}`],
    // Not its name, which is not asked for.
    ['127.0.0.1', () => `sslmode=verify-ca&sslrootcert=${path('ours.crt')}`],
    ['127.0.0.1', () => 'sslmode=require'],
    ['localhost', () => 'sslmode=disable'],
  ])('of %s is accepted', async (host, query) => {
    expect(await open(host, query())).toBe('opened')
  })

  it.each([
    ['of another name', '127.0.0.1', () => `sslmode=verify-full&sslrootcert=${path('ours.crt')}`],
    ['of an unknown authority', 'localhost', () => 'sslmode=verify-full'],
    ['of another authority', 'localhost', () => `sslmode=verify-full&sslrootcert=${path('theirs.crt')}`],
    [
      'of another authority, whatever its name',
      'localhost',
      () => `sslmode=verify-ca&sslrootcert=${path('theirs.crt')}`,
    ],
    // A file that is named is used.
    [
      'of another authority, though none is asked for',
      'localhost',
      () => `sslmode=require&sslrootcert=${path('theirs.crt')}`,
    ],
  ])('%s is refused, before a password is sent', async (_why, host, query) => {
    await expect(open(host, query())).rejects.toMatchObject({
      code: 'STORE_TLS',
      hint: expect.stringContaining('sslrootcert'),
    })
  })

  it('is asked for where the server has none: then nothing is sent either', async () => {
    const database = await testDatabase()
    const url = `${database.url}&sslmode=require`
    const opening = openPostgresStore({ url, clock: systemClock, keyFile: path('key') })
    await expect(opening).rejects.toMatchObject({ code: 'STORE_TLS' })
    await database.drop()
  })

  it('that cannot be read as one is refused', async () => {
    writeFileSync(path('nonsense.crt'), 'nonsense')
    await expect(open('localhost', `sslmode=verify-full&sslrootcert=${path('nonsense.crt')}`)).rejects.toMatchObject({
      code: 'STORE_TLS',
    })
  })
})
