import { afterEach, expect, it } from 'vitest'
import { type Admissions, noteAdmissions, smallestGapMs } from '../../../test/support/admissions.ts'
import { startServer } from '../../../test/support/local-server.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createFetcher } from '../fetch/http.ts'
import { politely } from './polite-fetcher.ts'
import { createPoliteness } from './politeness.ts'

const SPACING_MS = 300
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(patienceMs?: number) {
  const admissions: Admissions = new Map()
  const server = await startServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/x' }).end()
    else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '120' }).end()
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('x')
  })
  const plain = createFetcher({ clock: systemClock, allowRanges: ['loopback'] })
  const limits = noteAdmissions(createPoliteness({ host: { spacingMs: SPACING_MS, concurrency: 2 } }), admissions)
  const fetcher = politely(plain, limits, systemClock, patienceMs)
  closing.push(
    () => server.close(),
    () => fetcher.close(),
  )
  const fetch = (path: string) =>
    fetcher.fetch({
      ...{ url: server.url(path), etag: null, lastModified: null, headers: {} },
      ...{ basicAuth: null, userAgent: null, proxyUrl: null },
    })
  return { fetch, server, admissions }
}

it('waits for its turn at the host, also after a redirect', async () => {
  const { fetch, server, admissions } = await open()
  const answers = await Promise.all([fetch('/a'), fetch('/moved'), fetch('/b')])
  expect(answers.map(({ kind }) => kind)).toEqual(['content', 'content', 'content'])
  const [host] = admissions.values()
  expect([host!.at.length, server.requests.length]).toEqual([4, 4])
  expect(smallestGapMs(host!)).toBeGreaterThanOrEqual(SPACING_MS)
})

it('lets a host rest that asked for it, and says so instead of waiting long', async () => {
  const { fetch, server } = await open(1_000)
  expect(await fetch('/busy')).toMatchObject({ kind: 'failed', status: 429 })
  expect(await fetch('/a')).toMatchObject({ kind: 'failed', code: 'FETCH_HOST_BUSY' })
  expect(server.requests).toHaveLength(1)
})
