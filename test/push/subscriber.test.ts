import { describe, expect, it } from 'vitest'
import { eventually } from '../support/patience.ts'
import { onHubStage, rss, type StageOptions } from './hub-stage.ts'

const BASE_HUB = (base: string) => `${base}/hub`

describe('a subscriber finds hub and topic (WebSub §4)', () => {
  const WAYS: readonly (readonly [string, StageOptions])[] = [
    [
      'in the Link header',
      { channel: () => '', headers: (base) => ({ link: `<${base}/hub>; rel="hub", <${base}/feed>; rel="self"` }) },
    ],
    [
      'in Atom',
      {
        document: (base, guids) =>
          `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="hub" href="${base}/hub"/><link rel="self" href="${base}/feed"/>${guids.map((id) => `<entry><id>${id}</id><title>${id}</title></entry>`).join('')}</feed>`,
      },
    ],
    [
      'in JSON Feed',
      {
        document: (base, guids) =>
          JSON.stringify({
            version: 'https://jsonfeed.org/version/1.1',
            title: 'T',
            feed_url: `${base}/feed`,
            hubs: [{ type: 'WebSub', url: `${base}/hub` }],
            items: guids.map((id) => ({ id, content_text: id })),
          }),
      },
    ],
    [
      'in the header before the document',
      {
        channel: (base) => `<atom:link rel="hub" href="${base}/other"/>`,
        headers: (base) => ({ link: `<${base}/hub>; rel=hub, <${base}/feed>; rel=self` }),
      },
    ],
  ]
  it.each(WAYS)('%s', async (_, options) => {
    await onHubStage(options, async ({ forms, subscription, feedUrl }) => {
      expect(await eventually(() => forms.length > 0)).toBe(true)
      const base = feedUrl.replace('/feed', '')
      expect(await subscription()).toMatchObject({ kind: 'websub', hub: BASE_HUB(base), topic: feedUrl })
    })
  })

  it('subscribes to nothing where no hub is named', async () => {
    await onHubStage({ channel: () => '' }, async ({ node, fetches }) => {
      expect(await eventually(() => fetches.length > 0)).toBe(true)
      expect(await eventually(async () => (await node.data.store.counts()).observations > 0)).toBe(true)
      expect(await node.data.store.pushes({ limit: 1 })).toEqual([])
    })
  })
})

describe('a subscriber subscribes (WebSub §5)', () => {
  it('with mode, topic, a callback that cannot be guessed, a lease and a secret; verified, it is active', async () => {
    await onHubStage({}, async ({ node, forms, verify, subscription, feedUrl }) => {
      const answer = await verify()
      expect([answer.status, await answer.text()]).toEqual([200, 'c h&<'])
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      const form = Object.fromEntries(forms[0] ?? [])
      const { key, secret, status, leaseEndsAt, nextAt } = await subscription()
      expect(form).toEqual({
        'hub.mode': 'subscribe',
        'hub.topic': feedUrl,
        'hub.callback': `${node.url}/push/${key}`,
        'hub.lease_seconds': '86400',
        'hub.secret': secret,
      })
      expect(Buffer.from(key, 'base64url')).toHaveLength(24)
      expect(Buffer.byteLength(secret ?? '')).toBeLessThan(200)
      expect(status).toBe('active')
      expect((leaseEndsAt ?? 0) - nextAt).toBe(15 * 60_000)
    })
  })

  it('names the public address where it is behind a proxy', async () => {
    // A hub that only this machine reaches could not be subscribed to from there, nor could that of this stage.
    await onHubStage({ flags: { publicUrl: 'http://127.0.0.1:9/headwater/' } }, async ({ forms, subscription }) => {
      expect(await eventually(() => forms.length > 0)).toBe(true)
      expect(forms[0]?.get('hub.callback')).toBe(`http://127.0.0.1:9/headwater/push/${(await subscription()).key}`)
    })
  })

  it('and confirms no other topic or mode, and nothing without a challenge', async () => {
    await onHubStage({}, async ({ verify, subscription }) => {
      const others = [{ 'hub.topic': 'http://other.example/' }, { 'hub.mode': 'unsubscribe' }, { 'hub.challenge': '' }]
      for (const changes of others) expect((await verify(changes)).status).toBe(404)
      expect((await subscription()).status).toBe('pending')
    })
  })

  it('and follows a hub that has moved, but not to where the guard forbids', async () => {
    const moved: StageOptions['hub'] = (request, response) =>
      request.url === '/hub' ? response.writeHead(307, { location: '/hub2' }).end() : response.writeHead(202).end()
    await onHubStage({ hub: moved }, async ({ forms, verify }) => {
      expect(await eventually(() => forms.length > 1)).toBe(true)
      expect(forms[1]?.toString()).toBe(forms[0]?.toString())
      expect((await verify()).status).toBe(200)
    })
    const inside: StageOptions['hub'] = (_request, response) =>
      response.writeHead(307, { location: 'http://10.0.0.1/' }).end()
    await onHubStage({ hub: inside }, async ({ subscription }) => {
      expect(await eventually(async () => (await subscription()).failures > 0)).toBe(true)
      expect(await subscription()).toMatchObject({
        status: 'lapsed',
        lastError: expect.stringContaining('FETCH_ADDRESS_REFUSED'),
      })
    })
  })

  it('and takes a denial, before and after it was active', async () => {
    await onHubStage({}, async ({ verify, subscription, push }) => {
      expect((await verify({ 'hub.mode': 'denied' })).status).toBe(200)
      expect(await subscription()).toMatchObject({ status: 'lapsed', lastError: expect.stringContaining('no reason') })
      expect((await verify()).status).toBe(200)
      expect((await subscription()).status).toBe('active')
      // Of another topic, which is not denied.
      expect((await verify({ 'hub.mode': 'denied', 'hub.topic': 'http://other.example/' })).status).toBe(404)
      expect((await subscription()).status).toBe('active')
      expect((await push('still active')).status).toBe(202)
      expect((await verify({ 'hub.mode': 'denied', 'hub.reason': 'no more' })).status).toBe(200)
      expect(await subscription()).toMatchObject({ status: 'lapsed', lastError: 'the hub refuses: no more' })
    })
  })

  it('and renews with the same key and secret, active meanwhile', async () => {
    await onHubStage({}, async ({ node, verify, forms, subscription }) => {
      await verify()
      const { key } = await subscription()
      await node.data.store.changePush(key, { nextAt: 0 }, Date.now())
      expect(await eventually(() => forms.length > 1)).toBe(true)
      expect(forms[1]?.toString()).toBe(forms[0]?.toString())
      expect((await subscription()).status).toBe('active')
    })
  })
})

describe('a subscriber takes what a hub distributes (WebSub §7)', () => {
  it('signed with sha1, sha256, sha384 or sha512: it fetches the feed', async () => {
    await onHubStage({}, async ({ verify, push, publish, items, node, subscription }) => {
      await verify()
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      for (const [index, method] of ['sha1', 'sha256', 'sha384', 'sha512'].entries()) {
        publish(method)
        expect((await push(`anything ${index}`, { method })).status).toBe(202)
        expect(await eventually(async () => (await items()) === index + 2)).toBe(true)
      }
      const { sourceId, pushes } = await subscription()
      expect(pushes).toBe(4)
      expect(await node.data.store.decisions(sourceId, 1)).toMatchObject([{ cause: 'push', newItems: 1 }])
    })
  })

  it('ignores what is forged, unsigned or a repetition, and counts it; the answer does not tell', async () => {
    await onHubStage({}, async ({ verify, push, fetches, subscription, items }) => {
      await verify()
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      const before = fetches.length
      const bad = [
        { secret: 'guess' },
        { signature: null },
        { signature: 'md5=00' },
        { signature: 'sha256=' },
        { signature: 'sha256=zz' },
      ]
      for (const options of bad) expect((await push('forged', options)).status).toBe(202)
      expect(await subscription()).toMatchObject({ pushes: 0, refused: bad.length })
      expect(fetches).toHaveLength(before)
      await push('news')
      expect(await eventually(() => fetches.length === before + 1)).toBe(true)
      for (let n = 0; n < 3; n++) expect((await push('news')).status).toBe(202)
      expect(await subscription()).toMatchObject({ pushes: 1, repeated: 3 })
      expect(fetches).toHaveLength(before + 1)
    })
  })

  it('says 410 to what it has not asked for, and 429 to a flood, without reading', async () => {
    await onHubStage({}, async ({ node, verify, push, subscription }) => {
      await verify()
      const unknown = [`/push/${'x'.repeat(32)}`, '/push/short', `/push/${'%2e'.repeat(10)}`]
      for (const path of unknown) {
        const answer = await fetch(`${node.url}${path}`, { method: 'POST', body: 'x' })
        expect([path, answer.status]).toEqual([path, 410])
        expect((await fetch(`${node.url}${path}`)).status).toBe(404)
      }
      const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => push(`p${n}`)))
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
      const { key } = await subscription()
      const large = await fetch(`${node.url}/push/${key}`, { method: 'POST', body: Buffer.alloc(6 * 1024 ** 2) }).catch(
        () => null,
      )
      expect([413, 429, undefined]).toContain(large?.status)
    })
  })

  it('ends the subscription with its source', async () => {
    await onHubStage({}, async ({ node, verify, push, subscription }) => {
      await verify()
      const { sourceId, key } = await subscription()
      expect((await push('one')).status).toBe(202)
      await node.data.store.removeSource(sourceId)
      expect((await fetch(`${node.url}/push/${key}`, { method: 'POST', body: 'x' })).status).toBe(410)
    })
  })
})

describe('rssCloud, where a feed offers only that', () => {
  const cloud: StageOptions = {
    document: (base, guids) =>
      rss(
        `<cloud domain="127.0.0.1" port="${new URL(base).port}" path="/hub" registerProcedure="" protocol="http-post"/>`,
        guids,
      ),
  }
  it('registers, answers the challenge, and fetches after a ping that names the feed', async () => {
    await onHubStage(cloud, async ({ node, forms, subscription, publish, items, feedUrl }) => {
      expect(await eventually(() => forms.length > 0)).toBe(true)
      const { key, kind } = await subscription()
      expect(kind).toBe('rsscloud')
      const { port } = new URL(node.url)
      expect(Object.fromEntries(forms[0] ?? [])).toEqual({
        notifyProcedure: '',
        protocol: 'http-post',
        domain: '127.0.0.1',
        port,
        path: `/push/${key}`,
        url1: feedUrl,
      })
      const at = `${node.url}/push/${key}`
      const challenge = await fetch(`${at}?${new URLSearchParams({ url: feedUrl, challenge: 'abc' })}`)
      expect(await challenge.text()).toBe('abc')
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      publish('second')
      const ping = (url: string) => fetch(at, { method: 'POST', body: new URLSearchParams({ url }) })
      await ping('http://other.example/')
      expect(await subscription()).toMatchObject({ status: 'active', pushes: 0, refused: 1 })
      await ping(feedUrl)
      expect(await eventually(async () => (await items()) === 2)).toBe(true)
    })
  })
})
