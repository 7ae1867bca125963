import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addSource } from '../support/publishing.ts'
import { openReaderNode, type ReaderNode } from './reader-node.ts'

const api = (path: string) => `/reader/api/0/${path}`
const READ = 'user/-/state/com.google/read'
let node: ReaderNode

/** A request and the status that clients expect of it. */
const BAD: readonly (readonly [string, 'GET' | 'POST', string, string | null, number])[] = [
  ['an unknown stream', 'GET', api('stream/contents/feed%2F999'), null, 404],
  ['a stream without form', 'GET', api('stream/items/ids?s=nonsense'), null, 404],
  ['a state nobody knows', 'GET', api('stream/items/ids?s=user/-/state/com.google/__proto__'), null, 404],
  ['a label that is not there', 'GET', api('stream/contents/user%2F-%2Flabel%2Fnone'), null, 404],
  ['the stream of another user', 'GET', api('stream/items/ids?s=user/2/state/com.google/reading-list'), null, 404],
  ['a query feed that is not there', 'GET', api('stream/items/ids?s=feed/1000000001'), null, 404],
  ['a number beyond all', 'GET', api('stream/items/ids?s=feed/999999999999999'), null, 404],
  ['a broken continuation', 'GET', api('stream/items/ids?c=%00x'), null, 400],
  ['a negative continuation', 'GET', api('stream/items/ids?c=-5'), null, 400],
  ['a time that is none', 'GET', api('stream/items/ids?ot=yesterday'), null, 400],
  ['ids that are none', 'POST', api('stream/items/contents'), 'i=hello', 400],
  ['an id too long', 'POST', api('edit-tag'), `i=${'9'.repeat(40)}&a=${READ}`, 400],
  ['a huge batch of contents', 'POST', api('stream/items/contents'), 'i=1&'.repeat(1_001), 400],
  ['a huge batch of marks', 'POST', api('edit-tag'), `${'i=1&'.repeat(10_001)}a=${READ}`, 400],
  ['a body beyond all', 'POST', api('edit-tag'), 'x'.repeat(9 * 1024 ** 2), 413],
  ['labels on items', 'POST', api('edit-tag'), 'i=1&a=user/-/label/mine', 400],
  ['all of nothing', 'POST', api('mark-all-as-read'), 's=', 400],
  ['all up to no time', 'POST', api('mark-all-as-read'), `s=feed/1&ts=soon`, 400],
  ['a wrong T', 'POST', api('edit-tag'), `i=1&a=${READ}&T=wrong`, 401],
  ['a change by GET', 'GET', api(`edit-tag?i=1&a=${READ}`), null, 405],
  ['an endpoint that is not there', 'GET', api('no/such'), null, 404],
  ['an endpoint of all objects', 'GET', api('constructor'), null, 404],
  ['a broken escape', 'GET', '/reader/atom/%E0%A4%A', null, 400],
  ['subscribing to what is no address', 'POST', api('subscription/quickadd'), 'quickadd=%00', 422],
  ['subscribing to nothing', 'POST', api('subscription/edit'), 'ac=subscribe', 400],
  ['a list that is none', 'POST', api('subscription/import'), 'nothing', 400],
]

/** What some clients send beside the plain form, and are answered as by it. */
const SLASHES = ['token/', 'tag/list/', 'stream/contents/feed/1/?n=1', 'stream/items/ids/?s=feed/1', 'user-info/']

describe('what is wrong is answered as clients expect', () => {
  beforeAll(async () => {
    node = await openReaderNode()
  })
  afterAll(() => node.close())

  it.each(BAD)('%s', async (_what, method, path, form, status) => {
    const answer = await node.greader(method, path, form)
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.any(String)])
    if (status === 401) expect(answer.headers['x-reader-google-bad-token']).toBe('true')
    expect((await node.data.store.marks(1, [1])).get(1)?.isRead).toBe(false)
  })
})

describe('a slash at the end', () => {
  beforeAll(async () => {
    node = await openReaderNode()
  })
  afterAll(() => node.close())

  it.each(SLASHES)('%s', async (path) => {
    expect((await node.greader('GET', api(path))).status).toBe(200)
    expect((await node.greader('GET', `/api/greader.php${api(path)}`)).status).toBe(200)
  })

  it('of a log-in and of an Atom stream; it belongs to a stream that is an address', async () => {
    const form = 'Email=owner&Passwd=hw_password-1'
    expect((await node.greader('POST', '/accounts/ClientLogin/', form, null)).status).toBe(200)
    expect((await node.greader('GET', '/reader/atom/feed/1/')).status).toBe(200)
    await addSource(node.data.store, 'http://slash.invalid/feed/', {})
    expect((await node.greader('GET', api('stream/contents/feed/http://slash.invalid/feed/'))).status).toBe(200)
    expect((await node.greader('GET', '/reader/atom/feed%2Fhttp%3A%2F%2Fslash.invalid%2Ffeed%2F')).status).toBe(200)
  })
})

it('a form in parts marks what it names', async () => {
  node = await openReaderNode()
  const parts = [['i', '2'] as const, ['i', '3'] as const, ['a', READ] as const].map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const answer = await node.ask('POST', api('edit-tag'), {
    isBare: true,
    headers: { authorization: 'GoogleLogin auth=hw_password-1', 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.from(`${parts.join('')}--x--\r\n`),
  })
  expect([answer.status, answer.text]).toEqual([200, 'OK'])
  const marks = await node.data.store.marks(1, [1, 2, 3])
  expect([1, 2, 3].map((seq) => marks.get(seq)?.isRead)).toEqual([false, true, true])
  await node.close()
})

describe('the door of reader apps', () => {
  afterEach(() => node.close())

  it('opens to app passwords alone, and they open nothing else', async () => {
    node = await openReaderNode()
    const { user } = node.owner
    for (const scope of ['read', 'write', 'feed', 'fever'] as const) {
      const other = await node.passwordOf(user, scope)
      expect((await node.greader('GET', api('user-info'), null, other)).status).toBe(401)
    }
    expect((await node.ask('GET', api('user-info'), { cookie: node.owner.cookie })).status).toBe(401)
    expect((await node.greader('GET', api('user-info'), null, null)).status).toBe(401)
    const app = await node.passwordOf(user)
    expect((await node.greader('GET', api('user-info'), null, app)).status).toBe(200)
    expect((await node.ask('GET', '/api/items', { token: app })).status).toBe(403)
    expect((await node.ask('POST', '/api/tokens', { token: app, body: { scope: 'read' } })).status).toBe(403)
  })

  it('is closed at once when a password is taken back, and knows whose it is', async () => {
    node = await openReaderNode()
    const made = await node.ask('POST', '/api/tokens', {
      cookie: node.owner.cookie,
      body: { scope: 'app', label: 'phone' },
    })
    expect(made.status).toBe(201)
    const { secret, token } = made.body
    const logIn = (name: string) =>
      node.greader('POST', '/accounts/ClientLogin', `Email=${name}&Passwd=${secret}`, null)
    expect((await logIn('owner')).status).toBe(200)
    expect(await logIn('ann')).toMatchObject({ status: 401, text: 'Error=BadAuthentication\n' })
    const { tokens } = (await node.ask('GET', '/api/tokens', { cookie: node.owner.cookie })).body
    const shown = tokens.find(({ id }: { id: number }) => id === token.id)
    expect(shown).toMatchObject({ label: 'phone', scope: 'app', lastUsedAt: expect.any(Number) })
    await node.ask('DELETE', `/api/tokens/${token.id}`, { cookie: node.owner.cookie })
    expect((await logIn('owner')).status).toBe(401)
    expect((await node.greader('GET', api('user-info'), null, secret)).status).toBe(401)
  })

  it('sends away who tries too many passwords, and nobody else', async () => {
    node = await openReaderNode()
    const wrong = () => node.greader('POST', '/accounts/ClientLogin', 'Email=owner&Passwd=no', null)
    const statuses = []
    for (let attempt = 0; attempt < 32; attempt++) statuses.push((await wrong()).status)
    expect([statuses[0], statuses[29], statuses[30], statuses[31]]).toEqual([401, 401, 429, 429])
    expect((await node.greader('GET', api('user-info'))).status).toBe(200)
  })

  it('lets a member read, mark and subscribe, but not rename what all share', async () => {
    node = await openReaderNode()
    const app = await node.passwordOf(node.member.user)
    const ask = (path: string, form: string) => node.greader('POST', api(path), form, app)
    expect((await ask('rename-tag', 's=user/-/label/News&dest=user/-/label/Mine')).status).toBe(403)
    expect((await ask('subscription/edit', 's=feed/1&ac=edit&t=Mine')).status).toBe(403)
    expect((await ask('edit-tag', `i=1&a=${READ}`)).text).toBe('OK')
    const { store } = node.data
    expect((await store.marks(node.member.user.id, [1])).get(1)?.isRead).toBe(true)
    expect((await store.marks(node.owner.user.id, [1])).get(1)?.isRead).toBe(false)
    expect((await store.source(1))?.name).toBe('Source 1')
  })
})
