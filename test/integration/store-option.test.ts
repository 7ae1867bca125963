import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const context = {
    out: say,
    err: say,
    isTerminal: false,
    env,
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.from(''),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(argv, context, { startDemo, more: [] })
  return { code, said }
}

describe('--store', () => {
  it('says where the data is, as a flag and in the environment, for every command', async () => {
    const opml = join(folder, 'list.opml')
    writeFileSync(opml, '<opml version="2.0"><body><outline xmlUrl="http://a.invalid/feed"/></body></opml>')
    const here = join(folder, 'here')
    const added = await run(['source', 'import', opml, '--store', `sqlite:${here}`])
    expect([added.code, existsSync(join(here, 'headwater.db'))]).toEqual([0, true])
    expect((await run(['source', 'list', '--data', here])).said).toContain('a.invalid')
    expect((await run(['source', 'list'], { HEADWATER_STORE: here })).said).toContain('a.invalid')
    const saved = join(folder, 'saved.db')
    expect((await run(['backup', saved, '--store', here])).said).toContain('Saved 1 sources')
    expect((await run(['restore', saved, '--store', join(folder, 'there')])).said).toContain('Restored 1 sources')
  })

  it('is refused where nothing can be, with a way out', async () => {
    const wrong = await run(['source', 'list', '--store', 'mysql://me:secret@db.example/feeds'])
    expect(wrong).toEqual({ code: 1, said: expect.stringContaining('[STORE_URL_INVALID]') })
    expect(wrong.said).toContain('Give --store')
    const later = await run(['serve', '--store', 'postgres://me:secret@db.example/feeds'])
    expect(later).toEqual({ code: 1, said: expect.stringContaining('[STORE_NOT_BUILT]') })
    expect(wrong.said + later.said).not.toContain('secret')
  })

  it('in memory has no node to work on, and no backups', async () => {
    expect(await run(['source', 'list', '--store', 'memory:'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('[DATA_NOT_FOUND]'),
    })
    const backup = await run(['backup', join(folder, 'x.db'), '--store', 'memory:'])
    expect(backup).toMatchObject({ code: 1, said: expect.stringContaining('[BACKUP_ELSEWHERE]') })
    const restore = await run(['restore', join(import.meta.dirname, 'store-option.test.ts'), '--store', 'memory:'])
    expect(restore).toMatchObject({ code: 1, said: expect.stringContaining('[BACKUP_ELSEWHERE]') })
  })
})
