import { describe, expect, it } from 'vitest'
import type { FetchOutcome } from '../crawler/fetch/fetcher.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { RobotsCache } from './robots-cache.ts'

const AGENT = 'Headwater/0.2 (feed aggregator)'

function file(text: string, maxAgeMs: number | null = null, expiresAt: number | null = null): FetchOutcome {
  return {
    kind: 'content',
    status: 200,
    body: new TextEncoder().encode(text),
    contentType: 'text/plain',
    etag: null,
    lastModified: null,
    finalUrl: 'https://a.example/robots.txt',
    permanentUrl: null,
    bytes: text.length,
    latencyMs: 1,
    hints: { maxAgeMs, expiresAt },
  }
}

function noFile(status: number | null): FetchOutcome {
  const code = status === null ? 'FETCH_CONNECT' : 'HTTP_CLIENT_ERROR'
  return { kind: 'failed', code, message: '', status, retryAt: null, host: 'a', bytes: 0, latencyMs: 1 }
}

/** A cache over one answer, with how often it was asked for. */
function cacheOver(answer: FetchOutcome) {
  let now = 0
  const requests: string[] = []
  const cache = new RobotsCache({
    async fetch(url) {
      requests.push(url)
      return answer
    },
    userAgent: AGENT,
    clock: { now: () => now },
  })
  const { signal } = new AbortController()
  return {
    cache,
    requests,
    ask: (url = 'https://a.example/page') => cache.ask(url, signal),
    passTo: (ms: number) => {
      now = ms
    },
  }
}

describe('what a site lets robots fetch', () => {
  it.each([
    ['', 'allowed'],
    ['User-agent: *\nDisallow:', 'allowed'],
    ['User-agent: *\nDisallow: /', 'disallowed'],
    ['User-agent: *\nDisallow: /page', 'disallowed'],
    ['User-agent: *\nDisallow: /other', 'allowed'],
    ['User-agent: *\nDisallow: /\nAllow: /page', 'allowed'],
    ['User-agent: headwater\nDisallow: /\n\nUser-agent: *\nDisallow:', 'disallowed'],
    ['User-agent: Headwater\nDisallow:\n\nUser-agent: *\nDisallow: /', 'allowed'],
    ['User-agent: *\nDisallow: /*age$', 'disallowed'],
    ['\ufeffUser-agent: *\r\nDisallow: /p', 'disallowed'],
    ['<html>404 but with status 200</html>', 'allowed'],
  ])('by %j is %s', async (text, expected) => {
    expect(await cacheOver(file(text)).ask()).toBe(expected)
  })

  it.each([
    [404, 'allowed'],
    [403, 'allowed'],
    [410, 'allowed'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
    [null, 'unreachable'],
  ] as const)('with status %s is %s (RFC 9309 §2.3.1)', async (status, expected) => {
    expect(await cacheOver(noFile(status)).ask()).toBe(expected)
  })

  it.each([
    ['as its headers say', file('', HOUR_MS), HOUR_MS],
    ['as Expires says', file('', null, 2 * HOUR_MS), 2 * HOUR_MS],
    ['a day where they say nothing', file(''), DAY_MS],
    ['a day at most', file('', 30 * DAY_MS), DAY_MS],
    ['a day without a file', noFile(404), DAY_MS],
    ['some minutes without an answer', noFile(null), 10 * MINUTE_MS],
  ])('is known for as long %s', async (_how, answer, lastsMs) => {
    const { ask, requests, passTo } = cacheOver(answer)
    for (const ms of [0, lastsMs - 1, lastsMs]) {
      passTo(ms)
      await ask()
    }
    expect(requests).toEqual(Array.from({ length: 2 }, () => 'https://a.example/robots.txt'))
  })

  it('is asked for at each origin, and known for so many', async () => {
    const { ask, requests, cache } = cacheOver(file('User-agent: *\nDisallow: /x'))
    await ask('https://a.example/1')
    await ask('https://a.example/2')
    await ask('http://a.example/1')
    await ask('https://a.example:8443/1')
    expect(requests).toHaveLength(3)
    for (let k = 0; k < 6_000; k++) await ask(`https://s${k}.example/`)
    expect(cache.size).toBe(5_000)
  })

  it('of ten megabytes takes the memory and the time of its beginning', async () => {
    const wild = Array.from({ length: 40 }, () => `Disallow: /${'*a'.repeat(200)}`).join('\n')
    const lines = `User-agent: *\nDisallow: /page\n${wild}\n`.padEnd(10_000_000, 'Disallow: /another/path\n')
    const { ask, cache } = cacheOver(file(lines))
    const before = process.cpuUsage()
    expect(await ask()).toBe('disallowed')
    expect(await ask(`https://a.example/${'a'.repeat(2_000)}`)).toBe('disallowed')
    for (let k = 0; k < 24; k++) await ask(`https://s${k}.example/`)
    expect(cache.size).toBeLessThan(20)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(30)
  })

  it('is not remembered of a request that was called off', async () => {
    const { cache, requests } = cacheOver(noFile(null))
    const ending = new AbortController()
    ending.abort()
    await cache.ask('https://a.example/', ending.signal)
    await cache.ask('https://a.example/', new AbortController().signal)
    expect(requests).toHaveLength(2)
  })
})
