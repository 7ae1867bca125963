import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/patience.ts'
import { type HubStage, onHubStage } from './hub-stage.ts'
import { type Call, onSubscriberStage, type SubscriberStage } from './subscriber-stage.ts'

/*
 * What others do at the other end, as their sources describe it: FreshRSS as a subscriber (p/api/pshb.php and the feed model, 2023),
 * Webubbub as a hub (its jobs, 2023), and Google's public hub by its report to the W3C (sha1, only what is new).
 */

describe('FreshRSS subscribes to the hub of this node', () => {
  it('without lease and secret, with a parameter of the old protocol; renews alike; goes with 410', () =>
    onSubscriberStage(async (stage) => {
      const { topic, calls, answer, publish, isSubscribed } = stage
      const reader = freshRss(stage)
      answer('pshb.php', reader.answer)
      expect((await reader.ask('subscribe')).status).toBe(202)
      expect(await eventually(() => isSubscribed(reader.callback))).toBe(true)
      // It counts on a hub only from its first push on, and on a lease of more than a minute.
      expect(reader.state()).toEqual({ leaseS: 864_000, works: false })
      await publish('second')
      expect(await eventually(() => reader.state().works)).toBe(true)
      const [message] = calls('pshb', 'POST')
      expect(message?.body.toString()).toContain(`href="${topic()}"`)
      expect(message?.headers['x-hub-signature']).toBeUndefined()
      expect((await reader.ask('subscribe')).status).toBe(202)
      expect(await eventually(() => calls('pshb', 'GET').length === 2)).toBe(true)
      reader.leave()
      await publish('third')
      expect(await eventually(async () => !(await isSubscribed(reader.callback)))).toBe(true)
    }))

  it('refuses an end that it did not ask for, and confirms its own', () =>
    onSubscriberStage(async (stage) => {
      const { calls, answer, isSubscribed } = stage
      const reader = freshRss(stage)
      answer('pshb.php', reader.answer)
      await reader.ask('subscribe')
      expect(await eventually(() => isSubscribed(reader.callback))).toBe(true)
      await reader.ask('unsubscribe', 'stranger')
      expect(await eventually(() => calls('pshb', 'GET').length === 2)).toBe(true)
      expect(await isSubscribed(reader.callback)).toBe(true)
      await reader.ask('unsubscribe')
      expect(await eventually(async () => !(await isSubscribed(reader.callback)))).toBe(true)
    }))
})

interface FreshRss {
  readonly callback: string
  ask(mode: 'subscribe' | 'unsubscribe', by?: 'stranger'): Promise<Response>
  answer(call: Call, response: Parameters<Parameters<SubscriberStage['answer']>[1]>[1]): void
  state(): { readonly leaseS: number | null; readonly works: boolean }
  /** The last of its users drops the feed. */
  leave(): void
}

function freshRss({ post, topic, callback }: SubscriberStage): FreshRss {
  const key = createHash('sha1').update('path and salt').digest('hex')
  const name = `pshb.php?k=${key}`
  let users = 1
  let leaseS: number | null = null
  let works = false
  return {
    callback: name,
    ask(mode, by) {
      // What it ends it holds for over.
      if (mode === 'unsubscribe' && by === undefined) leaseS = null
      const fields = { 'hub.verify': 'sync', 'hub.mode': mode, 'hub.topic': topic(), 'hub.callback': callback(name) }
      return post(fields)
    },
    answer({ method, query, body }, response) {
      const say = (status: number, text: string) =>
        response
          .writeHead(status, { 'content-type': 'text/plain; charset=UTF-8', 'x-content-type-options': 'nosniff' })
          .end(text)
      if (query.get('k') !== key) return void say(422, 'Invalid feed key format!')
      if (users === 0) return void say(410, 'Nobody subscribes to this feed anymore!')
      const challenge = query.get('hub.challenge') ?? ''
      if (query.get('hub.mode') === 'subscribe') {
        const granted = Number(query.get('hub.lease_seconds'))
        leaseS = granted > 60 ? granted : null
        response.setHeader('connection', 'close')
        return void say(200, challenge)
      }
      if (query.get('hub.mode') === 'unsubscribe') return void say(leaseS === null ? 200 : 422, challenge)
      if (method === 'POST' && body.length === 0) return void say(422, 'Missing XML payload!')
      works = true
      say(200, 'Done: 1\n')
    },
    state: () => ({ leaseS, works }),
    leave: () => void (users = 0),
  }
}

describe('Webubbub is the hub of a source', () => {
  it('verifies with a topic that it does not encode, sends all with sha256, and tries again what was not taken', () =>
    onHubStage({}, async (stage) => {
      const { forms, publish, items, subscription } = stage
      expect(await eventually(() => forms.length > 0)).toBe(true)
      const hub = webubbub(stage)
      expect(await hub.verify()).toBe(true)
      expect(await subscription()).toMatchObject({ status: 'active' })
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      publish('second')
      expect(await hub.deliver()).toBe(202)
      expect(await eventually(async () => (await items()) === 2)).toBe(true)
      // Its job runs every five seconds: what failed for it may come once more, and is no news.
      expect(await hub.deliver()).toBe(202)
      expect(await subscription()).toMatchObject({ pushes: 1, repeated: 1, refused: 0 })
    }))

  it('may deny after it has answered 202, and is then not counted on', () =>
    onHubStage({}, async (stage) => {
      expect(await eventually(() => stage.forms.length > 0)).toBe(true)
      expect(await webubbub(stage).deny()).toBe(200)
      const { status, lastError } = await stage.subscription()
      expect([status, lastError]).toEqual(['lapsed', expect.stringContaining('not allowed on this hub')])
    }))
})

function webubbub({ node, forms, subscription, feedUrl }: HubStage) {
  const asked = () => forms.at(-1) ?? new URLSearchParams()
  const call = async (query: string) => fetch(`${asked().get('hub.callback')}?${query}`)
  return {
    async verify(): Promise<boolean> {
      const challenge = createHash('sha256').update('any').digest('hex')
      const leaseS = Math.min(1_296_000, Math.max(86_400, Number(asked().get('hub.lease_seconds') ?? 864_000)))
      const topic = asked().get('hub.topic')
      const answer = await call(
        `hub.mode=subscribe&hub.topic=${topic}&hub.challenge=${challenge}&hub.lease_seconds=${leaseS}`,
      )
      return answer.ok && (await answer.text()) === challenge
    },
    async deny(): Promise<number> {
      const reason = encodeURIComponent('The topic is not allowed on this hub (private hub)')
      return (await call(`hub.mode=denied&hub.topic=${asked().get('hub.topic')}&hub.reason=${reason}`)).status
    },
    async deliver(): Promise<number> {
      const body = Buffer.from(await (await fetch(feedUrl)).arrayBuffer())
      const secret = asked().get('hub.secret') ?? ''
      const headers = {
        'content-type': 'application/rss+xml',
        link: `<${asked().get('hub.topic')}>; rel="self", <http://127.0.0.1/hub>; rel="hub"`,
        'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      }
      const { key } = await subscription()
      return (await fetch(`${node.url}/push/${key}`, { method: 'POST', body, headers })).status
    },
  }
}

describe('a hub as that of Google', () => {
  it('signs with sha1 and sends only what is new: nothing is taken for a window, and all of the feed is fetched', () =>
    onHubStage({}, async ({ verify, publish, push, items, node, subscription }) => {
      await verify({ 'hub.lease_seconds': '432000' })
      expect(await eventually(async () => (await items()) === 1)).toBe(true)
      for (const guid of ['second', 'third']) publish(guid)
      // One of the two alone, in a document without the others.
      const entry = '<entry><id>third</id><title>third</title></entry>'
      const body = `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${entry}</feed>`
      expect((await push(body, { method: 'sha1' })).status).toBe(202)
      expect(await eventually(async () => (await items()) === 3)).toBe(true)
      const { sourceId } = await subscription()
      const [decision] = await node.data.store.decisions(sourceId, 1)
      expect(decision).toMatchObject({ cause: 'push', newItems: 2 })
      const source = await node.data.store.source(sourceId)
      expect(source?.state.window).toHaveLength(3)
    }))
})
