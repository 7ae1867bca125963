import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { tokenSecretHash } from '../../src/publisher/token-secret.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { START } from '../contract/store.fixture.ts'

let folder: string
const openStore = async () => (await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })).store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-app-password-'))
  const store = await openStore()
  await store.addUser({ name: 'ann', role: 'owner', passwordHash: 'p', invitation: null }, START)
  await store.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  let out = ''
  const context = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.alloc(0),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(['app-password', ...argv, '--data', folder], context, { startDemo, more: [] })
  return { code, out }
}

it('makes passwords for apps, lists them and takes them back', async () => {
  const { password, scope } = JSON.parse((await run('create', 'ann', '--label', 'phone', '--json')).out)
  expect(scope).toBe('app')
  const fever = await run('create', 'ann', '--fever')
  expect(fever.out).toMatch(/address http:\S+\/fever\/, user ann[\s\S]*It cannot be shown again\./)
  const store = await openStore()
  expect((await store.apiTokenUser(tokenSecretHash('app', 'ann', password)))?.token.label).toBe('phone')
  await store.close()
  expect((await run('list', 'ann')).out).toMatch(/1 +app +–.*phone\n *2 +fever/s)
  expect(await run('revoke', 'ann', '1')).toEqual({ code: 0, out: 'revoked 1\n' })
  expect((await run('revoke', 'ann', '1')).code).toBe(2)
  expect((await run('create', 'nobody')).code).toBe(1)
  expect(JSON.parse((await run('list', 'ann', '--json')).out)).toMatchObject([{ id: 2, scope: 'fever' }])
})
