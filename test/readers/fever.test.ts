import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOON } from '../support/published-items.ts'
import { storeItems } from '../support/publishing.ts'
import { itemOf, openReaderNode, type ReaderNode } from './reader-node.ts'

let node: ReaderNode
let key: string
beforeAll(async () => {
  node = await openReaderNode()
  key = await feverKeyOf('owner')
})
afterAll(() => node.close())

/** As a person makes a password for an app, and the app a key of it. */
async function feverKeyOf(name: string): Promise<string> {
  const { cookie } = name === 'owner' ? node.owner : node.member
  const { body } = await node.ask('POST', '/api/tokens', { cookie, body: { scope: 'fever', label: 'Old phone' } })
  return createHash('md5').update(`${name}:${body.secret}`).digest('hex')
}

const ask = (search: string, form: Record<string, string> = {}, apiKey: string = key, path = '/fever/') =>
  node.ask('POST', `${path}?api${search === '' ? '' : `&${search}`}`, {
    isBare: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams({ api_key: apiKey, ...form }).toString()),
  })
const idsIn = async (search: string) => (await ask(search)).body.items.map(({ id }: { id: number }) => id)
const unread = async () => (await ask('unread_item_ids')).body.unread_item_ids.split(',').map(Number).sort()

describe('the Fever API', () => {
  it.each([
    ['nothing', ''],
    ['a wrong key', 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('is closed to %s', async (_what, wrong) => {
    const { status, body } = await ask('items&feeds', {}, wrong)
    expect([status, body]).toEqual([200, { api_version: 3, auth: 0 }])
  })

  it('is closed to passwords of other kinds, to sessions and to keys in the address; its own opens nothing else', async () => {
    for (const scope of ['app', 'read', 'write'] as const) {
      expect((await ask('', {}, await node.passwordOf(node.owner.user, scope))).body.auth).toBe(0)
    }
    expect((await node.ask('GET', '/fever/?api&items', { cookie: node.owner.cookie })).body.auth).toBe(0)
    expect((await node.ask('GET', `/fever/?api&items&api_key=${key}`, { isBare: true })).body.auth).toBe(0)
    const fever = await node.passwordOf(node.owner.user, 'fever')
    expect((await node.greader('GET', '/reader/api/0/user-info', null, fever)).status).toBe(401)
    expect((await node.ask('GET', '/v1/me', { isBare: true, headers: { 'x-auth-token': fever } })).status).toBe(401)
  })

  it.each(['/fever', '/fever/', '/api/fever.php'])('answers at %s, to keys in capitals too', async (path) => {
    expect((await ask('', {}, key.toUpperCase(), path)).body).toMatchObject({ api_version: 3, auth: 1 })
  })

  it('takes its key from a form in parts, too', async () => {
    const body = Buffer.from(`--x\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${key}\r\n--x--\r\n`)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await node.ask('POST', '/fever/?api', { isBare: true, headers, body })).body.auth).toBe(1)
    const broken = await node.ask('POST', '/fever/?api', { isBare: true, headers, body: Buffer.from('nothing') })
    expect([broken.status, broken.body]).toEqual([400, { error_message: 'The form cannot be read' }])
  })

  it('lists groups, feeds, favicons and links', async () => {
    const { body } = await ask('groups&feeds&favicons&links')
    const groups = new Map<string, number>(body.groups.map((one: { title: string; id: number }) => [one.title, one.id]))
    const members = new Map(
      body.feeds_groups.map((one: { group_id: number; feed_ids: string }) => [one.group_id, one.feed_ids]),
    )
    // A feed is in its first folder, as with Miniflux.
    expect(['News', 'Arts/Film'].map((title) => members.get(groups.get(title) ?? 0))).toEqual(['1', '2'])
    expect(body.feeds[0]).toMatchObject({ id: 1, title: 'Source 1', url: 'http://s1.invalid/feed', is_spark: 0 })
    expect([body.favicons, body.links]).toEqual([[], []])
  })

  it.each([
    ['items', [1, 2, 3, 4, 5, 6]],
    ['items&since_id=4', [5, 6]],
    ['items&max_id=4', [3, 2, 1]],
    ['items&with_ids=6,2,99,x', [6, 2]],
    ['items&since_id=x', [1, 2, 3, 4, 5, 6]],
    ['items&since_id=6', []],
    ['items&since_id=99999999999999999999', []],
    ['items&max_id=99999999999999999999', [6, 5, 4, 3, 2, 1]],
  ])('%s', async (search, expected) => {
    expect(await idsIn(search)).toEqual(expected)
  })

  it('gives an item as its apps read it, without scripts', async () => {
    const { body } = await ask('items&with_ids=1')
    expect([body.total_items, body.items[0]]).toEqual([
      6,
      {
        id: 1,
        feed_id: 1,
        title: 'Title 0 1',
        author: '',
        html: '<p>Text of item-0-1</p>',
        url: 'http://s0.invalid/1',
        is_saved: 0,
        is_read: 0,
        created_on_time: Math.floor((NOON + 60_000) / 1_000),
      },
    ])
  })

  it('marks items, feeds, groups and all, up to what was looked at; the dashboard sees it', async () => {
    expect((await ask('', { mark: 'item', as: 'read', id: '2' })).body.unread_item_ids).not.toContain('2')
    expect((await ask('', { mark: 'item', as: 'saved', id: '3' })).body.saved_item_ids).toBe('3')
    const { body } = await node.ask('GET', '/api/items?starred=true', { cookie: node.owner.cookie })
    expect(body.items.map(({ seq }: { seq: number }) => seq)).toEqual([3])
    await ask('', { mark: 'item', as: 'unread', id: '2' })
    expect(await unread()).toEqual([1, 2, 3, 4, 5, 6])
    await ask('', { mark: 'feed', as: 'read', id: '3' })
    expect(await unread()).toEqual([1, 2, 3, 4])
    await storeItems(node.data.store, 3, [itemOf(9, 1, { firstSeenAt: NOON + 3_600_000 })])
    await ask('', { mark: 'group', as: 'read', id: '0', before: String(Math.floor(NOON / 1_000) + 600) })
    expect(await unread()).toEqual([7])
  })

  it.each([
    { mark: 'item', as: 'burnt', id: '7' },
    { mark: 'item', as: 'read', id: 'x' },
    { mark: 'feed', as: 'read', id: '77' },
    { mark: 'group', as: 'read', id: '-1' },
    { mark: 'constructor', as: 'constructor', id: '1' },
  ])('%j changes nothing', async (form) => {
    const { status, body } = await ask('', form)
    expect([status, Object.keys(body)]).toEqual([200, ['api_version', 'auth', 'last_refreshed_on_time']])
    expect(await unread()).toEqual([7])
  })

  it('keeps what one reads apart from what others read', async () => {
    const others = await feverKeyOf('ann')
    expect((await ask('saved_item_ids', {}, others)).body.saved_item_ids).toBe('')
    expect((await ask('unread_item_ids', {}, others)).body.unread_item_ids.split(',')).toHaveLength(7)
  })
})
