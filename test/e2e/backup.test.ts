import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rss } from '../../lab/attack/documents.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { runHeadwater } from './cli-process.ts'

const PASSWORD = 'open-sesame-17'
const folder = mkdtempSync(join(tmpdir(), 'headwater-backup-'))
const copy = join(folder, 'copy.db')
let site: LocalServer

/** A feed for those who log in. */
beforeAll(async () => {
  const expected = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`
  site = await startServer((request, response) => {
    if (request.headers.authorization !== expected) return void response.writeHead(401).end()
    response.writeHead(200, { 'content-type': 'application/xml' }).end(rss('members', [{ id: '1', title: 'inside' }]))
  })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const on = (data: string, ...args: readonly string[]) => runHeadwater(folder, [...args, '--data', join(folder, data)])
const source = (data: string, ...args: readonly string[]) =>
  runHeadwater(folder, ['source', '--data', join(folder, data), ...args])
const NEAR = ['--allow-range', 'loopback', '--host-spacing', '0s']
const titles = async (data: string) => (await on(data, 'items')).out

it('backs a node up into one private file without passwords, and never over another file', async () => {
  const added = await source('here', 'add', site.url('/'), '--no-check', '--auth', `ann:${PASSWORD}`, ...NEAR)
  expect(added).toMatchObject({ code: 0 })
  expect(await source('here', 'refresh', '1', ...NEAR)).toMatchObject({ code: 0 })
  expect(await on('here', 'backup', copy)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 sources and 1 items'),
  })
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readFileSync(copy).includes(PASSWORD)).toBe(false)
  const again = await on('here', 'backup', copy)
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('FILE_UNWRITABLE') })
})

it('restores it elsewhere; a log-in that was saved with another key is locked, and works with that key', async () => {
  expect(await on('there', 'restore', copy)).toMatchObject({ code: 0 })
  expect(await titles('there')).toContain('inside')
  const before = site.requests.length
  const refused = await source('there', 'refresh', '1', ...NEAR)
  expect(refused.code).toBe(1)
  expect((await source('there', 'show', '1')).out).toContain('CREDENTIALS_LOCKED')
  // Not as a stranger: the site would answer something else.
  expect(site.requests.length).toBe(before)
  copyFileSync(join(folder, 'here', 'headwater.key'), join(folder, 'there', 'headwater.key'))
  expect(await source('there', 'refresh', '1', ...NEAR)).toMatchObject({ code: 0 })
  expect(site.requests.length).toBe(before + 1)
})

it('keeps what was there beside what is restored, and takes nothing that is no backup', async () => {
  expect(await source('here', 'remove', '1')).toMatchObject({ code: 0 })
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, readFileSync(copy).subarray(0, 5_000))
  expect(await on('here', 'restore', broken)).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_INVALID') })
  expect((await source('here', 'list')).out).not.toContain(site.url('/'))
  expect(await on('here', 'restore', copy)).toMatchObject({ code: 0 })
  expect((await source('here', 'list')).out).toContain(site.url('/'))
  expect(await titles('here')).toContain('inside')
  expect(readdirSync(join(folder, 'here')).some((name) => name.startsWith('headwater.db.before-'))).toBe(true)
  const audit = (await on('here', 'audit')).out
  expect(audit).toMatch(/command line.*restore/)
})
