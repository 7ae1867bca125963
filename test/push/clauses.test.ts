import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/patience.ts'
import { onHubStage, rss } from './hub-stage.ts'
import { onSubscriberStage } from './subscriber-stage.ts'

describe('what WebSub asks of a subscriber in passing', () => {
  it('asks as a form in UTF-8, for the topic that the feed names, wherever it was fetched', async () => {
    const types: (string | undefined)[] = []
    const channel = (base: string) =>
      `<atom:link rel="hub" href="${base}/hub"/><atom:link rel="self" href="${base}/canonical"/>`
    await onHubStage(
      {
        channel,
        hub: (request, response) => {
          types.push(request.headers['content-type'])
          response.writeHead(202).end()
        },
      },
      async ({ forms, feedUrl }) => {
        expect(await eventually(() => forms.length > 0)).toBe(true)
        expect(types[0]).toBe('application/x-www-form-urlencoded')
        expect(forms[0]?.get('hub.topic')).toBe(feedUrl.replace('/feed', '/canonical'))
      },
    )
  })

  it('prefers a hub over TLS where several are named', () =>
    onHubStage(
      {
        document: (base, guids) =>
          rss(`<atom:link rel="hub" href="${base}/hub"/><atom:link rel="hub" href="https://127.0.0.1:9/hub"/>`, guids),
      },
      async ({ subscription, forms }) => {
        expect((await subscription()).hub).toBe('https://127.0.0.1:9/hub')
        expect(forms).toEqual([])
      },
    ))

  it('gives challenges back as plain text that no browser runs, and none of any length', () =>
    onHubStage({}, async ({ verify }) => {
      const answer = await verify({ 'hub.challenge': '<script>' })
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await verify({ 'hub.challenge': 'x'.repeat(2_001) })).status).toBe(404)
    }))

  it('goes by its callback and the signature, whatever Link headers a push has', () =>
    onHubStage({}, async ({ node, verify, publish, items, subscription }) => {
      await verify()
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      publish('second')
      const { key, secret } = await subscription()
      const signature = `sha1=${createHmac('sha1', secret ?? '')
        .update('x')
        .digest('hex')}`
      const link = '<https://elsewhere.example/hub>; rel="hub", <https://elsewhere.example/feed>; rel="self"'
      const headers = { 'x-hub-signature': signature, link, 'content-type': 'text/html' }
      const answer = await fetch(`${node.url}/push/${key}`, { method: 'POST', body: 'x', headers })
      expect(answer.status).toBe(202)
      expect(await eventually(async () => (await items()) === 2)).toBe(true)
    }))
})

describe('what WebSub asks of a hub in passing', () => {
  it('ignores a lease in a request to end, right or wrong', () =>
    onSubscriberStage(async ({ subscribe, post, topic, callback, calls, isSubscribed }) => {
      await subscribe('a')
      const end = { 'hub.mode': 'unsubscribe', 'hub.topic': topic(), 'hub.callback': callback('a') }
      expect((await post({ ...end, 'hub.lease_seconds': 'for ever' })).status).toBe(202)
      expect(await eventually(async () => !(await isSubscribed('a')))).toBe(true)
      expect(calls('a', 'GET').at(-1)?.query.get('hub.lease_seconds')).toBeNull()
    }))

  it('sends to the address as it was given, with its query, and takes any success whatever it says', () =>
    onSubscriberStage(async ({ subscribe, calls, answer, publish }) => {
      const given = 'a?red=fish&blue=%20%2Ffish'
      await subscribe(given)
      answer('a', (_call, response) => response.writeHead(206).end('<error>no</error>'))
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(calls('a', 'POST')[0]?.url).toBe(`/cb/${given}`)
      await publish('third')
      expect(await eventually(() => calls('a', 'POST').length === 2)).toBe(true)
      expect(calls('a', 'POST').map(({ body }) => body.toString().includes('third'))).toEqual([false, true])
    }))

  it('gives each verification a challenge of its own, and signs no more once a renewal has no secret', () =>
    onSubscriberStage(async ({ subscribe, post, topic, callback, calls, publish }) => {
      await subscribe('a', { 'hub.secret': 'one' })
      await post({ 'hub.mode': 'subscribe', 'hub.topic': topic(), 'hub.callback': callback('a') })
      expect(await eventually(() => calls('a', 'GET').length === 2)).toBe(true)
      expect(new Set(calls('a', 'GET').map(({ query }) => query.get('hub.challenge'))).size).toBe(2)
      // The renewal is in force once its answer has come back to the hub.
      let messages = 0
      const isUnsigned = async () => {
        await publish(`item ${messages}`)
        messages++
        expect(await eventually(() => calls('a', 'POST').length >= messages)).toBe(true)
        return calls('a', 'POST').at(-1)?.headers['x-hub-signature'] === undefined
      }
      expect(await eventually(isUnsigned)).toBe(true)
    }))

  it('knows a topic however its letters are encoded', () =>
    onSubscriberStage(async ({ node, post, callback, calls, isSubscribed }) => {
      const given = `${node.url}/feeds/n%65ws.rss`
      const fields = { 'hub.mode': 'subscribe', 'hub.topic': given, 'hub.callback': callback('a') }
      expect((await post(fields)).status).toBe(202)
      expect(await eventually(() => isSubscribed('a'))).toBe(true)
      expect(calls('a', 'GET')[0]?.query.get('hub.topic')).toBe(given)
    }))
})
