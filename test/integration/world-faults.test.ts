import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS, type FaultName } from '../../lab/worlds/faults/fault.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { get, rawAnswer, type WorldAnswer } from './world-client.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ feeds: 3 })
})
afterAll(() => world.close())

/** What each fault looks like to a client that does nothing by itself. */
const SEEN: Readonly<Record<FaultName, () => Promise<unknown>>> = {
  'slow-headers': async () => {
    const url = world.faultUrl('slow-headers', { delayMs: 1_000 })
    const startedMs = systemClock.monotonicMs()
    expect((await get(url, {}, { timeoutMs: 50 })).error).toBe('timeout')
    expect((await get(url)).status).toBe(200)
    expect(systemClock.monotonicMs() - startedMs).toBeGreaterThan(1_000)
  },
  drip: async () => {
    const answer = await get(world.faultUrl('drip', { delayMs: 20 }), {}, { maxBytes: 160 })
    expect(answer).toMatchObject({ status: 200, error: 'enough' })
    expect(answer.body.length).toBeLessThan(200)
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(1000)
  },
  stall: async () => {
    const answer = await get(world.faultUrl('stall'), {}, { timeoutMs: 3_000 })
    expect(answer).toMatchObject({ complete: false, error: expect.stringMatching(/timeout|ECONNRESET/) })
    expect(answer.body.length).toBeGreaterThan(1000)
  },
  '429': () => status(429, '429'),
  '429-seconds': async () => {
    expect((await get(world.faultUrl('429-seconds', { retryAfterS: 9 }))).headers['retry-after']).toBe('9')
    await status(429, '429-seconds')
  },
  '429-date': async () => {
    const { headers } = await get(world.faultUrl('429-date', { retryAfterS: 60 }))
    const waitMs = Date.parse(String(headers['retry-after'])) - systemClock.now()
    // Less by what the answer took to come.
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThan(61_000)
    await status(429, '429-date')
  },
  '503': async () => {
    expect((await status(503, '503')).headers['retry-after']).toBe('120')
  },
  '503-date': async () => {
    expect(Date.parse(String((await status(503, '503-date')).headers['retry-after']))).toBeGreaterThan(
      systemClock.now(),
    )
  },
  '500': () => status(500, '500'),
  '403': () => status(403, '403'),
  '404': () => status(404, '404'),
  '410': () => status(410, '410'),
  '401': async () => {
    expect((await status(401, '401')).headers['www-authenticate']).toMatch(/^Basic /)
    const authorization = `Basic ${Buffer.from('reader:secret').toString('base64')}`
    expect((await get(world.faultUrl('401'), { authorization })).status).toBe(200)
  },
  truncated: async () => {
    const answer = await get(world.faultUrl('truncated'))
    expect(answer).toMatchObject({ status: 200, complete: false, error: 'ECONNRESET' })
    expect(answer.body.length).toBeLessThan(Number(answer.headers['content-length']))
  },
  'cut-xml': async () => {
    const answer = await get(world.faultUrl('cut-xml'))
    expect(answer).toMatchObject({ status: 200, complete: true })
    expect(answer.body.toString()).not.toContain('</rss>')
  },
  'gzip-bomb': async () => {
    const answer = await get(world.faultUrl('gzip-bomb', { sizeBytes: 8 * 1024 * 1024 }))
    expect(answer.complete).toBe(true)
    expect(answer.body.length).toBeLessThan(100_000)
    expect(gunzipSync(answer.body).length).toBeGreaterThan(8 * 1024 * 1024)
  },
  'bad-gzip': async () => {
    const answer = await get(world.faultUrl('bad-gzip'))
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(() => gunzipSync(answer.body)).toThrow()
  },
  deep: async () => {
    const { body } = await get(world.faultUrl('deep'))
    expect(body.toString().split('<b>').length).toBe(100_001)
  },
  'entity-bomb': async () => {
    const { body } = await get(world.faultUrl('entity-bomb'))
    expect(body.toString()).toContain('&e9;')
    expect(body.length).toBeLessThan(2_000)
  },
  'redirect-loop': async () => {
    const visited = await follow(world.faultUrl('redirect-loop'), 6)
    expect(new Set(visited.urls).size).toBe(3)
    expect(visited.last.status).toBe(302)
  },
  'redirect-chain': async () => {
    const visited = await follow(world.faultUrl('redirect-chain', { hops: 7 }), 20)
    expect(visited.urls).toHaveLength(8)
    expect(visited.last.status).toBe(200)
    expect((await follow(world.faultUrl('redirect-chain'), 25)).last.status).toBe(302)
  },
  'redirect-private': async () => {
    const { headers } = await status(302, 'redirect-private')
    expect(new URL(String(headers['location'])).hostname).toBe('169.254.169.254')
  },
  'redirect-nowhere': async () => {
    expect((await status(302, 'redirect-nowhere')).headers['location']).toBeUndefined()
  },
  '301': () => expectMoved(301, '301'),
  '308': () => expectMoved(308, '308'),
  '302': () => expectMoved(302, '302'),
  'wrong-charset': async () => {
    const { headers, body } = await get(world.faultUrl('wrong-charset'))
    expect(headers['content-type']).toContain('utf-8')
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow()
    expect(body.toString('latin1')).toContain('Zürich')
  },
  endless: async () => {
    const answer = await get(world.faultUrl('endless'), {}, { maxBytes: 20 * 1024 * 1024 })
    expect(answer.error).toBe('enough')
    expect(answer.body.length).toBeGreaterThanOrEqual(20 * 1024 * 1024)
  },
  reset: async () => {
    expect((await get(world.faultUrl('reset'))).error).toBe('ECONNRESET')
  },
  'reset-body': async () => {
    expect(await get(world.faultUrl('reset-body'))).toMatchObject({ complete: false, error: 'ECONNRESET' })
  },
  empty: async () => {
    expect((await status(200, 'empty')).body).toHaveLength(0)
  },
  html: async () => {
    const { headers, body } = await get(world.faultUrl('html'))
    expect(headers['content-type']).toContain('text/html')
    expect(body.toString()).not.toContain('alternate')
  },
  'not-http': async () => {
    const head = `GET /feed.xml HTTP/1.1\r\nhost: fault-not-http.localhost\r\n\r\n`
    expect(await rawAnswer(world.port, head)).toMatch(/^220 /)
  },
  flapping: async () => {
    const url = world.faultUrl('flapping', { failures: 1, of: 2 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await get(url)).status)
    expect(statuses).toEqual([500, 200, 500, 200])
  },
  hang: async () => {
    expect((await get(world.faultUrl('hang'), {}, { timeoutMs: 50 })).error).toBe('timeout')
    const answer = await get(world.faultUrl('hang', { delayMs: 100 }))
    expect(answer).toMatchObject({ complete: false, error: 'ECONNRESET' })
  },
  pdf: async () => {
    const { headers, body } = await get(world.faultUrl('pdf'))
    expect(headers['content-type']).toBe('application/pdf')
    expect(body.toString('latin1')).toMatch(/^%PDF/)
  },
}

describe('each fault, as a raw client sees it', () => {
  it.each(Object.keys(FAULTS) as FaultName[])('%s', async (name) => {
    await SEEN[name]()
  })
})

describe('faults', () => {
  it('come and go on any feed while the world runs', async () => {
    const ask = async () => (await get(world.feedUrl(1))).status
    expect(await ask()).toBe(200)
    world.setFault(1, '410')
    expect(await ask()).toBe(410)
    world.setFault(1, { name: 'flapping', failures: 1, of: 3 })
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([500, 200, 200, 500])
    world.setFault(1, null)
    expect(await ask()).toBe(200)
  })

  it('of one host leave the others alone', async () => {
    const order: string[] = []
    const slow = get(world.faultUrl('slow-headers', { delayMs: 3_000 })).then(() => order.push('slow'))
    const other = get(world.feedUrl(0)).then(({ status }) => order.push(`other ${status}`))
    await Promise.all([slow, other])
    expect(order).toEqual(['other 200', 'slow'])
  })

  it('do not keep a closing world waiting', async () => {
    const short = await startWorld({ feeds: 1 })
    const faults = ['slow-headers', 'drip', 'stall', 'endless'] as const
    const pending = faults.map((name) => get(short.faultUrl(name)))
    const countRequests = () => Object.values(short.stats().hosts).reduce((sum, host) => sum + host.requests, 0)
    await expect.poll(countRequests).toBe(faults.length)
    // None of them ends by itself: this would wait for ever.
    await short.close()
    for (const answer of await Promise.all(pending)) expect(answer.complete).toBe(false)
  })

  it('count cut-off answers as such', async () => {
    const { hosts } = world.stats()
    expect(hosts['fault-reset.localhost']?.statuses).toEqual({ aborted: 1 })
    expect(hosts['fault-404.localhost']).toMatchObject({ requests: 1, statuses: { 404: 1 } })
  })
})

async function status(expected: number, name: FaultName): Promise<WorldAnswer> {
  const answer = await get(world.faultUrl(name))
  expect(answer.status).toBe(expected)
  return answer
}

async function expectMoved(expected: number, name: FaultName): Promise<void> {
  const { headers } = await status(expected, name)
  expect((await get(String(headers['location']))).status).toBe(200)
}

async function follow(url: string, hops: number): Promise<{ urls: string[]; last: WorldAnswer }> {
  const urls = [url]
  let last = await get(url)
  for (let hop = 0; hop < hops && last.headers['location'] !== undefined; hop++) {
    const next = new URL(String(last.headers['location']), urls.at(-1)).href
    urls.push(next)
    last = await get(next)
  }
  return { urls, last }
}
