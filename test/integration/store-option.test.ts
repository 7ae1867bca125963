import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('--store', () => {
  it('says where the data is, as a flag and in the environment, for every command', async () => {
    const opml = join(folder, 'list.opml')
    writeFileSync(opml, '<opml version="2.0"><body><outline xmlUrl="http://a.invalid/feed"/></body></opml>')
    const here = join(folder, 'here')
    const added = await runCommand(['source', 'import', opml, '--store', `sqlite:${here}`])
    expect([added.code, existsSync(join(here, 'headwater.db'))]).toEqual([0, true])
    expect((await runCommand(['source', 'list', '--data', here])).said).toContain('a.invalid')
    const env = { HEADWATER_STORE: here }
    expect((await runCommand(['source', 'list'], { env })).said).toContain('a.invalid')
    const saved = join(folder, 'saved.db')
    expect((await runCommand(['backup', saved, '--store', here])).said).toContain('Saved 1 sources')
    const restored = await runCommand(['restore', saved, '--store', join(folder, 'there')])
    expect(restored.said).toContain('Restored 1 sources')
  })

  it('is refused where nothing can be, with a way out, before anything is made', async () => {
    const data = ['--data', join(folder, 'data')]
    const wrong = await runCommand(['source', 'list', '--store', 'mysql://me:secret@db.example/feeds'])
    expect(wrong).toEqual({ code: 1, said: expect.stringContaining('[STORE_URL_INVALID]') })
    expect(wrong.said).toContain('Give --store')
    const nowhere = await runCommand(['serve', '--store', 'postgres://me:secret@127.0.0.1:1/feeds', ...data])
    expect(nowhere).toEqual({ code: 1, said: expect.stringContaining('[STORE_UNREACHABLE]') })
    const unnamed = await runCommand(['serve', '--store', 'postgres://me:secret@127.0.0.1', ...data])
    expect(unnamed).toEqual({ code: 1, said: expect.stringContaining('[STORE_URL_INVALID]') })
    expect(wrong.said + nowhere.said + unnamed.said).not.toContain('secret')
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it('in memory has no node to work on, and no backups', async () => {
    expect(await runCommand(['source', 'list', '--store', 'memory:'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('[DATA_NOT_FOUND]'),
    })
    const backup = await runCommand(['backup', join(folder, 'x.db'), '--store', 'memory:'])
    expect(backup).toMatchObject({ code: 1, said: expect.stringContaining('[BACKUP_ELSEWHERE]') })
    const file = join(import.meta.dirname, 'store-option.test.ts')
    const restore = await runCommand(['restore', file, '--store', 'memory:'])
    expect(restore).toMatchObject({ code: 1, said: expect.stringContaining('[BACKUP_ELSEWHERE]') })
  })
})

describe('--role', () => {
  it.each([
    [['--role', 'crawlers'], {}],
    [['--role', ''], {}],
    [[], { HEADWATER_ROLE: 'crawler;api' }],
  ])('%j %j is refused, with what can be given', async (flags, env) => {
    const { code, said } = await runCommand(['serve', '--data', join(folder, 'data'), ...flags], { env })
    expect([code, said]).toEqual([2, expect.stringContaining('crawler, matcher, publisher, api')])
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})
