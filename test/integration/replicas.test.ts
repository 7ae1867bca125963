import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RoleName } from '../../src/app/data/role-names.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { type TestDatabase, testDatabase } from '../support/postgres.ts'
import { type Ask, askAt, listen, PASSWORD, type RoleProcess, startRole } from './role-processes.ts'

/** Two APIs, a crawler and a matcher over one PostgreSQL, each in a process of its own, as behind a balancer. */
const ITEMS = ['ice on the river', 'sea', 'more ice']
const PUBLIC_URL = 'http://feeds.example'

let folder: string
let site: LocalServer
/** What an address shows in place of `ITEMS`. Each has its own: what one source is told must not be mixed with another's. */
let shown: Map<string, readonly string[]>
let database: TestDatabase
let running: RoleProcess[]
let here: Replica
let there: Replica

interface Replica {
  readonly url: string
  readonly ask: Ask
  /** Of the owner, for what is not JSON. */
  readonly cookie: string
  readonly process: RoleProcess
}

const documentOf = (titles: readonly string[]) =>
  `<rss version="2.0"><channel><title>A site</title>${titles
    .map((title, index) => `<item><guid>${index}</guid><title>${title}</title></item>`)
    .join('')}</channel></rss>`

async function start(role: RoleName, more: readonly string[] = []): Promise<RoleProcess> {
  const started = await startRole(role, ['--data', folder, '--store', database.url, ...more])
  running.push(started)
  return started
}

async function freePort(): Promise<number> {
  const server = await startServer(() => {})
  await server.close()
  return server.port
}

async function startReplica(): Promise<Replica> {
  const port = await freePort()
  const process = await start('api', ['--port', String(port), '--public-url', PUBLIC_URL])
  const url = `http://127.0.0.1:${port}`
  return { url, process, ask: await askAt(url), cookie: await logInAt(url) }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-replicas-'))
  shown = new Map()
  running = []
  site = await startServer(({ url = '' }, response) => response.end(documentOf(shown.get(url) ?? ITEMS)))
  database = await testDatabase()
  const [one, other] = await Promise.all([startReplica(), startReplica(), start('crawler'), start('matcher')])
  here = one
  there = other
})

afterAll(async () => {
  await Promise.all(running.map((role) => role.kill()))
  await site.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const until = async (what: string, isTrue: () => Promise<boolean> | boolean) =>
  expect([what, await eventually(isTrue)]).toEqual([what, true])

const readJson = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>

async function titlesIn({ ask }: Replica, path: string): Promise<readonly string[]> {
  const { items = [] } = (await readJson(ask('GET', path))) as { items?: { title: string }[] }
  return items.map(({ title }) => title).sort()
}

async function add({ ask }: Replica, path: string, more: object = {}): Promise<number> {
  const { source } = (await readJson(ask('POST', '/api/sources', { url: site.url(path), ...more }))) as {
    source: { id: number }
  }
  return source.id
}

it('what one serves, the other serves under the same ETag and date, and knows what is done at the other', async () => {
  await add(here, '/feed')
  const text = 'CREATE FEED cold AS RETURN ALL WHERE TITLE CONTAINS "ice"'
  expect((await here.ask('POST', '/api/queries', { text, backFill: 'all' })).status).toBe(200)
  await until('both have all items', async () => {
    const lengths = [here, there].map(async (one) => [
      (await titlesIn(one, '/feeds/all.json')).length,
      (await titlesIn(one, '/feeds/cold.json')).length,
    ])
    return JSON.stringify(await Promise.all(lengths)) === '[[3,2],[3,2]]'
  })
  const validatorsOf = async ({ url }: Replica, path: string) => {
    const answer = await fetch(`${url}${path}`)
    return JSON.stringify([answer.headers.get('etag'), answer.headers.get('last-modified'), await answer.text()])
  }
  const notModified = async ({ url }: Replica, path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers })).status
  for (const feed of ['/feeds/all', '/feeds/source/1', '/feeds/cold']) {
    for (const path of ['rss', 'atom', 'json'].map((format) => `${feed}.${format}`)) {
      await until(
        `${path} is the same`,
        async () => (await validatorsOf(here, path)) === (await validatorsOf(there, path)),
      )
      const { headers } = await fetch(`${here.url}${path}`)
      expect(await notModified(there, path, { 'if-none-match': headers.get('etag') ?? '' })).toBe(304)
    }
  }
  await until('a date is the same, and known there', async () => {
    const { headers } = await fetch(`${here.url}/feeds/all.rss`)
    return (
      (await notModified(there, '/feeds/all.rss', { 'if-modified-since': headers.get('last-modified') ?? '' })) === 304
    )
  })
})

it('what is changed at both in the same moment is kept: hidden feeds, rules, lists', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index)
  const names = numbers.map((number) => `n${number}`)
  const match = 'https://{name}.example/'
  const changes = numbers.flatMap((number) => {
    const { ask } = number % 2 === 0 ? here : there
    const name = `n${number}`
    return [
      ask('PUT', '/api/feeds/access', { feed: `/feeds/category/${name}`, isPrivate: true }),
      ask('POST', '/api/rules', { place: { kind: 'all' }, words: [name], action: 'star' }),
      ask('POST', '/api/address-rules', { name, match, give: ['https://{name}.example/feed'] }),
      ask('POST', '/api/live-lists', { url: site.url(`/${name}`) }),
    ]
  })
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  const [hidden] = await database.run("SELECT value FROM node_state WHERE key = 'private-feeds'")
  expect(JSON.parse(String(hidden?.['value']))).toEqual(names.map((name) => `/feeds/category/${name}`))
  const listed = async <One>(path: string, list: string, pick: (one: One) => unknown) =>
    ((await readJson(there.ask('GET', path)))[list] as One[]).map(pick).sort()
  expect(await listed<{ words: string[] }>('/api/rules', 'rules', ({ words }) => words[0])).toEqual(names)
  expect(new Set(await listed<{ id: number }>('/api/rules', 'rules', ({ id }) => id)).size).toBe(names.length)
  expect(await listed<{ name: string }>('/api/address-rules', 'rules', ({ name }) => name)).toEqual(names)
  const urls = names.map((name) => site.url(`/${name}`))
  expect(await listed<{ url: string }>('/api/live-lists', 'lists', ({ url }) => url)).toEqual(urls)
})

it('settings of one are those of the other', async () => {
  expect((await here.ask('PATCH', '/api/settings', { minInterval: '2min' })).status).toBe(200)
  await until('the other has them', async () => {
    const { settings } = (await readJson(there.ask('GET', '/api/settings'))) as {
      settings: { name: string; value: unknown }[]
    }
    return settings.find(({ name }) => name === 'minInterval')?.value === 120_000
  })
})

it('a refresh that is asked for at one is made by the crawler, shown by both, and told to who listens at either', async () => {
  const id = await add(here, '/now')
  const itemsAt = async ({ ask }: Replica) => (await readJson(ask('GET', `/api/sources/${id}`))).items
  await until('the new source is refreshed', async () => (await itemsAt(there)) === ITEMS.length)
  const refresh = () => here.ask('POST', `/api/sources/${id}/refresh`)
  const listeners = await Promise.all([listen(here.ask), listen(there.ask)])
  // What happened long before somebody listens is not told.
  await until('both are told of refreshes', async () => {
    await refresh()
    return listeners.every(({ text }) => text().includes(`event: refresh\ndata: {"sourceId":${id},`))
  })
  shown.set('/now', [...ITEMS, 'thin ice'])
  expect((await refresh()).status).toBeLessThan(300)
  await until('both show what came', async () => (await itemsAt(here)) === 4 && (await itemsAt(there)) === 4)
  for (const { text } of listeners) {
    const told = new RegExp(`event: refresh\\ndata: {"sourceId":${id},"at":\\d+,"newItems":1,"error":null}`, 'g')
    await until('the refresh is told', () => text().match(told) !== null)
    expect(text().match(told)).toHaveLength(1)
    // With what else came in the last seconds, of other sources too.
    await until('its item is told', () => itemsTold(text()) === itemsOfRefreshes(text()))
    expect(text()).toMatch(new RegExp(`event: items\\ndata: {[^\\n]*"sourceIds":\\[(?:\\d+,)*${id}[,\\]]`))
  }
  for (const { close } of listeners) await close()
})

it('a job that is begun at one is found and told at the other; queries that change there are told here', async () => {
  const [hears, hearsThere] = await Promise.all([listen(here.ask), listen(there.ask)])
  const list = '<opml version="2.0"><body><outline text="a" xmlUrl="http://a.invalid/"/></body></opml>'
  const { job } = (await readJson(importAt(here, list))) as { job: { id: string } }
  const jobThere = () => readJson(there.ask('GET', `/api/jobs/${job.id}`))
  expect(await jobThere()).toMatchObject({ id: job.id, kind: 'import' })
  await until('it is done', async () => (await jobThere()).state === 'done')
  expect(await jobThere()).toMatchObject({ result: { added: 1, known: 0, bad: [] }, error: null })
  await until('its end is told there', () => /event: job\ndata: {[^\n]*"state":"done"/.test(hearsThere.text()))

  const text = 'CREATE FEED warm AS RETURN ALL WHERE TITLE CONTAINS "sun"'
  expect((await there.ask('POST', '/api/queries', { text })).status).toBe(200)
  await until('the change is told here', () => hears.text().includes('event: queries'))
  await Promise.all([hears.close(), hearsThere.close()])
})

it('who logs out at one hears nothing more at the other', async () => {
  const cookie = await logInAt(here.url)
  const headers = { cookie, 'x-headwater': '1' }
  const stream = await fetch(`${there.url}/api/events`, { headers })
  const ended = stream.text()
  expect((await fetch(`${here.url}/api/session`, { method: 'DELETE', headers })).status).toBe(204)
  expect(await ended).toContain('retry:')
})

it('wrong passwords at one count at the other', async () => {
  await database.run('DELETE FROM attempt')
  const guess = ({ url }: Replica) => logIn(url, 'wrong')
  const tries = async () => (await database.run('SELECT amount FROM attempt')).map(({ amount }) => amount)
  expect((await guess(here)).status).toBe(401)
  expect((await guess(there)).status).toBe(401)
  // Of the place, and of requests a minute.
  expect(await tries()).toEqual([2, 2])
  await database.run("UPDATE attempt SET amount = 30, at = cluster_now_ms() + 600000 WHERE kind = 'place'")
  for (const replica of [here, there]) {
    const refused = await guess(replica)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
  }
  await database.run("UPDATE attempt SET amount = 10, at = cluster_now_ms() + 30000 WHERE kind = 'request'")
  for (const replica of [here, there]) expect((await logIn(replica.url, PASSWORD)).status).toBe(429)
  await database.run('DELETE FROM attempt')
})

it('what a crawler alarms about, every API shows', async () => {
  const alarmsAt = async ({ ask }: Replica) => {
    const { alarms } = (await readJson(ask('GET', '/api/health'))) as { alarms: { code: string; detail: string }[] }
    return alarms.filter(({ code }) => code === 'SOURCE_FLOODING').map(({ detail }) => detail)
  }
  const hears = await listen(there.ask)
  const id = await add(here, '/flood', { dailyAllowance: 1 })
  // The first document is taken whole.
  await until('it is read', async () => Number((await readJson(here.ask('GET', `/api/sources/${id}`))).items) > 0)
  shown.set('/flood', [...ITEMS, 'foam', 'spray', 'tide'])
  await here.ask('POST', `/api/sources/${id}/refresh`)
  for (const replica of [here, there])
    await until('the alarm is shown', async () => (await alarmsAt(replica))[0]?.includes(`source ${id},`) === true)
  await until('that it came is told', () => hears.text().includes('event: alarms'))
  await hears.close()
  expect((await there.ask('PATCH', `/api/sources/${id}`, { dailyAllowance: 'off' })).status).toBe(200)
  await there.ask('POST', `/api/sources/${id}/refresh`)
  for (const replica of [here, there]) await until('it is over', async () => (await alarmsAt(replica)).length === 0)
})

it('a job of an API that is killed has failed, and does not run for ever', async () => {
  const outlines = Array.from({ length: 4_000 }, (_, n) => `<outline text="${n}" xmlUrl="http://h${n}.invalid/"/>`)
  const list = `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
  const { job } = (await readJson(importAt(here, list))) as { job: { id: string } }
  await here.process.kill()
  const jobThere = () => readJson(there.ask('GET', `/api/jobs/${job.id}`))
  expect(await jobThere()).toMatchObject({ state: 'running' })
  // As if half a minute had passed.
  await database.run('UPDATE job SET posted_at = posted_at - 31000 WHERE NOT is_over')
  expect(await jobThere()).toMatchObject({ state: 'failed', error: { code: 'JOB_INTERRUPTED' } })
})

function logIn(url: string, password: string): Promise<Response> {
  return fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'x-headwater': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'owner', password }),
  })
}

async function logInAt(url: string): Promise<string> {
  return (await logIn(url, PASSWORD)).headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** As a browser sends a file. */
function importAt({ url, cookie }: Replica, list: string): Promise<Response> {
  const headers = { cookie, 'x-headwater': '1', 'content-type': 'application/octet-stream' }
  return fetch(`${url}/api/opml`, { method: 'POST', headers, body: list })
}

/** How many new items were told in all. */
const itemsTold = (text: string) => sumOf(text, /^event: items\ndata: {"count":(\d+)/gm)
const itemsOfRefreshes = (text: string) => sumOf(text, /^event: refresh\ndata: {[^\n]*"newItems":(\d+)/gm)

function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0)
}
