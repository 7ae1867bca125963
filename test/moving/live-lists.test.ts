import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetcherFor } from '../../src/app/crawling/crawling.ts'
import { checkLiveLists } from '../../src/app/sources/live-lists.ts'
import { HOUR_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { addPerson, type TestUser } from '../support/people.ts'

let node: ApiNode
let site: LocalServer
let owner: TestUser
let member: TestUser
let answer = { status: 200, body: '' }
/** Hours after now. */
let later = 0

beforeAll(async () => {
  node = await openApiNode({ flags: { hostSpacing: 0 } })
  site = await startServer((_request, response) => response.writeHead(answer.status).end(answer.body))
  owner = await addPerson(node.data.store, 'owner', 'owner', systemClock.now())
  member = await addPerson(node.data.store, 'ann', 'member', systemClock.now())
})
afterAll(async () => {
  await node.close()
  await site.close()
})

const opml = (folders: Readonly<Record<string, readonly string[]>>) =>
  `<opml version="2.0"><body>${Object.entries(folders)
    .map(
      ([folder, names]) =>
        `<outline text="${folder}">${names
          .map((name) => `<outline type="rss" text="${name}" xmlUrl="https://${name}.example/feed"/>`)
          .join('')}</outline>`,
    )
    .join('')}</body></opml>`

async function check() {
  later += 2
  const clock = { ...systemClock, now: () => systemClock.now() + later * HOUR_MS }
  const fetcher = fetcherFor(node.config, clock)
  await checkLiveLists({ store: node.data.store, fetcher, clock }).finally(() => fetcher.close())
  const sources = await node.data.store.sources()
  return Object.fromEntries(
    sources.map(({ name, categories, paused }) => [name, `${categories.join(',')}${paused ? ' paused' : ''}`]),
  )
}

const lists = async () => (await node.ask('GET', '/api/live-lists', { cookie: owner.cookie })).body.lists

it('sources come, are filed, leave and come back with the list; nothing is removed', async () => {
  const url = site.url('/blogs.opml')
  const body = { url, category: 'Blogs' }
  expect((await node.ask('POST', '/api/live-lists', { cookie: member.cookie, body })).body.code).toBe('RIGHT_MISSING')
  expect((await node.ask('POST', '/api/live-lists', { cookie: owner.cookie, body })).status).toBe(201)
  expect((await node.ask('POST', '/api/live-lists', { cookie: owner.cookie, body })).body.code).toBe('LIST_EXISTS')
  await node.ask('POST', '/api/sources', {
    cookie: owner.cookie,
    body: { url: 'https://own.example/feed', name: 'own', discover: false },
  })

  answer = { status: 200, body: opml({ Sea: ['a', 'b'], Land: ['own'] }) }
  // One that was there before is left alone.
  expect(await check()).toEqual({ own: '', a: 'Blogs,Sea', b: 'Blogs,Sea' })
  answer.body = opml({ Sea: ['b'], Land: ['c'] })
  expect(await check()).toEqual({ own: '', a: 'Blogs,Sea paused', b: 'Blogs,Sea', c: 'Blogs,Land' })
  answer.body = opml({ Land: ['a', 'b', 'c'] })
  expect(await check()).toEqual({ own: '', a: 'Blogs,Land', b: 'Blogs,Land', c: 'Blogs,Land' })
  expect(await lists()).toMatchObject([{ url, sources: 3, left: 0, failure: null }])
})

it.each([
  ['the list is gone', { status: 404, body: '' }, 'HTTP_NOT_FOUND'],
  ['a page stands in its place', { status: 200, body: '<html><p>Back soon</p></html>' }, 'OPML_INVALID'],
  ['it is empty', { status: 200, body: opml({}) }, 'OPML_INVALID'],
])('nothing follows where %s', async (_name, given, code) => {
  const before = await check()
  answer = given
  expect(await check()).toEqual(before)
  expect(await lists()).toMatchObject([{ sources: 3, failure: { code } }])
  answer = { status: 200, body: opml({ Land: ['a', 'b', 'c'] }) }
})

it('a list that is followed no longer leaves its sources as they are', async () => {
  const before = await check()
  const path = `/api/live-lists?url=${encodeURIComponent(site.url('/blogs.opml'))}`
  expect((await node.ask('DELETE', path, { cookie: owner.cookie })).status).toBe(204)
  expect((await node.ask('DELETE', path, { cookie: owner.cookie })).body.code).toBe('LIST_NOT_FOUND')
  answer.body = opml({ Land: ['z'] })
  expect(await check()).toEqual(before)
})
