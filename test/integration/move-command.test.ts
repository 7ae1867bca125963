import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { testDatabase } from '../support/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-move-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  let out = ''
  let err = ''
  const context = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.from(''),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(argv, context, { startDemo, more: [] })
  return { code, out, err }
}

const at = (name: string) => join(folder, name)

it('moves a node from one folder to another, says so, and refuses to do it twice', async () => {
  writeFileSync(at('list.opml'), '<opml version="2.0"><body><outline xmlUrl="http://a.invalid/feed"/></body></opml>')
  expect(await run('source', 'import', at('list.opml'), '--data', at('old'))).toMatchObject({ code: 0 })
  const moved = await run('move', '--from', at('old'), '--to', at('new'))
  expect(moved).toMatchObject({ code: 0, out: expect.stringContaining('Moved 1 sources and 0 items') })
  expect(moved.out).toContain(`headwater serve --data ${at('new')}`)
  expect((await run('source', 'list', '--data', at('new'))).out).toContain('a.invalid')
  const again = await run('move', '--from', at('old'), '--to', at('new'))
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('[MOVE_TARGET_USED]') })
  const told = JSON.parse((await run('move', '--from', at('new'), '--to', at('third'), '--json')).out)
  expect(told).toMatchObject({ from: at('new'), to: at('third'), resumedAfter: 0, tables: { source: { rows: 1 } } })
})

it('makes no tables in a database that holds nothing to move', async () => {
  const database = await testDatabase()
  try {
    expect(await run('move', '--from', database.url, '--to', at('x'), '--data', at('key'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('[DATA_NOT_FOUND]'),
    })
    const tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    expect([await database.run(tables), existsSync(at('x')), existsSync(at('key'))]).toEqual([[], false, false])
  } finally {
    await database.drop()
  }
})

it('says what is wrong with what it is given, without the password', async () => {
  expect(await run('move', '--from', at('old'))).toMatchObject({ code: 2 })
  expect(await run('move', '--from', at('none'), '--to', at('x'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('[DATA_NOT_FOUND]'),
  })
  const wrong = await run('move', '--from', at('old'), '--to', 'postgres://me:secret@127.0.0.1:1/feeds')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('[STORE_UNREACHABLE]') })
  expect(wrong.err).not.toContain('secret')
  expect((await run('move', '--help')).out).toContain('headwater move --from headwater-data --to postgres://')
})
