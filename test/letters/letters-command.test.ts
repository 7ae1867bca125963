import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { DOMAIN, startLetterNode } from './letter-node.ts'

const data = mkdtempSync(join(tmpdir(), 'headwater-letters-command-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

const letters = (...args: readonly string[]) => runCommand(['letters', ...args, '--data', data])
const source = (...args: readonly string[]) => runCommand(['source', ...args, '--data', data])
const ADDRESS = /[0-9a-f]{32}@[a-z.]+/

describe('headwater letters', () => {
  it('makes, lists, guards, renews and revokes addresses', async () => {
    const added = await letters('add', 'The Weekly', '--category', 'News', '--mail-domain', 'letters.example')
    expect(added).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Added source 1: The Weekly\n[0-9a-f]{32}@letters\.example\n/),
    })
    const first = ADDRESS.exec(added.said)?.[0].slice(0, 32) ?? ''
    expect((await letters('list')).said).toContain(`${first}@localhost`)

    expect((await letters('allow', '1', 'News@Example.org')).said).toBe('Source 1 takes letters of news@example.org\n')
    expect((await letters('allow', '1', '@b.example')).said).toContain('news@example.org, @b.example')
    expect((await letters('allow', '1', '*', '--only')).said).toBe('Source 1 takes letters of *\n')

    const renewed = await letters('renew', '1', '--json')
    expect(JSON.parse(renewed.said)).toMatchObject({ id: 1, name: 'The Weekly', senders: ['*'], categories: ['News'] })
    expect(renewed.said).not.toContain(first)

    expect((await letters('revoke', '1')).said).toBe('Source 1 takes no letters any more: The Weekly\n')
    expect((await letters('list')).said).toMatch(/^ *1 .*revoked$/m)
    const log = await runCommand(['audit', '--data', data])
    expect(log.said).toContain('address of source 1')
    expect(log.said).not.toContain(first)
  })

  it('makes addresses at the domain that the node takes letters for, whatever it was started with', async () => {
    const stage = await startLetterNode()
    const added = await runCommand(['letters', 'add', 'The Weekly', '--data', stage.dataDir])
    await stage.close()
    expect(added.said).toMatch(new RegExp(`^[0-9a-f]{32}@${DOMAIN}$`, 'm'))
  })

  it.each([
    [['allow', '1', 'nobody'], 2, 'news@example.org'],
    [['renew', '77'], 1, 'SOURCE_NOT_FOUND'],
    [['revoke', 'x'], 1, 'SOURCE_NOT_FOUND'],
  ])('%j ends with %i', async (args, code, said) => {
    expect(await letters(...args)).toMatchObject({ code, said: expect.stringContaining(said) })
  })

  it('are no sources that can be fetched, moved or given to others', async () => {
    expect(await source('refresh', '1')).toMatchObject({ code: 1, said: expect.stringContaining('SOURCE_NOT_FETCHED') })
    expect(await source('refresh', '--all')).toMatchObject({ code: 0 })
    expect(await source('set', '1', '--url', 'https://evil.example/')).toMatchObject({
      code: 1,
      said: expect.stringContaining('SOURCE_NOT_FETCHED'),
    })
    expect((await source('export')).said).not.toContain('letters:')
    expect((await source('show', '1')).code).toBe(0)
  })
})
