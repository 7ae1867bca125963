import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReaderNode, type ReaderNode } from './reader-node.ts'

const PICTURE = Buffer.from('some picture')
const DATA = `image/png;base64,${PICTURE.toString('base64')}`

let node: ReaderNode
let password: string
beforeAll(async () => {
  node = await openReaderNode()
  password = await node.passwordOf(node.owner.user)
})
afterAll(() => node.close())

const iconUrls = async () => {
  const { body } = await node.greader('GET', '/reader/api/0/subscription/list?output=json')
  return body.subscriptions.map(({ iconUrl }: { iconUrl: string }) => iconUrl)
}
const miniflux = (path: string) => node.ask('GET', path, { isBare: true, headers: { 'x-auth-token': password } })
const fever = async (search: string) => {
  const { name } = node.owner.user
  const { body: made } = await node.ask('POST', '/api/tokens', {
    cookie: node.owner.cookie,
    body: { scope: 'fever', label: 'Old phone' },
  })
  const key = createHash('md5').update(`${name}:${made.secret}`).digest('hex')
  return (
    await node.ask('POST', `/fever/?api&${search}`, {
      isBare: true,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`api_key=${key}`),
    })
  ).body
}
/** As the crawler writes it. */
const find = (sourceId: number, body = PICTURE, hash = 'hash') =>
  node.data.store.recordIcon({
    ...{ sourceId, at: 1, dueAt: 2, attempts: 0, failure: null },
    found: { type: 'image/png', hash, body },
  })

describe('icons in reader apps', () => {
  it('are wanted by who lists subscriptions, and shown once they are found', async () => {
    expect(await iconUrls()).toEqual(['', '', ''])
    const due = await node.data.store.dueIcons(Number.MAX_SAFE_INTEGER, { limit: 9 })
    expect(due.map(({ sourceId }) => sourceId)).toEqual([1, 2, 3])
    await find(2)
    expect(await iconUrls()).toEqual(['', expect.stringMatching(/^http:\/\/node\.example\/icons\/2-/), ''])
    expect((await miniflux('/v1/feeds')).body.map(({ icon }: { icon: unknown }) => icon)).toEqual([
      null,
      { feed_id: 2, icon_id: 2 },
      null,
    ])
    expect((await miniflux('/v1/feeds/2/icon')).body).toEqual({ id: 2, mime_type: 'image/png', data: DATA })
    expect((await miniflux('/v1/icons/2')).body).toEqual({ id: 2, mime_type: 'image/png', data: DATA })
    const { favicons, feeds } = await fever('favicons&feeds')
    expect(favicons).toEqual([{ id: 2, data: DATA }])
    expect(feeds.map((feed: { favicon_id: number }) => feed.favicon_id)).toEqual([0, 2, 0])
  })

  it.each(['/v1/feeds/1/icon', '/v1/icons/1', '/v1/feeds/999/icon', '/v1/icons/0', '/v1/icons/x'])(
    '%s is not there',
    async (path) => expect((await miniflux(path)).status).toBe(404),
  )

  it('load from their address without a password, as nothing but a picture, and from no other', async () => {
    await find(2)
    const [, url = ''] = await iconUrls()
    const path = new URL(url).pathname
    const answer = await node.ask('GET', path, { isBare: true })
    expect([answer.status, answer.text]).toEqual([200, 'some picture'])
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringContaining('immutable'),
    })
    const etag = String(answer.headers['etag'])
    expect((await node.ask('GET', path, { isBare: true, headers: { 'if-none-match': etag } })).status).toBe(304)
    const wrong = [path.replace('/2-', '/1-'), path.replace('/2-', '/02-'), `${path.slice(0, -1)}A`, `${path}A`]
    for (const other of [...wrong, '/icons/2', '/icons/2-', '/icons/hash', '/icons/..%2fx', '/icons/%00']) {
      if (other === path) continue
      expect([other, (await node.ask('GET', other, { isBare: true })).status]).toEqual([other, 404])
    }
  })

  it('have another address when they change, and none when their source is gone', async () => {
    const [, before = ''] = await iconUrls()
    await find(2, Buffer.from('another picture'), 'another hash')
    const [, after = ''] = await iconUrls()
    expect(after).not.toBe(before)
    expect((await node.ask('GET', new URL(before).pathname, { isBare: true })).status).toBe(404)
    await node.data.store.removeSource(2)
    expect((await node.ask('GET', new URL(after).pathname, { isBare: true })).status).toBe(404)
    expect(await iconUrls()).toEqual(['', ''])
  })
})
