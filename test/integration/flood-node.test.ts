import { afterEach, describe, expect, it } from 'vitest'
import { feedUrl } from '../../lab/live/feed-documents.ts'
import { SESSION_COOKIE, secretHash } from '../../src/api/access/principal.ts'
import type { RunningNode } from '../../src/app/node.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import { NO_ORIGIN } from '../../src/store/accounts.ts'
import { onNode } from '../settings/one-node.ts'
import { virtualCrawl } from '../settings/virtual-crawl.ts'
import { freshFeed } from '../support/fresh-feed.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** As its owner. */
async function asker({ url, data }: RunningNode, now: number) {
  const [owner] = await data.store.users()
  await data.store.openSession(
    { hash: secretHash('s'), userId: owner!.id, endsAt: now + DAY_MS, origin: NO_ORIGIN },
    now,
  )
  const headers = { cookie: `${SESSION_COOKIE}=s`, 'content-type': 'application/json', 'x-headwater': '1' }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...sent })
    return path === '/metrics' ? answer.text() : answer.json()
  }
}

describe('a node that follows a flood', () => {
  it('raises an alarm, leaves it alone until the day turns, and takes everything once a person allows it', async () => {
    const site = await startServer((_, response) => response.end(freshFeed(30, `look${site.requests.length}`)))
    closing.push(() => site.close())
    await onNode({ minInterval: 100, budget: '6000/min' }, async ({ node, clock }) => {
      const { store } = node.data
      const ask = await asker(node, clock.now())
      const codes = async () => (await ask('GET', '/api/health')).alarms.map(({ code }: { code: string }) => code)
      const settings = { url: site.url('/'), intervalMs: 1_000, dailyAllowance: 40 }
      const [added] = await store.addSources([withSourceDefaults(settings)], clock.now())
      const { id } = added!.source
      const path = `/api/sources/${id}`
      expect(await eventually(async () => (await codes()).includes('SOURCE_FLOODING'))).toBe(true)
      expect(await ask('GET', path)).toMatchObject({
        condition: 'flooding',
        items: 70,
        dailyAllowance: 40,
        intake: { allowance: 40, taken: 40, refused: 20 },
        refusal: { items: 20, allowance: 40 },
      })
      expect((await ask('GET', '/api/sources?condition=flooding')).total).toBe(1)
      expect((await ask('GET', '/api/overview')).trouble).toMatchObject([{ id, condition: 'flooding' }])
      expect((await ask('GET', '/api/health')).alarms[0].detail).toContain(`source ${id}, Flood: 20 items today`)
      const metrics = await ask('GET', '/metrics')
      expect(metrics).toContain('headwater_flooding_sources 1')
      expect(metrics).toContain('headwater_refused_items_today 20')

      const before = site.requests.length
      await clock.sleep(2_500)
      expect(site.requests.length).toBe(before)

      await ask('PATCH', path, { dailyAllowance: 'off' })
      expect(await eventually(async () => site.requests.length > before + 1)).toBe(true)
      expect(await eventually(async () => (await codes()).length === 0)).toBe(true)
      expect(await ask('GET', path)).toMatchObject({
        condition: expect.stringMatching(/active|saturated/),
        refusal: null,
      })
    })
  })
})

describe('the schedule of others', () => {
  /** Ten sources, the first of which may flood; requests for each in the last two of three days. */
  async function requests(floods: boolean): Promise<number[]> {
    let looks = 0
    const { refreshes } = await virtualCrawl({
      everyMs: Array.from({ length: 10 }, () => HOUR_MS),
      runMs: 3 * DAY_MS,
      flags: { budget: '120/day', minInterval: '5min' },
      fetcher: (_clock, usual) => ({
        ...usual,
        fetch: async (request) => {
          const answer = await usual.fetch(request)
          if (!floods || request.url !== feedUrl(0) || answer.kind === 'failed') return answer
          const body = Buffer.from(freshFeed(6_000, `look${looks++}`))
          const common = { ...answer, body, contentType: null, etag: null, lastModified: null, bytes: body.length }
          return { ...common, kind: 'content', status: 200 }
        },
      }),
    })
    const late = refreshes.filter(({ ms }) => ms >= DAY_MS)
    return Array.from({ length: 10 }, (_, index) => late.filter(({ id }) => id === index + 1).length)
  }

  it('is not disturbed: a flood costs a request a day, and what it would have had goes to them', async () => {
    const [usual, ...othersWithout] = await requests(false)
    const [flood, ...othersBeside] = await requests(true)
    expect(usual).toBeGreaterThan(10)
    expect(flood).toBeLessThanOrEqual(3)
    const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
    expect(sum(othersBeside)).toBeGreaterThanOrEqual(sum(othersWithout))
  })
})
