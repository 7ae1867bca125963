import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { START } from '../contract/store.fixture.ts'

let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-audit-'))
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  await store.addUser({ name: 'ann', role: 'owner', passwordHash: 'p', invitation: null }, START)
  const by = { at: systemClock.now(), address: '192.0.2.1' }
  const failed = { ...by, userId: null, userName: '', action: 'log-in-failed' as const, subject: 'no such account' }
  await store.recordAudit([{ ...by, userId: 1, userName: 'ann', action: 'backup', subject: '' }, failed])
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
    readStdin: async () => Buffer.from('another password\n'),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli([...argv, '--data', folder], context, { startDemo, more: [] })
  return { code, out }
}

it('shows the audit log, newest first, with the password that was changed on the command line', async () => {
  expect(await run('user', 'password', 'ann')).toMatchObject({ code: 0 })
  const { out } = await run('audit')
  const lines = out.split('\n').map((line) => line.split(/ {2,}/).slice(1))
  expect(lines.slice(0, 4)).toEqual([
    ['WHO', 'FROM', 'WHAT', 'SUBJECT'],
    ['ann', '–', 'password-changed', 'on the command line'],
    ['–', '192.0.2.1', 'log-in-failed', 'no such account'],
    ['ann', '192.0.2.1', 'backup'],
  ])
  const [last, ...others] = JSON.parse((await run('audit', '--json', '--limit', '1')).out)
  expect(last).toMatchObject({ userName: 'ann', address: null, action: 'password-changed', count: 1 })
  expect(others).toEqual([])
  expect((await run('audit', '--limit', '0')).code).toBe(2)
})
