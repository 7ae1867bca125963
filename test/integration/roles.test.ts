import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROLE_NAMES, type RoleName } from '../../src/app/data/role-names.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { testDatabase } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'
import { type Ask, askAt, listen, type RoleProcess, startRole } from './role-processes.ts'

const ITEMS = ['ice on the river', 'sea', 'more ice']
const documentOf = (titles: readonly string[]) =>
  `<rss version="2.0"><channel><title>A site</title>${titles
    .map((title, index) => `<item><guid>${index}</guid><title>${title}</title></item>`)
    .join('')}</channel></rss>`

/** A place for the data of a node: what a process is started with to find it. */
interface Place {
  readonly name: string
  open(folder: string): Promise<OpenedPlace>
}

interface OpenedPlace {
  readonly flags: readonly string[]
  remove(): Promise<void>
  /** As a restart of the server does; absent: there is none. */
  endConnections?(): Promise<void>
}

const FOLDER: Place = {
  name: 'one data folder',
  open: async (folder) => ({ flags: ['--data', folder], remove: async () => {} }),
}

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'headwater%'`

const POSTGRES: Place = {
  name: 'one PostgreSQL',
  async open(folder) {
    const database = await testDatabase()
    return {
      flags: ['--data', folder, '--store', database.url],
      remove: () => database.drop(),
      endConnections: async () => void (await database.run(END_CONNECTIONS)),
    }
  },
}

let folder: string
let site: LocalServer
let shown: readonly string[]
let flags: readonly string[]
let remove: () => Promise<void>
let running: RoleProcess[]
let closing: (() => Promise<void>)[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-roles-'))
  shown = ITEMS
  site = await startServer((_request, response) => response.end(documentOf(shown)))
  running = []
  closing = []
})

afterEach(async () => {
  await Promise.all(running.map((role) => role.kill()))
  for (const close of closing) await close()
  await site.close()
  await remove()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (place: Place) => {
  const opened = await place.open(folder)
  flags = opened.flags
  remove = opened.remove
  return opened
}

async function start(role: RoleName, more: readonly string[] = []): Promise<RoleProcess> {
  const started = await startRole(role, [...flags, ...more])
  running.push(started)
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

describe.each([FOLDER, POSTGRES])('over $name', (place) => {
  it('four processes are a node: what a user does at the API, the others do', async () => {
    await open(place)
    const [, , , api] = await Promise.all(ROLE_NAMES.map((role) => start(role)))
    const ask = await askAt(api!.url)
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
    await until('the crawler refreshes at once what is asked for', async () => (await source()).items === shown.length)
    const file = join(folder, 'files', 'cold.jsonl')
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
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

  it('a role that is killed and started again goes on; meanwhile the others work', async () => {
    await open(place)
    const [crawler, api] = await Promise.all([start('crawler'), start('api')])
    const ask = await askAt(api.url)

    await crawler.kill()
    const id = await add(ask, site.url('/feed'))
    expect((await ask('GET', '/feeds/all.json')).status).toBe(200)
    const source = () => readJson(ask('GET', `/api/sources/${id}`))
    expect(await source()).toMatchObject({ items: 0, lastCheckAt: null })
    const next = await start('crawler')
    await until('the crawler does what was asked for meanwhile', async () => (await source()).items === ITEMS.length)

    expect(await api.stop()).toBe(0)
    const again = await askAt((await start('api')).url)
    expect(await titlesIn(again, '/feeds/all.json')).toEqual([...ITEMS].sort())
    expect(await next.stop()).toBe(0)
  })
})

it('over one data folder no role runs twice', async () => {
  await open(FOLDER)
  await start('crawler')
  await expect(start('crawler')).rejects.toThrow('STORE_LOCKED')
})

it('processes over one PostgreSQL go on when all their connections were ended', async () => {
  const { endConnections = async () => {} } = await open(POSTGRES)
  const [crawler, api] = await Promise.all([start('crawler'), start('api')])
  const ask = await askAt(api.url)
  for (const round of [1, 2, 3]) {
    await endConnections()
    await until('the API adds a source', async () => {
      const { status } = await ask('POST', '/api/sources', { url: site.url(`/feed/${round}`) })
      return status === 201 || status === 409
    })
    await endConnections()
    await until('the crawler refreshes it', async () => {
      const answer = await ask('GET', '/api/sources')
      const { sources = [] } = answer.ok ? ((await answer.json()) as { sources?: { items: number }[] }) : {}
      return sources.length === round && sources.every(({ items }) => items === ITEMS.length)
    })
  }
  expect(await api.stop()).toBe(0)
  expect(await crawler.stop()).toBe(0)
})

it('two matchers and two publishers over one PostgreSQL share the work, and one does it all when the other is killed', async () => {
  await open(POSTGRES)
  const messages: { readonly id: string; readonly body: string }[] = []
  // Slow: two that do not know of each other would be at it at the same time.
  const hook = await startServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    messages.push({ id: String(request.headers['webhook-id']), body: Buffer.concat(chunks).toString() })
    setTimeout(() => response.end(), 300)
  })
  closing.push(() => hook.close())
  const pair = () => Promise.all([start('matcher'), start('publisher')])
  const [api, first] = await Promise.all([start('api'), pair(), pair(), start('crawler')])
  const ask = await askAt(api.url)
  const text = `CREATE FEED cold AS RETURN ALL WHERE TITLE CONTAINS "ice"; SUBSCRIBE TO cold OUTPUT WEBHOOK "${hook.url('/')}"`
  expect((await ask('POST', '/api/queries', { text })).status).toBe(200)
  const id = await add(ask, site.url('/feed'))
  const deliver = async (titles: readonly string[]) => {
    shown = [...shown, ...titles]
    await ask('POST', `/api/sources/${id}/refresh`)
    await until('all are delivered', () => titles.every((title) => bodiesWith(title, messages).length > 0))
  }
  const bodiesWith = (title: string, from: typeof messages) => from.filter(({ body }) => body.includes(`"${title}"`))
  await deliver(['ice 1', 'ice 2'])
  await deliver(['ice 3'])
  await deliver(['ice 4'])
  for (const title of ['ice 1', 'ice 2', 'ice 3']) expect(bodiesWith(title, messages)).toHaveLength(1)

  const status = async () => {
    const { said } = await runCommand(['cluster', 'status', '--json', ...flags])
    return JSON.parse(said) as { members: { roles: string[]; shards: object }[]; roles: object[] }
  }
  const { members, roles } = await status()
  expect(members.map((one) => one.roles.join(',')).sort()).toEqual([
    'api',
    'crawler',
    ...['matcher', 'matcher'],
    ...['publisher', 'publisher'],
  ])
  expect(roles).toMatchObject([
    { role: 'crawler', shards: 1024, owned: 1024 },
    ...['matcher', 'publisher'].map((role) => ({ role, shards: 32, owned: 32 })),
    { role: 'controller', shards: 1, owned: 1 },
  ])
  expect(members.find((one) => one.roles.includes('crawler'))?.shards).toEqual({ crawler: 1024, controller: 1 })
  const { cluster } = (await readJson(ask('GET', '/api/cluster'))) as {
    cluster: { members: object[]; roles: object[] }
  }
  expect([cluster.members.length, cluster.roles]).toEqual([members.length, roles])

  // Whichever of a pair worked on this feed, one that did may be among those that are killed.
  await Promise.all(first.map((role) => role.kill()))
  await deliver(['ice 5'])
  // A message that was under way may be sent again, as the same message.
  const once = [...new Map(messages.map((message) => [message.id, message])).values()]
  for (const title of ['ice 4', 'ice 5']) expect(bodiesWith(title, once)).toHaveLength(1)
  expect(await titlesIn(ask, '/feeds/cold.json')).toEqual(
    [...ITEMS, 'ice 1', 'ice 2', 'ice 3', 'ice 4', 'ice 5'].filter((title) => title.includes('ice')).sort(),
  )
})
