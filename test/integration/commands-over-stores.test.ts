import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { type TestDatabase, testDatabase } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'

const FEED = `<rss version="2.0"><channel><title>A site</title>
  <item><guid>1</guid><title>ice on the river</title></item><item><guid>2</guid><title>sea</title></item>
</channel></rss>`

let folder: string
let site: LocalServer
let database: TestDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-commands-'))
  site = await startServer((_request, response) => response.end(FEED))
  database = await testDatabase()
})
afterEach(async () => {
  await site.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const OVER: readonly (readonly [string, () => readonly string[]])[] = [
  ['a folder', () => ['--data', join(folder, 'data')]],
  ['PostgreSQL', () => ['--data', join(folder, 'data'), '--store', database.url]],
]

describe.each(OVER)('the commands over %s', (_name, where) => {
  it('do and say what they are for', async () => {
    const file = (name: string, text = '') => {
      const path = join(folder, name)
      if (text !== '') writeFileSync(path, text)
      return path
    }
    const query = file('cold.query', 'CREATE FEED cold AS RETURN ALL WHERE TITLE CONTAINS "ice";')
    const run = async (argv: readonly string[], expected: string, stdin = '') => {
      const { code, said } = await runCommand([...argv, ...where()], { stdin })
      expect([argv, code, said]).toEqual([argv, 0, expect.stringContaining(expected)])
    }
    await run(['source', 'add', site.url('/feed'), '--allow-range', 'loopback'], 'Added source 1: A site')
    await run(['source', 'add', 'https://me:secret@a.invalid/feed', '--no-check'], 'Added source 2')
    await run(['source', 'import', file('list.opml', opml())], '1')
    await run(['source', 'list'], 'a.invalid')
    await run(['source', 'set', '1', '--category', 'News', '--weight', '2'], 'Changed source 1')
    await run(['source', 'refresh', '1', '--host-spacing', '0s'], 'A site')
    await run(['source', 'show', '1'], 'A site')
    await run(['source', 'relearn', '1'], '1')
    await run(['source', 'export'], 'b.invalid')
    await run(['query', 'check', query], 'No mistakes')
    await run(['query', 'preview', query], 'ice on the river')
    await run(['query', 'apply', query, '--back-fill', 'all'], 'created cold')
    await run(['query', 'set', 'cold', '--wish', 'delay<10min'], 'cold')
    await run(['query', 'list'], 'cold')
    await run(['query', 'show', 'cold'], 'cold')
    await run(['items', 'ice'], 'ice on the river')
    await run(['items', '--category', 'News', '--json'], '"title": "sea"')
    await run(['feed', 'cold', '--format', 'json'], 'ice on the river')
    await run(['feed', 'cold', '--private'], 'cold')
    await run(['token', 'create', 'cold', '--label', 'phone'], 'hw_')
    await run(['token', 'list', 'cold'], 'phone')
    await run(['token', 'revoke', '1'], '1')
    await run(['subscription', 'list'], 'FEED')
    await run(['subscription', 'dead'], '')
    await run(['user', 'list'], 'NAME')
    await run(['quality'], 'LAST HOUR')
    await run(['trace', 'export', '--output', file('trace.csv')], '')
    expect(readFileSync(file('trace.csv'), 'utf8')).toContain('1,')
    await run(['query', 'drop', 'cold'], 'cold')
    await run(['source', 'remove', '3'], 'Removed source 3')
    await run(['audit'], 'command line')
  })
})

function opml(): string {
  return '<opml version="2.0"><body><outline xmlUrl="http://b.invalid/feed"/></body></opml>'
}

describe('what a database elsewhere has means of its own for', () => {
  it('is refused with them', async () => {
    const store = ['--data', join(folder, 'data'), '--store', database.url]
    const saved = join(folder, 'saved.db')
    const backup = await runCommand(['backup', saved, ...store])
    expect([backup.code, backup.said]).toEqual([1, expect.stringMatching(/BACKUP_ELSEWHERE[\s\S]*pg_dump/)])
    expect(existsSync(saved)).toBe(false)
    writeFileSync(saved, 'x')
    const restore = await runCommand(['restore', saved, ...store])
    expect([restore.code, restore.said]).toEqual([1, expect.stringContaining('BACKUP_ELSEWHERE')])
  })

  it('has no node before one was begun, and a look does not begin one', async () => {
    const listed = await runCommand(['source', 'list', '--data', join(folder, 'data'), '--store', database.url])
    expect([listed.code, listed.said]).toEqual([1, expect.stringContaining('DATA_NOT_FOUND')])
    const tables = await database.run("SELECT count(*) AS count FROM pg_tables WHERE schemaname = 'public'")
    expect([tables[0]?.['count'], existsSync(join(folder, 'data'))]).toEqual(['0', false])
  })
})

it('cluster status of a folder says what a cluster is', async () => {
  const data = ['--data', join(folder, 'data')]
  await runCommand(['source', 'add', 'https://a.invalid/feed', '--no-check', ...data])
  const status = await runCommand(['cluster', 'status', ...data])
  expect([status.code, status.said]).toEqual([1, expect.stringMatching(/CLUSTER_NONE[\s\S]*--store postgres/)])
})

describe('machines of one cluster', () => {
  const add = (machine: string) => [
    ...['source', 'add', 'https://me:secret@a.invalid/feed', '--no-check'],
    ...['--data', join(folder, machine), '--store', database.url],
  ]

  it('have one key: without it a machine is refused, and nothing is changed; with it, it goes on', async () => {
    expect((await runCommand(add('one'))).code).toBe(0)
    const list = (machine: string, env = {}) =>
      runCommand(['source', 'list', '--data', join(folder, machine), '--store', database.url], { env })
    expect(await list('two')).toEqual({ code: 1, said: expect.stringContaining('[STORE_OTHER_KEY]') })
    expect(existsSync(join(folder, 'two'))).toBe(false)
    const own = join(folder, 'own.key')
    writeFileSync(own, Buffer.alloc(32, 7).toString('base64'))
    expect(await list('two', { HEADWATER_KEY_FILE: own })).toEqual({
      code: 1,
      said: expect.stringContaining('headwater.key'),
    })
    expect((await list('two', { HEADWATER_KEY_FILE: join(folder, 'one', 'headwater.key') })).code).toBe(0)
  })
})
