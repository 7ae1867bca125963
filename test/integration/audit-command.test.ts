import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { START } from '../contract/store.fixture.ts'
import { addSource } from '../support/publishing.ts'

let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-audit-'))
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  await store.addUser({ name: 'ann', role: 'owner', passwordHash: 'p', invitation: null }, START)
  const by = { at: systemClock.now(), address: '192.0.2.1' }
  const failed = { ...by, userId: null, userName: '', action: 'log-in-failed' as const, subject: 'no such account' }
  await store.recordAudit([{ ...by, userId: 1, userName: 'ann', action: 'backup', subject: '' }, failed], by.at)
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

it('writes down what commands give away and remove', async () => {
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const source = await addSource(store, 'http://a.example/', { name: 'news' })
  await store.close()
  const file = join(folder, 'feeds.query')
  writeFileSync(file, 'CREATE FEED ice AS RETURN news;')
  expect(await run('query', 'apply', file)).toMatchObject({ code: 0 })
  await run('feed', 'ice', '--private')
  await run('token', 'create', 'ice', '--label', 'phone')
  await run('token', 'revoke', '1')
  writeFileSync(file, 'DROP FEED ice;')
  await run('query', 'apply', file)
  await run('source', 'remove', String(source.id))
  expect(await run('backup', join(folder, 'copy.db'))).toMatchObject({ code: 0 })
  expect(await run('restore', join(folder, 'copy.db'))).toMatchObject({ code: 0 })
  const entries = JSON.parse((await run('audit', '--json')).out) as {
    userName: string
    action: string
    subject: string
  }[]
  const actions = entries.filter(({ userName }) => userName === 'command line').map((one) => [one.action, one.subject])
  expect(actions.reverse()).toEqual([
    ['feed-access-changed', 'private: ice'],
    ['token-made', 'token 1 of feed ice, phone'],
    ['token-revoked', 'token 1'],
    ['feed-dropped', 'ice'],
    ['source-removed', `source ${source.id}: news`],
    // The backup is of the moment before it was written down.
    ['restore', '0 sources, 0 items'],
  ])
})
