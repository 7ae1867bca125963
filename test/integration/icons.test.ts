import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFetcher } from '../../src/crawler/fetch/http.ts'
import { lookForIcons } from '../../src/icons/icon-worker.ts'
import { DAY_MS, type InstantMs, type SourceId } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { addOne, record, START } from '../contract/store.fixture.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR', 'latin1'),
  Buffer.from([0, 0, 0, 32, 0, 0, 0, 32, 8, 6, 0, 0, 0]),
])
const OTHER = Buffer.concat([PNG, Buffer.from('another')])
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** A site by its paths; what is not there is 404. */
type Site = Readonly<Record<string, string | Buffer | { readonly status: number }>>

let answers: Site
let server: LocalServer
beforeAll(async () => {
  server = await startServer(({ url = '' }, response) => {
    const answer = answers[url] ?? { status: 404 }
    if (typeof answer === 'object' && 'status' in answer) return void response.writeHead(answer.status).end()
    const isPage = typeof answer === 'string' && answer.includes('<head>')
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'image/png' }).end(answer)
  })
})
afterAll(() => server.close())
afterEach(() => {
  server.requests.length = 0
})

const page = (...links: string[]) => `<html><head>${links.join('')}</head></html>`

/** Moved by hand. */
interface Moment {
  now: InstantMs
}

interface Looked {
  readonly store: Store
  readonly id: SourceId
  readonly asked: readonly (string | undefined)[]
  readonly moment: Moment
}

/** Looks for the icon of one source, as the crawler's layer does, until there is nothing to look for. */
async function look(
  site: Site,
  state: { iconUrl?: string; siteUrl?: string } = {},
  ranges: readonly string[] = ['127.0.0.0/8'],
  robots: 'allowed' | 'disallowed' | 'unreachable' = 'allowed',
): Promise<Looked> {
  answers = site
  const moment = { now: START }
  const { store } = createMemoryStore({ clock: systemClock })
  const source = await addOne(store, server.url('/feed'))
  await store.recordRefresh(record(source, { state: { ...source.state, siteUrl: server.url('/blog/'), ...state } }))
  await store.wantIcons([source.id], moment.now)
  await lookAgain(store, moment, ranges, robots)
  return { store, id: source.id, asked: server.requests.map(({ url }) => url), moment }
}

async function lookAgain(
  store: Store,
  moment: Moment,
  ranges: readonly string[] = ['127.0.0.0/8'],
  robots: 'allowed' | 'disallowed' | 'unreachable' = 'allowed',
): Promise<void> {
  const fetcher = createFetcher({ clock: systemClock, allowRanges: ranges })
  const end = new AbortController()
  const sleep = async () => end.abort()
  await lookForIcons(
    {
      store,
      fetch: (request) => fetcher.fetch(request),
      robots: { ask: async () => robots },
      payableAt: (now) => now,
      part: () => undefined,
      disk: { hasSpace: () => true },
      clock: { now: () => moment.now, sleep },
      random: seededRandom(1),
    },
    end.signal,
  )
  await fetcher.close()
}

const hashOf = async ({ store, id }: Looked) => (await store.iconHashes([id])).get(id)
const bodyOf = async ({ store, id }: Looked) => Buffer.from((await store.icons([id]))[0]?.body ?? [])

describe('the icon of a source', () => {
  it('is the one that its document names, with one request', async () => {
    const looked = await look({ '/own.png': PNG, '/favicon.ico': OTHER }, { iconUrl: server.url('/own.png') })
    expect(await bodyOf(looked)).toEqual(PNG)
    expect(looked.asked).toEqual(['/own.png'])
  })

  it('is else the one that its site names, the likeliest first, else the one at the usual place', async () => {
    const links = [
      '<link rel="icon" type="image/svg+xml" href="/x.svg">',
      '<link rel="icon" sizes="16x16" href="small.png">',
      '<link rel="shortcut icon" sizes="64x64" href="best.png">',
      '<link rel="apple-touch-icon" href="touch.png">',
    ]
    const named = await look({ '/blog/': page(...links), '/blog/best.png': PNG })
    expect(await bodyOf(named)).toEqual(PNG)
    expect(named.asked).toEqual(['/blog/', '/blog/best.png'])
    server.requests.length = 0
    const usual = await look({ '/blog/': page(), '/favicon.ico': OTHER })
    expect(await bodyOf(usual)).toEqual(OTHER)
    expect(usual.asked).toEqual(['/blog/', '/favicon.ico'])
  })

  it.each([
    ['a drawing with a script', SVG],
    ['ten megabytes', Buffer.concat([PNG, Buffer.alloc(10 * 1024 ** 2)])],
    ['a page that calls itself a picture', '<html><script>alert(1)</script></html>'],
    ['nothing', ''],
  ])('is never %s: the next place is looked at', async (_what, body) => {
    const bad = await look({ '/own.png': body, '/favicon.ico': body }, { iconUrl: server.url('/own.png') })
    expect(await hashOf(bad)).toBeNull()
    expect(await bad.store.dueIcons(START + 27 * DAY_MS, { limit: 1 })).toEqual([])
    const good = await look({ '/own.png': body, '/favicon.ico': PNG }, { iconUrl: server.url('/own.png') })
    expect(await bodyOf(good)).toEqual(PNG)
  })

  it('is looked for again after weeks, and at once by nobody', async () => {
    const looked = await look({ '/favicon.ico': PNG })
    server.requests.length = 0
    looked.moment.now += 27 * DAY_MS
    await lookAgain(looked.store, looked.moment)
    expect(server.requests).toEqual([])
    answers = { '/favicon.ico': OTHER }
    looked.moment.now += 9 * DAY_MS
    await lookAgain(looked.store, looked.moment)
    expect(await bodyOf(looked)).toEqual(OTHER)
  })

  it('stays while the site is down, which is asked again after a day, then more and more rarely', async () => {
    const looked = await look({ '/favicon.ico': PNG })
    answers = { '/blog/': { status: 503 }, '/favicon.ico': { status: 503 } }
    looked.moment.now += 36 * DAY_MS
    await lookAgain(looked.store, looked.moment)
    expect(await bodyOf(looked)).toEqual(PNG)
    const again = (days: number) => looked.store.dueIcons(looked.moment.now + days * DAY_MS, { limit: 1 })
    expect([(await again(0.9)).length, (await again(1.3)).length]).toEqual([0, 1])
    looked.moment.now += 2 * DAY_MS
    await lookAgain(looked.store, looked.moment)
    expect([(await again(1.9)).length, (await again(2.6)).length]).toEqual([0, 1])
  })

  it('is not looked for where robots are not wanted, nor at addresses that the node may not reach', async () => {
    const refused = await look({ '/favicon.ico': PNG }, {}, ['127.0.0.0/8'], 'disallowed')
    expect([await hashOf(refused), refused.asked]).toEqual([null, []])
    const guarded = await look({ '/favicon.ico': PNG }, { iconUrl: server.url('/favicon.ico') }, [])
    expect([await hashOf(guarded), guarded.asked]).toEqual([null, []])
  })

  it.each([
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `https://a.example/${'x'.repeat(3_000)}`,
  ])('is not looked for at %.40s', async (iconUrl) => {
    const looked = await look({ '/favicon.ico': PNG }, { iconUrl })
    expect(looked.asked).toEqual(['/blog/', '/favicon.ico'])
  })
})
