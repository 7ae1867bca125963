import { describe, expect, it } from 'vitest'
import type { HubOverview } from '../../src/api/operations/wire.ts'
import { DAY_MS } from '../../src/model/index.ts'
import { setPrivateFeed, tokenHash } from '../../src/publisher/feed-access.ts'
import { builtInFeedId } from '../../src/store/hub.ts'
import { eventually } from '../support/patience.ts'
import { ownerCookie, signedWith } from './hub-answers.ts'
import { onSubscriberStage, type SubscriberStage } from './subscriber-stage.ts'

const CATEGORY = '/feeds/category/News/Science'

/** Subscribes to a built-in feed, and waits until the hub has it. */
async function follow(
  stage: SubscriberStage,
  name: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const { node, post, callback } = stage
  const topic = `${node.url}${path}.rss`
  await post({ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': callback(name), ...fields })
  expect(await eventually(() => isFollowing(stage, name, path))).toBe(true)
}

async function isFollowing({ node, callback }: SubscriberStage, name: string, path: string) {
  const output = { kind: 'websub', url: callback(name), format: 'rss' } as const
  return (await node.data.store.hubCrowd(builtInFeedId(path), output)).isKnown
}

describe('built-in feeds have the hub of the node (WebSub)', () => {
  it('and name it in Link headers, in RSS, Atom and JSON Feed', () =>
    onSubscriberStage(async ({ node, hub, sourceId }) => {
      for (const path of ['/feeds/all', `/feeds/source/${sourceId}`, CATEGORY, '/feeds/category/News']) {
        for (const format of ['rss', 'atom', 'json'] as const) {
          const topic = `${node.url}${path}.${format}`
          const answer = await fetch(topic)
          expect(answer.headers.get('link')).toBe(`<${hub}>; rel="hub", <${topic}>; rel="self"`)
          const text = await answer.text()
          if (format === 'json') {
            expect(JSON.parse(text)).toMatchObject({ feed_url: topic, hubs: [{ type: 'WebSub', url: hub }] })
          } else {
            const links = text.match(/<(?:atom:)?link [^>]*rel="(?:hub|self)"[^>]*>/g)?.slice(0, 2) ?? []
            expect(links.some((link) => link.includes(`href="${hub}"`) && link.includes('rel="hub"'))).toBe(true)
            expect(links.some((link) => link.includes(`href="${topic}"`) && link.includes('rel="self"'))).toBe(true)
          }
        }
      }
    }))

  it('which sends what is new to each that shows it, whole and signed', () =>
    onSubscriberStage(async (stage) => {
      const { node, hub, sourceId, calls, publish } = stage
      const paths = {
        all: '/feeds/all',
        one: `/feeds/source/${sourceId}`,
        folder: CATEGORY,
        parent: '/feeds/category/News',
      }
      for (const [name, path] of Object.entries(paths)) await follow(stage, name, path, { 'hub.secret': name })
      await publish('second')
      for (const [name, path] of Object.entries(paths)) {
        expect(await eventually(() => calls(name, 'POST').length === 1)).toBe(true)
        const sent = calls(name, 'POST')[0]
        const topic = `${node.url}${path}.rss`
        expect(sent?.body.toString()).toContain('second')
        expect(sent?.body.toString()).toBe(await (await fetch(topic)).text())
        expect(sent?.headers['link']).toBe(`<${hub}>; rel="hub", <${topic}>; rel="self"`)
        expect(signedWith(sent, name)).toBe(true)
      }
    }))

  it('and what is edited; other feeds are left alone', () =>
    onSubscriberStage(async (stage) => {
      const { node, calls, edit, publish } = stage
      await node.data.store.addSources(
        [{ ...(await anySource(stage)), url: 'http://127.0.0.1:9/none', categories: ['Quiet'] }],
        0,
      )
      await follow(stage, 'a', '/feeds/all')
      await follow(stage, 'quiet', '/feeds/category/Quiet')
      await edit('first, corrected')
      expect(await eventually(() => calls('a', 'POST').length === 1)).toBe(true)
      expect(calls('a', 'POST')[0]?.body.toString()).toContain('first, corrected')
      await publish('second')
      expect(await eventually(() => calls('a', 'POST').at(-1)?.body.toString().includes('second') === true)).toBe(true)
      expect(calls('quiet', 'POST')).toEqual([])
    }))

  it('tries again after a failure, ends at 410 and with a lease, and by request', () =>
    onSubscriberStage(async (stage) => {
      const { node, calls, answer, publish, post, callback } = stage
      for (const name of ['fails', 'gone', 'fine', 'leaves']) await follow(stage, name, '/feeds/all')
      answer('fails', (_call, response) => response.writeHead(500).end())
      answer('gone', (_call, response) => response.writeHead(410).end())
      await post({
        'hub.mode': 'unsubscribe',
        'hub.topic': `${node.url}/feeds/all.rss`,
        'hub.callback': callback('leaves'),
      })
      expect(await eventually(async () => !(await isFollowing(stage, 'leaves', '/feeds/all')))).toBe(true)
      await publish('second')
      for (const name of ['fails', 'gone', 'fine'])
        expect(await eventually(() => calls(name, 'POST').length === 1)).toBe(true)
      expect(await eventually(async () => !(await isFollowing(stage, 'gone', '/feeds/all')))).toBe(true)
      const behind = () => node.data.store.hubSubscriptionsBehind(Date.now() + DAY_MS, { afterId: 0, limit: 9 })
      expect(await eventually(async () => (await behind())[0]?.failureCount === 1)).toBe(true)
      answer('fails', (_call, response) => response.writeHead(204).end())
      const [first, ...others] = await behind()
      expect(others).toEqual([])
      await node.data.store.recordHubDelivery(first?.id ?? 0, { kind: 'failed', error: 'x', nextAttemptAt: 0 })
      expect(await eventually(() => calls('fails', 'POST').length === 2)).toBe(true)
      expect(calls('fails', 'POST')[1]?.body.toString()).toContain('second')
      expect([calls('fine', 'POST').length, calls('leaves', 'POST').length]).toEqual([1, 0])
      expect(await node.data.store.endLapsedHubSubscriptions(Date.now() + 40 * DAY_MS)).toBe(2)
      expect(await node.data.store.hubTopics()).toEqual([])
    }))

  it('gives what is hidden to who may open it alone, and says so when that ends', () =>
    onSubscriberStage(async (stage) => {
      const { node, calls, publish, post, callback } = stage
      const { store } = node.data
      await follow(stage, 'stranger', CATEGORY)
      await setPrivateFeed(CATEGORY, true, store)
      const open = { 'hub.mode': 'subscribe', 'hub.callback': callback('late') }
      expect((await post({ ...open, 'hub.topic': `${node.url}${CATEGORY}.rss` })).status).toBe(404)
      expect((await post({ ...open, 'hub.topic': `${node.url}${CATEGORY}.rss?token=guess` })).status).toBe(404)
      const topic = `${node.url}${CATEGORY}.rss?token=${TOKEN}`
      const [owner] = await store.users()
      const token = { userId: owner?.id ?? 0, label: 'l', scope: 'read', feed: null, hash: tokenHash(TOKEN) } as const
      const { id } = await store.addApiToken(token, 0)
      expect((await fetch(topic)).headers.get('link')).toContain(`<${topic}>; rel="self"`)
      await follow(stage, 'member', CATEGORY, { 'hub.topic': topic })
      await publish('second')
      expect(await eventually(() => calls('member', 'POST').length === 1)).toBe(true)
      expect(calls('member', 'POST')[0]?.headers['link']).toContain(`<${topic}>; rel="self"`)
      expect(await eventually(async () => !(await isFollowing(stage, 'stranger', CATEGORY)))).toBe(true)
      expect(calls('stranger', 'POST')).toEqual([])
      expect(calls('stranger', 'GET').at(-1)?.query.get('hub.mode')).toBe('denied')
      await store.removeApiToken(token.userId, id)
      await publish('third')
      expect(await eventually(async () => !(await isFollowing(stage, 'member', CATEGORY)))).toBe(true)
      expect(calls('member', 'POST')).toHaveLength(1)
      expect(calls('member', 'GET').at(-1)?.query.get('hub.mode')).toBe('denied')
    }))

  it('and shows its subscribers to administrators', () =>
    onSubscriberStage(async (stage) => {
      const { node, callback } = stage
      await follow(stage, 'secret-path', '/feeds/all')
      const cookie = await ownerCookie(node.url)
      const shown = (await (await fetch(`${node.url}/api/hub`, { headers: { cookie } })).json()) as HubOverview
      expect(shown).toMatchObject({
        feeds: [{ feed: '/feeds/all', subscribers: 1, failing: 0 }],
        subscribers: [{ feed: '/feeds/all', format: 'rss', host: new URL(callback('')).host }],
      })
      expect(JSON.stringify(shown)).not.toContain('secret-path')
    }))
})

const TOKEN = 'token-of-a-member'

async function anySource({ node, sourceId }: SubscriberStage) {
  const source = (await node.data.store.sourcesById([sourceId])).get(sourceId)
  if (source === undefined) throw new Error('it was added')
  return source
}
