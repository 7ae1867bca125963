import { describe, expect, it } from 'vitest'
import type { HubOverview } from '../../src/api/operations/wire.ts'
import { DAY_MS } from '../../src/model/index.ts'
import { fastClock } from '../support/fast-clock.ts'
import { eventually } from '../support/patience.ts'
import { ownerCookie, signedWith } from './hub-answers.ts'
import { onSubscriberStage, type SubscriberStage } from './subscriber-stage.ts'

describe('published feeds name their hub (WebSub §4)', () => {
  it('in Link headers, in RSS, Atom and JSON Feed, with the address that is the topic', () =>
    onSubscriberStage(async ({ hub, topic, privateTopic }) => {
      for (const format of ['rss', 'atom', 'json'] as const) {
        const answer = await fetch(topic(format))
        expect(answer.headers.get('link')).toBe(`<${hub}>; rel="hub", <${topic(format)}>; rel="self"`)
        const text = await answer.text()
        if (format === 'json') {
          expect(JSON.parse(text)).toMatchObject({ feed_url: topic('json'), hubs: [{ type: 'WebSub', url: hub }] })
        } else {
          const links = text.match(/<(?:atom:)?link [^>]*rel="(?:hub|self)"[^>]*>/g)?.slice(0, 2) ?? []
          expect(links.filter((link) => link.includes(`href="${hub}"`) && link.includes('rel="hub"'))).toHaveLength(1)
          expect(links.filter((link) => link.includes(`href="${topic(format)}"`))).toHaveLength(1)
        }
      }
      expect((await fetch(privateTopic)).headers.get('link')).toContain(`<${privateTopic}>; rel="self"`)
    }))
})

describe('a hub takes requests (WebSub §5)', () => {
  it('answers 202, then calls with mode, topic, challenge and lease behind what the callback has', () =>
    onSubscriberStage(async ({ post, topic, callback, calls, isSubscribed }) => {
      const fields = { 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.lease_seconds': '3600', other: 'ignored' }
      const answer = await post({ ...fields, 'hub.callback': callback('a?red=fish&hub.mode=mine') })
      expect([answer.status, await answer.text()]).toEqual([202, ''])
      expect(await eventually(() => isSubscribed('a?red=fish&hub.mode=mine'))).toBe(true)
      const [verification] = calls('a', 'GET')
      expect(verification?.url).toMatch(/^\/cb\/a\?red=fish&hub\.mode=mine&hub\.mode=subscribe&hub\.topic=/)
      const { query } = verification ?? { query: new URLSearchParams() }
      expect(query.getAll('hub.mode')).toEqual(['mine', 'subscribe'])
      expect(query.get('hub.topic')).toBe(topic())
      expect(query.get('hub.lease_seconds')).toBe('3600')
      expect(query.get('hub.challenge')?.length).toBeGreaterThan(20)
    }))

  it('grants no lease for ever, and ten days where none is asked for', () =>
    onSubscriberStage(async ({ subscribe, calls }) => {
      await subscribe('a')
      await subscribe('b', { 'hub.lease_seconds': '999999999999' })
      await subscribe('c', { 'hub.lease_seconds': '1' })
      const leaseOf = (name: string) => calls(name, 'GET')[0]?.query.get('hub.lease_seconds')
      expect(['a', 'b', 'c'].map(leaseOf)).toEqual(['864000', '2592000', '300'])
    }))

  it('refuses what it cannot carry out with 4xx and says why', () =>
    onSubscriberStage(async ({ node, hub, post, topic, callback, calls }) => {
      const good = { 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.callback': callback('a') }
      const bad: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
        [{ ...good, 'hub.mode': 'publish' }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.callback': 'ftp://x/' }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.callback': 'http://u:p@127.0.0.1/' }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.callback': '' }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.secret': 'x'.repeat(200) }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.lease_seconds': '-1' }, 400, 'HUB_REQUEST_INVALID'],
        [{ ...good, 'hub.callback': 'http://10.0.0.1/cb' }, 422, 'FETCH_ADDRESS_REFUSED'],
        [{ ...good, 'hub.topic': 'https://elsewhere.example/feed' }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/source/99.rss` }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/category/None.rss` }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/all.rss?more=1` }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/nothing.rss` }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/own.rss` }, 404, 'HUB_TOPIC_UNKNOWN'],
        [{ ...good, 'hub.topic': `${node.url}/feeds/own.rss?token=guess` }, 404, 'HUB_TOPIC_UNKNOWN'],
      ]
      for (const [fields, status, code] of bad) {
        const answer = await post(fields)
        expect([fields, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
          fields,
          status,
          code,
        ])
      }
      const twice = await fetch(hub, {
        method: 'POST',
        body: new URLSearchParams([...Object.entries(good), ['hub.topic', topic('atom')]]),
      })
      expect(twice.status).toBe(400)
      const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
      expect((await fetch(hub, json)).status).toBeGreaterThanOrEqual(400)
      const large = new URLSearchParams({ ...good, pad: 'x'.repeat(20_000) })
      expect((await fetch(hub, { method: 'POST', body: large })).status).toBe(400)
      expect(calls('a')).toEqual([])
    }))

  it('limits floods of one address', () =>
    onSubscriberStage(async ({ post }) => {
      const statuses = await Promise.all(Array.from({ length: 70 }, async () => (await post({})).status))
      expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    }))

  it('limits the verifications of one host, whose callbacks hang', () =>
    onSubscriberStage(async ({ post, topic, callback, answer, calls }) => {
      const open: (() => void)[] = []
      const statuses: number[] = []
      for (let n = 0; n < 12; n++) {
        answer(`h${n}`, (_call, response) => open.push(() => response.end('late')))
        const fields = { 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.callback': callback(`h${n}`) }
        statuses.push((await post(fields)).status)
      }
      expect(statuses).toEqual([...Array(8).fill(202), ...Array(4).fill(429)])
      expect(await eventually(() => calls('h').length > 3)).toBe(true)
      for (const end of open) end()
    }))
})

describe('a hub shows who has subscribed, and what it has refused', () => {
  it('to the owner; secrets in callbacks stay out of it', () =>
    onSubscriberStage(async ({ node, subscribe, post, callback, publish, answer, calls, hub }) => {
      await subscribe('secret-path', { 'hub.secret': 'hush' })
      answer('secret-path', (_call, response) => response.writeHead(503).end())
      await post({
        'hub.mode': 'subscribe',
        'hub.topic': `${node.url}/feeds/nothing.rss`,
        'hub.callback': callback('b'),
      })
      await publish('second')
      expect(await eventually(() => calls('secret-path', 'POST').length === 1)).toBe(true)
      const cookie = await ownerCookie(node.url)
      const show = async () =>
        (await (await fetch(`${node.url}/api/hub`, { headers: { cookie } })).json()) as HubOverview
      expect(await eventually(async () => (await show()).feeds[0]?.failing === 1)).toBe(true)
      const shown = await show()
      expect(shown).toMatchObject({
        url: hub,
        feeds: [{ feed: 'news', subscribers: 1, failing: 1 }],
        subscribers: [{ feed: 'news', format: 'rss', host: new URL(callback('')).host, failureCount: 1 }],
        refused: [{ door: 'hub', code: 'HUB_TOPIC_UNKNOWN', count: 1 }],
      })
      expect(JSON.stringify(shown)).not.toMatch(/secret-path|hush/)
      const metrics = await (await fetch(`${node.url}/metrics`)).text()
      expect(metrics).toContain('headwater_refused_calls_total{door="hub",code="HUB_TOPIC_UNKNOWN"} 1')
      expect((await fetch(`${node.url}/api/hub`)).status).toBe(401)
    }))
})

describe('a hub verifies intent (WebSub §5.3)', () => {
  it('and takes only a success that gives the challenge back', () =>
    onSubscriberStage(async ({ answer, post, topic, callback, calls, isSubscribed, subscribe }) => {
      const wrong: Readonly<Record<string, Parameters<SubscriberStage['answer']>[1]>> = {
        notfound: ({ query }, response) => response.writeHead(404).end(query.get('hub.challenge')),
        moved: (_call, response) => response.writeHead(302, { location: callback('elsewhere') }).end(),
        other: (_call, response) => response.end('something else'),
        longer: ({ query }, response) => response.end(`${query.get('hub.challenge')} `),
      }
      for (const [name, how] of Object.entries(wrong)) {
        answer(name, how)
        await post({ 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.callback': callback(name) })
        expect(await eventually(() => calls(name).length > 0)).toBe(true)
      }
      await subscribe('right')
      for (const name of [...Object.keys(wrong), 'elsewhere'])
        expect([name, await isSubscribed(name)]).toEqual([name, false])
      expect(calls('elsewhere')).toEqual([])
    }))

  it('of an end likewise: a stranger cannot unsubscribe others', () =>
    onSubscriberStage(async ({ subscribe, post, topic, callback, calls, answer, isSubscribed }) => {
      await subscribe('a')
      const end = { 'hub.mode': 'unsubscribe', 'hub.topic': topic(), 'hub.callback': callback('a') }
      answer('a', (_call, response) => response.writeHead(404).end())
      expect((await post(end)).status).toBe(202)
      expect(await eventually(() => calls('a', 'GET').length === 2)).toBe(true)
      expect(calls('a')[1]?.query.get('hub.mode')).toBe('unsubscribe')
      expect(await isSubscribed('a')).toBe(true)
      answer('a', ({ query }, response) => response.end(query.get('hub.challenge')))
      await post(end)
      expect(await eventually(async () => !(await isSubscribed('a')))).toBe(true)
    }))

  it('again for a renewal, which overrides secret and lease only once it is verified', () =>
    onSubscriberStage(async ({ node, subscribe, post, topic, callback, calls, answer, publish }) => {
      await subscribe('a', { 'hub.secret': 'one', 'hub.lease_seconds': '600' })
      const renewal = { 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.callback': callback('a') }
      answer('a', (_call, response) => response.writeHead(404).end())
      await post({ ...renewal, 'hub.secret': 'forged' })
      expect(await eventually(() => calls('a', 'GET').length === 2)).toBe(true)
      answer('a', ({ query }, response) => response.end(query.get('hub.challenge') ?? ''))
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(signedWith(calls('a', 'POST')[0], 'one')).toBe(true)
      await post({ ...renewal, 'hub.secret': 'two', 'hub.lease_seconds': '864000' })
      expect(await eventually(() => calls('a', 'GET').length === 3)).toBe(true)
      expect(
        await eventually(async () => (await node.data.store.endLapsedHubSubscriptions(Date.now() + DAY_MS)) === 0),
      ).toBe(true)
      await publish('third')
      expect(await eventually(() => calls('a', 'POST').length === 2)).toBe(true)
      expect(signedWith(calls('a', 'POST')[1], 'two')).toBe(true)
    }))

  it('and ends a subscription with its lease', () =>
    onSubscriberStage(
      async ({ subscribe, isSubscribed, publish, calls }) => {
        await subscribe('short', { 'hub.lease_seconds': '300' })
        await subscribe('long', { 'hub.lease_seconds': '864000' })
        // Nobody but the node ends it.
        expect(await eventually(async () => !(await isSubscribed('short')))).toBe(true)
        expect(await isSubscribed('long')).toBe(true)
        await publish('after the lease')
        expect(await eventually(() => calls('long', 'POST').some(({ body }) => body.includes('after the lease')))).toBe(
          true,
        )
        expect(calls('short', 'POST')).toEqual([])
      },
      {},
      fastClock(60),
    ))
})

describe('a hub distributes content (WebSub §7)', () => {
  it('as the topic has it: whole, with its type, and links to hub and topic', () =>
    onSubscriberStage(async ({ hub, topic, subscribe, callback, calls, publish, post, isSubscribed }) => {
      await subscribe('rss')
      await post({ 'hub.mode': 'subscribe', 'hub.topic': topic('json'), 'hub.callback': callback('json') })
      await eventually(() => isSubscribed('json', 'json'))
      await publish('second')
      for (const format of ['rss', 'json'] as const) {
        expect(await eventually(() => calls(format, 'POST').length === 1)).toBe(true)
        const sent = calls(format, 'POST')[0]
        const feed = await fetch(topic(format))
        expect(sent?.body.toString()).toBe(await feed.text())
        expect(sent?.body.toString()).toContain('second')
        expect(sent?.headers['content-type']).toBe(feed.headers.get('content-type'))
        expect(sent?.headers['link']).toBe(`<${hub}>; rel="hub", <${topic(format)}>; rel="self"`)
        expect(sent?.headers['x-hub-signature']).toBeUndefined()
      }
    }))

  it('signed where there is a secret', () =>
    onSubscriberStage(async ({ subscribe, calls, publish }) => {
      await subscribe('a', { 'hub.secret': 'ségrét' })
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(signedWith(calls('a', 'POST')[0], 'ségrét')).toBe(true)
    }))

  it('tries again after failures and redirects, ends at 410, and keeps the others', () =>
    onSubscriberStage(async ({ node, subscribe, callback, calls, answer, publish, isSubscribed }) => {
      for (const name of ['fails', 'moved', 'gone', 'fine']) await subscribe(name)
      answer('fails', (_call, response) => response.writeHead(500).end())
      answer('moved', (_call, response) => response.writeHead(301, { location: callback('x') }).end())
      answer('gone', (_call, response) => response.writeHead(410).end())
      await publish('second')
      for (const name of ['fails', 'moved', 'gone', 'fine'])
        expect(await eventually(() => calls(name, 'POST').length === 1)).toBe(true)
      expect(await eventually(async () => !(await isSubscribed('gone')))).toBe(true)
      const later = Date.now() + DAY_MS
      const behind = () => node.data.store.hubSubscriptionsBehind(later, { afterId: 0, limit: 9 })
      expect(await eventually(async () => (await behind()).every(({ failureCount }) => failureCount === 1))).toBe(true)
      expect((await behind()).map(({ output }) => output.url)).toEqual([callback('fails'), callback('moved')])
      expect(calls('x')).toEqual([])
      answer('fails', (_call, response) => response.writeHead(204).end())
      // Its pause is over at once, as a day later.
      const [first] = await behind()
      await node.data.store.recordHubDelivery(first?.id ?? 0, { kind: 'failed', error: 'x', nextAttemptAt: 0 })
      expect(await eventually(() => calls('fails', 'POST').length === 2)).toBe(true)
      expect(calls('fine', 'POST')).toHaveLength(1)
    }))

  it('also where an item was edited and nothing is new', () =>
    onSubscriberStage(async ({ subscribe, calls, edit, publish }) => {
      await subscribe('a')
      await edit('first, corrected')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(calls('a', 'POST')[0]?.body.toString()).toContain('first, corrected')
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').length === 2)).toBe(true)
      expect(calls('a', 'POST')[1]?.body.toString()).toContain('second')
    }))

  it('of a private feed to who has its token, until that is taken back: then it says so', () =>
    onSubscriberStage(async ({ node, post, privateTopic, callback, calls, publish }) => {
      const { store } = node.data
      await post({ 'hub.mode': 'subscribe', 'hub.topic': privateTopic, 'hub.callback': callback('a') })
      const own = await store.queryFeed('own')
      const output = { kind: 'websub', url: callback('a'), format: 'rss' } as const
      const isKnown = async () => (await store.hubCrowd(own?.id ?? 0, output)).isKnown
      expect(await eventually(isKnown)).toBe(true)
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(calls('a', 'POST')[0]?.headers['link']).toContain(`<${privateTopic}>; rel="self"`)
      const [token] = await store.feedTokens(own?.id ?? 0)
      await store.removeFeedToken(token?.id ?? 0)
      await publish('third')
      expect(await eventually(async () => !(await isKnown()))).toBe(true)
      expect(calls('a', 'POST')).toHaveLength(1)
      const denial = calls('a', 'GET').at(-1)?.query
      expect([denial?.get('hub.mode'), denial?.get('hub.topic')]).toEqual(['denied', privateTopic])
    }))
})
