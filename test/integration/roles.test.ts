import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROLE_NAMES, type RoleName } from '../../src/app/data/role-names.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { type Ask, askAt, listen, type RoleProcess, startRole } from './role-processes.ts'

const ITEMS = ['ice on the river', 'sea', 'more ice']
const documentOf = (titles: readonly string[]) =>
  `<rss version="2.0"><channel><title>A site</title>${titles
    .map((title, index) => `<item><guid>${index}</guid><title>${title}</title></item>`)
    .join('')}</channel></rss>`

let folder: string
let site: LocalServer
let shown: readonly string[]
let running: Map<RoleName, RoleProcess>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  shown = ITEMS
  site = await startServer((_request, response) => response.end(documentOf(shown)))
  running = new Map()
})

afterEach(async () => {
  await Promise.all([...running.values()].map((role) => role.kill()))
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(role: RoleName): Promise<RoleProcess> {
  const started = await startRole(folder, role)
  running.set(role, started)
  return started
}

const readJson = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>

async function add(ask: Ask, url: string): Promise<number> {
  const { source } = (await readJson(ask('POST', '/api/sources', { url }))) as { source: { id: number } }
  return source.id
}

async function titlesIn(ask: Ask, path: string): Promise<readonly string[]> {
  const { items = [] } = (await readJson(ask('GET', path))) as { items?: { title: string }[] }
  return items.map(({ title }) => title).sort()
}

const until = async (what: string, isTrue: () => Promise<boolean> | boolean) =>
  expect([what, await eventually(isTrue)]).toEqual([what, true])

it('four processes over one data folder are a node: what a user does at the API, the others do', async () => {
  await Promise.all(ROLE_NAMES.map(start))
  const { url } = running.get('api')!
  const ask = await askAt(url)
  const events = await listen(ask)

  const id = await add(ask, site.url('/feed'))
  const source = () => readJson(ask('GET', `/api/sources/${id}`))
  await until('the crawler refreshes a new source', async () => (await source()).items === ITEMS.length)
  expect((await source()).nextCheckAt).toEqual(expect.any(Number))
  await until('the refresh is reported', () => events.text().includes('event: items'))
  expect(events.text()).toMatch(/event: refresh\ndata: {"sourceId":1,"at":\d+,"newItems":3,"error":null}/)
  expect(events.text()).toContain('event: items\ndata: {"count":3,"sourceIds":[1]}')
  await until('the price is shown', async () => typeof (await readJson(ask('GET', '/api/budget'))).price === 'number')

  const text = 'CREATE FEED cold AS RETURN ALL WHERE TITLE CONTAINS "ice"; SUBSCRIBE TO cold OUTPUT FILE "cold.jsonl"'
  const applied = await ask('POST', '/api/queries', { text, backFill: 'all' })
  expect([applied.status, await applied.text()]).toEqual([200, expect.any(String)])
  const cold = ['ice on the river', 'more ice']
  await until('the matcher publishes', async () => (await titlesIn(ask, '/feeds/cold.json')).length === 2)
  expect(await titlesIn(ask, '/feeds/cold.json')).toEqual(cold)
  expect(await titlesIn(ask, `/feeds/source/${id}.json`)).toEqual([...ITEMS].sort())

  shown = [...ITEMS, 'thin ice']
  await ask('POST', `/api/sources/${id}/refresh`)
  await until('the crawler refreshes at once what is requested', async () => (await source()).items === shown.length)
  const file = join(folder, 'files', 'cold.jsonl')
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  await until('the publisher delivers what is new', () => lines().length > 0)
  expect(lines()).toEqual([expect.stringContaining('thin ice')])
  await until('feeds follow', async () => (await titlesIn(ask, `/feeds/source/${id}.json`)).includes('thin ice'))

  const changed = await readJson(
    ask('PATCH', '/api/settings', { strategy: 'uniform', budget: '600/min', minInterval: '1s' }),
  )
  expect(changed).toMatchObject({ needsRestart: false })
  const slowly = site.requests.length
  await until('the crawler follows changed settings', () => site.requests.length > slowly + 3)
  await until(
    'what is spent is shown',
    async () => Number((await readJson(ask('GET', '/api/budget'))).spentPerMinute) > 0,
  )
  await events.close()
})

it('a role that is killed and started again goes on; meanwhile the others work, and it never runs twice', async () => {
  await Promise.all((['crawler', 'api'] as const).map(start))
  const ask = await askAt(running.get('api')!.url)
  await expect(startRole(folder, 'crawler')).rejects.toThrow('STORE_LOCKED')

  await running.get('crawler')!.kill()
  const id = await add(ask, site.url('/feed'))
  expect((await ask('GET', '/feeds/all.json')).status).toBe(200)
  const source = () => readJson(ask('GET', `/api/sources/${id}`))
  expect(await source()).toMatchObject({ items: 0, lastCheckAt: null })
  await start('crawler')
  await until('the crawler does what was requested meanwhile', async () => (await source()).items === ITEMS.length)

  expect(await running.get('api')!.stop()).toBe(0)
  const again = await askAt((await start('api')).url)
  expect(await titlesIn(again, '/feeds/all.json')).toEqual([...ITEMS].sort())
  expect(await running.get('crawler')!.stop()).toBe(0)
})
