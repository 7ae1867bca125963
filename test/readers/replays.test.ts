import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOON } from '../support/published-items.ts'
import { startFeedServer } from './feed-server.ts'
import { openReaderNode, type ReaderNode } from './reader-node.ts'

const READ = 'user/-/state/com.google/read'
const LIST = 'user/-/state/com.google/reading-list'
const STARRED = 'user/-/state/com.google/starred'
const LONG = 'tag:google.com,2005:reader/item/'
const at = (minutes: number) => Math.floor((NOON + minutes * 60_000) / 1_000)

/** biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely */
type Body = any
interface Replay {
  readonly client: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly form?: string
  /** The text to the byte, or what holds for the JSON. */
  readonly gives: string | ((body: Body) => unknown)
  readonly wanted?: unknown
}

const ids = (body: Body) => body.itemRefs.map(({ id }: { id: string }) => Number(id))
const titles = (body: Body) => body.items.map(({ title }: Body) => title)
const api = (path: string) => `/reader/api/0/${path}`

/** What apps really send (their sources, read in 2026), in the order in which they do. */
const REPLAYS: readonly Replay[] = [
  {
    client: 'NetNewsWire',
    method: 'GET',
    path: api(`stream/items/ids?n=1000&output=json&s=${LIST}&xt=${READ}&ot=${at(-9999)}`),
    gives: ids,
    wanted: [6, 5, 4, 3, 2, 1],
  },
  {
    client: 'NetNewsWire',
    method: 'POST',
    path: api('stream/items/contents'),
    form: `T=&output=json&i=${LONG}0000000000000002&i=${LONG}5`,
    gives: (body) => body.items.map((item: Body) => [item.id, item.title, item.origin.streamId, item.summary.content]),
    wanted: [
      [`${LONG}0000000000000002`, 'Title 0 2', 'feed/1', '<p>Text of item-0-2</p>'],
      [`${LONG}0000000000000005`, 'Title 2 1', 'feed/3', '<p>Text of item-2-1</p>'],
    ],
  },
  {
    client: 'NetNewsWire',
    method: 'GET',
    path: api('tag/list?output=json'),
    gives: (body) => body.tags.map(({ id }: Body) => id),
    wanted: [STARRED, LIST, READ, 'user/-/label/Arts/Film', 'user/-/label/News'],
  },
  {
    client: 'NetNewsWire',
    method: 'POST',
    path: api('rename-tag'),
    form: 's=user/-/label/News&dest=user/-/label/World',
    gives: 'OK',
  },
  {
    client: 'NetNewsWire',
    method: 'POST',
    path: api('rename-tag'),
    form: 's=user/-/label/World&dest=user/-/label/News',
    gives: 'OK',
  },
  {
    client: 'NetNewsWire: adds a feed',
    method: 'POST',
    path: api('subscription/quickadd'),
    form: 'quickadd=FEED_URL&T=',
    gives: (body) => [body.numResults, body.streamId],
    wanted: [1, 'feed/4'],
  },
  {
    client: 'NetNewsWire: subscribes again to what it has added, with a name and a folder',
    method: 'POST',
    path: api('subscription/edit'),
    form: 's=feed/4&ac=subscribe&t=Served+here&a=user/-/label/News',
    gives: 'OK',
  },
  {
    client: 'NetNewsWire: imports a list',
    method: 'POST',
    path: api('subscription/import'),
    form: '<opml version="2.0"><body><outline text="Served" xmlUrl="FEED_URL"/></body></opml>',
    gives: (text) => /^OK/.test(String(text)),
    wanted: true,
  },
  {
    client: 'NetNewsWire: what is there after it',
    method: 'GET',
    path: api('subscription/list?output=json'),
    gives: (body) => body.subscriptions.map(({ id, title, categories }: Body) => [id, title, categories.length]),
    wanted: [
      ['feed/1', 'Source 1', 1],
      ['feed/2', 'Source 2', 2],
      ['feed/3', 'Source 3', 0],
      ['feed/4', 'Served here', 1],
    ],
  },
  {
    client: 'NetNewsWire: unsubscribes; a source that all share stays, and this person follows the others',
    method: 'POST',
    path: api('subscription/edit'),
    form: 's=feed/4&ac=unsubscribe',
    gives: 'OK',
  },
  {
    client: 'Reeder',
    method: 'GET',
    path: api(`stream/items/ids?n=10000&output=json&s=${LIST}&xt=${READ}`),
    gives: ids,
    wanted: [6, 5, 4, 3, 2, 1],
  },
  {
    client: 'Capy Reader',
    method: 'GET',
    path: api(`stream/items/ids?n=2&s=${LIST}&xt=${READ}&c=5&output=json`),
    gives: (body) => [ids(body), body.continuation],
    wanted: [[4, 3], '3'],
  },
  {
    client: 'Read You',
    method: 'GET',
    path: api(`stream/items/ids?n=10000&s=${LIST}&it=${STARRED}&output=json`),
    gives: ids,
    wanted: [],
  },
  {
    client: 'Capy Reader',
    method: 'GET',
    path: '/api/greader.php/reader/api/0/user-info',
    gives: ({ userName }) => userName,
    wanted: 'owner',
  },
  {
    client: 'Readrops',
    method: 'GET',
    path: api(`stream/contents/${LIST}?n=3&xt=${READ}&xt=${STARRED}`),
    gives: titles,
    wanted: ['Title 2 2', 'Title 2 1', 'Title 1 2'],
  },
  {
    client: 'Readrops',
    method: 'POST',
    path: api('edit-tag'),
    form: `i=${LONG}6&i=0000000000000005&a=${STARRED}`,
    gives: 'OK',
  },
  {
    client: 'Readrops',
    method: 'GET',
    path: api(`stream/contents/${STARRED}?n=20`),
    gives: (body) => body.items.map(({ title, categories }: Body) => [title, categories.includes(STARRED)]),
    wanted: [
      ['Title 2 2', true],
      ['Title 2 1', true],
    ],
  },
  {
    client: 'Capy Reader: quickadd of what is there already',
    method: 'POST',
    path: api('subscription/quickadd?quickadd=http%3A%2F%2Fs3.invalid%2Ffeed'),
    form: 'T=',
    gives: (body) => [body.numResults, body.streamId],
    wanted: [1, 'feed/3'],
  },
  {
    client: 'Capy Reader: contents',
    method: 'POST',
    path: api('stream/items/contents?output=json'),
    form: 'i=0000000000000001&i=0000000000000003',
    gives: titles,
    wanted: ['Title 0 1', 'Title 1 1'],
  },
  {
    client: 'Read You: mark-all-as-read of a label that has nothing older',
    method: 'POST',
    path: api('mark-all-as-read'),
    form: `s=user/-/label/Arts%2FFilm&ts=${at(0)}000000`,
    gives: 'OK',
  },
  {
    client: 'Fluent Reader',
    method: 'GET',
    path: '/api/greader.php/reader/api/0/stream/contents?output=json&n=2',
    gives: (body) => body.items.map((item: Body) => [item.canonical[0].href, item.origin.streamId]),
    wanted: [
      ['http://s2.invalid/2', 'feed/3'],
      ['http://s2.invalid/1', 'feed/3'],
    ],
  },
  {
    client: 'Fluent Reader, without T',
    method: 'POST',
    path: '/api/greader.php/reader/api/0/edit-tag',
    form: `a=${READ}&i=1&i=2`,
    gives: 'OK',
  },
  {
    client: 'Fluent Reader, without T',
    method: 'POST',
    path: '/api/greader.php/reader/api/0/mark-all-as-read',
    form: `s=feed/2&ts=${at(3)}000000`,
    gives: 'OK',
  },
  {
    client: 'rssguard: what is unread now',
    method: 'GET',
    path: api(`stream/items/ids?output=json&n=200000&xt=${READ}&ot=${at(0)}&s=feed%2F2`),
    gives: ids,
    wanted: [4],
  },
  {
    client: 'rssguard: in batches of 999',
    method: 'POST',
    path: api('stream/items/contents?output=json&n=200000'),
    form: Array.from({ length: 999 }, (_, index) => `i=${LONG}${(index + 1).toString(16).padStart(16, '0')}`).join('&'),
    gives: (body) => body.items.length,
    wanted: 6,
  },
  {
    client: 'rssguard: in batches of 200',
    method: 'POST',
    path: api('edit-tag'),
    form: `${Array.from({ length: 200 }, (_, index) => `i=${LONG}${(index + 1).toString(16).padStart(16, '0')}`).join('&')}&r=${READ}`,
    gives: 'OK',
  },
  {
    client: 'Liferea',
    method: 'GET',
    path: api('unread-count?output=json'),
    gives: (body) => body.unreadcounts.find(({ id }: Body) => id === 'feed/2').count,
    wanted: 2,
  },
  {
    client: 'Liferea',
    method: 'GET',
    path: api('stream/items/ids?n=50&s=feed/2&output=json'),
    gives: ids,
    wanted: [4, 3],
  },
  {
    client: 'Liferea: decimal ids',
    method: 'GET',
    path: api('stream/items/contents?output=json&i=4&i=3'),
    gives: titles,
    wanted: ['Title 1 2', 'Title 1 1'],
  },
  {
    client: 'Liferea: T is the password; unread again',
    method: 'POST',
    path: api('edit-tag'),
    form: `i=4&s=feed/2&r=${READ}&a=user/-/state/com.google/kept-unread&ac=edit-tags&T=hw_password-1&async=true`,
    gives: 'OK',
  },
  {
    client: 'Liferea',
    method: 'POST',
    path: api('subscription/edit'),
    form: 's=feed/3&ac=edit&a=user/-/label/Arts&T=hw_password-1&async=true',
    gives: 'OK',
  },
  {
    client: 'newsboat',
    method: 'GET',
    path: api('subscription/list'),
    gives: (body) => body.subscriptions.map(({ id, title }: Body) => [id, title]),
    wanted: [
      ['feed/1', 'Source 1'],
      ['feed/2', 'Source 2'],
      ['feed/3', 'Source 3'],
    ],
  },
  {
    client: 'newsboat: a token for what it changes',
    method: 'GET',
    path: api('token'),
    gives: (text) => String(text).trim().length,
    wanted: 57,
  },
  {
    client: 'newsboat',
    method: 'GET',
    path: '/reader/atom/feed%2F1?n=20',
    gives: (text) => (text as string).match(/<entry>/g)?.length,
    wanted: 2,
  },
  {
    client: 'newsboat',
    method: 'POST',
    path: api('mark-all-as-read'),
    form: 's=feed%2F1&T=',
    gives: 'OK',
  },
  {
    client: 'newsboat: what is read is a category of the scheme',
    method: 'GET',
    path: '/reader/atom/feed%2F1?n=20',
    gives: (text) => (text as string).match(/scheme="http:\/\/www.google.com\/reader\/" label="read"/g)?.length,
    wanted: 2,
  },
  {
    client: 'all of a folder up to a moment',
    method: 'POST',
    path: api('mark-all-as-read'),
    form: `s=user/-/label/News&ts=${at(3)}000000`,
    gives: 'OK',
  },
  {
    client: 'oldest first',
    method: 'GET',
    path: api(`stream/items/ids?n=2&r=o&s=${LIST}&xt=${READ}`),
    gives: (body) => [ids(body), body.continuation],
    wanted: [[4, 5], '5'],
  },
  {
    client: 'oldest first, goes on',
    method: 'GET',
    path: api(`stream/items/ids?n=2&r=o&s=${LIST}&xt=${READ}&c=5`),
    gives: (body) => [ids(body), body.continuation],
    wanted: [[6], undefined],
  },
  {
    client: 'only what arrived before',
    method: 'GET',
    path: api(`stream/items/ids?n=9&s=feed/3&nt=${at(5)}`),
    gives: ids,
    wanted: [5],
  },
  { client: 'how many', method: 'GET', path: api('stream/items/count?s=feed/3'), gives: '2' },
  { client: 'preferences', method: 'GET', path: api('preference/list'), gives: ({ prefs }) => prefs, wanted: [] },
  {
    client: 'by the address of a feed',
    method: 'GET',
    path: api(`stream/items/ids?n=9&s=feed/${encodeURIComponent('http://s1.invalid/feed')}`),
    gives: ids,
    wanted: [2, 1],
  },
  {
    client: 'by the number of the user',
    method: 'GET',
    path: api('stream/items/ids?n=1&s=user/1/state/com.google/reading-list'),
    gives: ids,
    wanted: [6],
  },
  {
    client: 'export',
    method: 'GET',
    path: api('subscription/export'),
    gives: (text) => (text as string).match(/xmlUrl=/g)?.length,
    wanted: 4,
  },
  { client: 'disable-tag', method: 'POST', path: api('disable-tag'), form: 's=user/-/label/Arts/Film', gives: 'OK' },
  {
    client: 'subscriptions after it',
    method: 'GET',
    path: api('subscription/list?output=json'),
    gives: (body) =>
      body.subscriptions.map(({ id, categories }: Body) => [id, categories.map(({ label }: Body) => label)]),
    wanted: [
      ['feed/1', ['News']],
      ['feed/2', ['News']],
      ['feed/3', ['Arts']],
    ],
  },
]

describe('what reader apps send', () => {
  let node: ReaderNode
  let feedServer: Awaited<ReturnType<typeof startFeedServer>>
  beforeAll(async () => {
    node = await openReaderNode()
    feedServer = await startFeedServer()
  })
  afterAll(async () => {
    await node.close()
    await feedServer.close()
  })

  for (const [index, { client, method, path, form, gives, wanted }] of REPLAYS.entries()) {
    it(`${index + 1}. ${client}: ${method} ${path.slice(0, 100)}`, async () => {
      const sent = form?.startsWith('<')
        ? form.replace('FEED_URL', feedServer.url)
        : form?.replace('FEED_URL', encodeURIComponent(feedServer.url))
      const answer = await node.greader(method, path, sent ?? null)
      expect(answer.status, answer.text).toBe(200)
      if (typeof gives === 'string') expect(answer.text).toBe(gives)
      else expect(gives(answer.body ?? answer.text)).toEqual(wanted)
    })
  }

  it('FeedMe logs in by the query string of a POST, others by a form; JSON where it is wanted', async () => {
    const search = 'Email=OWNER&Passwd=hw_password-1'
    const answers = [
      await node.greader('POST', `/accounts/ClientLogin?${search}`, '', null),
      await node.greader('POST', '/api/greader.php/accounts/ClientLogin', search, null),
    ]
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).toMatch(/^SID=\S+\nLSID=\S+\nAuth=hw_password-1\n$/)
    }
    const json = await node.greader('POST', '/accounts/ClientLogin?output=json', search, null)
    expect(json.body.Auth).toBe('hw_password-1')
  })
})
