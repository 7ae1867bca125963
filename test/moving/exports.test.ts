import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshNow } from '../../src/app/crawling/refresh-now.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { systemRandom } from '../../src/runtime/random.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { addPerson, type TestUser } from '../support/people.ts'

let site: LocalServer
/** The window: items 1 to 3 of each feed, with guids; 90 has long left it. */
const feed = (name: string) =>
  `<rss version="2.0"><channel><title>${name}</title>${[1, 2, 3]
    .map(
      (n) =>
        `<item><guid isPermaLink="false">${name}-${n}</guid><title>${name} ${n}</title><link>${site.url(`/${name}/${n}`)}</link>` +
        `<pubDate>${new Date(Date.UTC(2026, 2, n, 10)).toUTCString()}</pubDate></item>`,
    )
    .join('')}</channel></rss>`

beforeAll(async () => {
  site = await startServer((request, response) => {
    const [, name] = /^\/(\w+)\.xml$/.exec(request.url ?? '') ?? []
    response.writeHead(name === undefined ? 404 : 200).end(name === undefined ? '' : feed(name))
  })
})
afterAll(() => site.close())

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, 'exports', name), 'utf8').replaceAll('{site}', site.url('').replace(/\/$/, ''))

async function send(node: ApiNode, { cookie }: TestUser, text: string) {
  const { job } = (await node.ask('POST', '/api/opml', { cookie, body: text })).body
  const state = async () => (await node.ask('GET', `/api/jobs/${job.id}`, { cookie })).body
  await eventually(async () => (await state()).state !== 'running')
  return (await state()).result
}

/** What the user sees: folders by feed, and each article with its marks. */
async function seen(node: ApiNode, { cookie }: TestUser) {
  const { items } = (await node.ask('GET', '/api/items?limit=500', { cookie })).body
  const { sources } = (await node.ask('GET', '/api/sources', { cookie })).body
  const marks = items.map(
    ({ title, isRead, isStarred }: { title: string; isRead: boolean; isStarred: boolean }) =>
      `${title.toLowerCase()}${isRead ? ' read' : ''}${isStarred ? ' starred' : ''}`,
  )
  return {
    marks: marks.sort(),
    folders: Object.fromEntries(
      sources.map(({ name, categories }: { name: string; categories: string[] }) => [name.toLowerCase(), categories]),
    ),
  }
}

const ICE = ['ice 1 read', 'ice 2 starred', 'ice 3', 'ice 90 read starred']
const RIVERS = ['rivers 1', 'rivers 2', 'rivers 3']

describe.each([
  ['Miniflux', ['miniflux.opml', 'miniflux-entries.json'], [...ICE, ...RIVERS]],
  ['FreshRSS', ['freshrss.opml', 'freshrss-articles.json'], [...ICE, ...RIVERS]],
  // It exports what somebody has put aside.
  ['Tiny Tiny RSS', ['ttrss.opml', 'ttrss-articles.xml'], [...ICE.toSpliced(1, 1, 'ice 2 read starred'), ...RIVERS]],
  ['Feedly', ['feedly.opml', 'feedly-saved.json'], [...ICE, ...RIVERS]],
] as const)('an export of %s', (_name, files, expected) => {
  it('brings folders, read and starred state; the feeds double nothing, and a second import changes nothing', async () => {
    const node = await openApiNode({ flags: { hostSpacing: 0 } })
    try {
      const ann = await addPerson(node.data.store, 'ann', 'owner', systemClock.now())
      for (const file of files) await send(node, ann, fixture(file))
      const sources = await node.data.store.sources()
      const environment = { clock: systemClock, random: systemRandom, logger: silentLogger }
      await refreshNow(
        sources.map(({ id }) => id),
        node.config,
        node.data,
        environment,
        () => {},
      )
      const once = await seen(node, ann)
      expect(once).toEqual({ marks: expected, folders: { ice: ['Science'], rivers: ['All'] } })
      for (const file of files)
        expect(await send(node, ann, fixture(file))).toMatchObject({ added: 0, stored: 0, marked: 0 })
      expect(await seen(node, ann)).toEqual(once)
    } finally {
      await node.close()
    }
  })
})

it('an import gives nobody else a mark, and takes back nothing that was read since', async () => {
  const node = await openApiNode({ flags: { hostSpacing: 0 } })
  try {
    const { store } = node.data
    await addPerson(store, 'owner', 'owner', systemClock.now())
    const ann = await addPerson(store, 'ann', 'member', systemClock.now())
    const bob = await addPerson(store, 'bob', 'member', systemClock.now())
    expect(await send(node, ann, fixture('freshrss-articles.json'))).toMatchObject({ added: 2, stored: 4, marked: 3 })
    expect((await seen(node, bob)).marks).toEqual(['ice 1', 'ice 2', 'ice 90', 'rivers 3'])
    await node.ask('POST', '/api/items/mark-all-read', { cookie: ann.cookie, body: {} })
    expect(await send(node, ann, fixture('freshrss-articles.json'))).toMatchObject({ stored: 0, marked: 0 })
    expect((await seen(node, ann)).marks).toContain('rivers 3 read')
  } finally {
    await node.close()
  }
})

it('what a node writes another takes over as it is', async () => {
  const [from, to] = [await openApiNode({ flags: { hostSpacing: 0 } }), await openApiNode()]
  try {
    const ann = await addPerson(from.data.store, 'ann', 'owner', systemClock.now())
    const bob = await addPerson(to.data.store, 'bob', 'owner', systemClock.now())
    for (const file of ['feedly.opml', 'feedly-saved.json']) await send(from, ann, fixture(file))
    const list = await from.ask('GET', '/api/opml', { cookie: ann.cookie })
    const items = await from.ask('GET', '/api/export/items', { cookie: ann.cookie })
    expect(JSON.parse(items.text).items).toHaveLength(4)
    for (const text of [list.text, items.text]) await send(to, bob, text)
    expect(await seen(to, bob)).toEqual(await seen(from, ann))
    const starred = await from.ask('GET', '/api/export/items?starred=true', { cookie: ann.cookie })
    expect(JSON.parse(starred.text).items.map(({ title }: { title: string }) => title)).toEqual(['Ice 90', 'Ice 2'])
  } finally {
    await Promise.all([from.close(), to.close()])
  }
})
