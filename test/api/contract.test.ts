import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PageFacts } from '../../src/model/index.ts'
import { newItem, record } from '../contract/store.fixture.ts'
import { startNetworkNode } from '../network/network-stage.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { rawState } from '../support/raw-state.ts'
import { type ApiNode, type ApiRequest, claim, openApiNode, PASSWORD } from './api-node.ts'

/*
 * The API as its own OpenAPI document describes it: whatever the document names is requested, without a right, with too
 * small a one, with wrong input, and as it should be.
 */

interface DescribedOperation {
  readonly operationId: string
  readonly 'x-right': 'public' | 'read' | 'write' | 'admin'
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly schema: { readonly type?: string; readonly enum?: readonly string[] }
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Op extends DescribedOperation {
  readonly method: string
  readonly path: string
}

let node: ApiNode
let owner: string
let tokens: Record<'read' | 'write' | 'admin' | 'feed', string>
let site: LocalServer
let operations: Op[]

const FEED = `<rss version="2.0"><channel><title>Local</title><link>http://x/</link>
<item><title>Ice</title><guid>1</guid></item></channel></rss>`

const NO_FACTS: PageFacts = {
  ...{ canonicalUrl: null, title: null, author: null, published: null, language: null, languageIs: null },
  ...{ categories: [], category: 'uncategorized', categoryIs: null, leadImage: null, wall: null },
  ...{ by: 'readability', confidence: 0 },
}

const PAGES: Readonly<Record<string, string>> = {
  '/page': `<title>Page</title><ul class="n">${['Ice', 'Snow', 'Rain'].map((word, k) => `<li><a href="/${k}">${word} in the north</a> 2026-11-0${k + 1}</li>`).join('')}</ul>`,
}

beforeAll(async () => {
  node = await openApiNode({
    lab: {
      run: async () => ({
        sources: 1,
        from: 0,
        to: 1,
        points: [],
        node: { requestsPerMinute: 1, meanDelayMs: null, completeness: null },
      }),
    },
  })
  site = await startServer(({ url = '' }, response) => response.end(PAGES[url] ?? FEED))
  const document = (await node.ask('GET', '/api/openapi.json')).body
  operations = Object.entries<Record<string, DescribedOperation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  )
})
afterAll(async () => {
  await node.close()
  await site.close()
})

/** An address of the operation with something in place of its parameters. */
function addressOf({ path, parameters }: Op, value: (name: string) => string): string {
  let address = path
  for (const { name, in: location } of parameters) {
    if (location === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value(name)))
  }
  return address
}

const ORDER = ['public', 'read', 'write', 'admin']

describe('before there is an owner', () => {
  it('nothing but what is public on purpose answers', async () => {
    const open = operations.filter((op) => op['x-right'] === 'public').map(({ operationId }) => operationId)
    expect(open.sort()).toEqual(['acceptInvitation', 'claimNode', 'health', 'logIn', 'logOut', 'me'])
    for (const op of operations.filter((one) => one['x-right'] !== 'public')) {
      const answer = await node.ask(
        op.method,
        addressOf(op, () => '1'),
        op.requestBody ? { body: {} } : {},
      )
      expect([op.operationId, answer.status, answer.body?.code]).toEqual([op.operationId, 401, 'LOGIN_NEEDED'])
    }
    expect((await node.ask('GET', '/api/session')).body).toMatchObject({ user: null, rights: [], needsOwner: true })
  })

  it('no route is there that the document does not name, but for what is public on purpose', async () => {
    const named = new Set(operations.map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')))
    const others = (await node.routes()).filter((path) => !named.has(path))
    // Doors of reader apps have protocols of their own (docs/readers.md). fastify prints `/reader/api/0/*` as a star at the root.
    const isDoor = (path: string) =>
      path === '//*' || /^(\/api\/greader\.php)?\/(reader|accounts)\/|^\/v1\/|^\/(api\/fever\.php|fever\/?)$/.test(path)
    expect([...new Set(others)].filter((path) => !isDoor(path)).sort()).toEqual([
      '/',
      '/api/docs',
      '/api/openapi.json',
      '/feeds',
      '/feeds.json',
      '/feeds.opml',
      '/feeds/*',
      // For users alone (test/alerts).
      '/feeds/_alerts.atom',
      '/feeds/_alerts.json',
      '/feeds/_alerts.rss',
      '/health',
      '/icons/:name',
      '/metrics',
      '/opml',
      '/ready',
    ])
    expect((await node.routes()).length).toBeGreaterThanOrEqual(named.size)
    expect((await node.ask('GET', '/api/docs')).text).toContain('GET /api/sources/table')
  })

  it('only a person at the machine becomes its owner, once', async () => {
    const body = { name: 'owner', password: PASSWORD }
    const elsewhere: ApiRequest[] = [
      { remoteAddress: '192.0.2.1' },
      { headers: { 'x-forwarded-for': '192.0.2.1' } },
      { headers: { host: 'rebound.example' } },
    ]
    for (const other of elsewhere) {
      const answer = await node.ask('POST', '/api/session/owner', { body, ...other })
      expect([answer.status, answer.body.code]).toEqual([403, 'OWNER_ELSEWHERE'])
    }
    owner = await claim(node)
    expect((await node.ask('POST', '/api/session/owner', { body })).body.code).toBe('OWNER_EXISTS')
    const created = Object.fromEntries(
      await Promise.all(
        (['read', 'write', 'admin', 'feed'] as const).map(async (scope) => {
          const answer = await node.ask('POST', '/api/tokens', { cookie: owner, body: { scope } })
          return [scope, answer.body.secret] as const
        }),
      ),
    )
    tokens = created as typeof tokens
  })
})

describe('rights', () => {
  it('every operation refuses tokens with less than it needs, and a token of a feed altogether', async () => {
    for (const op of operations.filter((one) => one['x-right'] !== 'public')) {
      const needed = ORDER.indexOf(op['x-right'])
      for (const scope of ['feed', 'read', 'write'] as const) {
        if (scope !== 'feed' && ORDER.indexOf(scope) >= needed) continue
        const body = op.requestBody ? { body: {} } : {}
        const answer = await node.ask(
          op.method,
          addressOf(op, () => '1'),
          { token: tokens[scope], ...body },
        )
        expect([op.operationId, scope, answer.status, answer.body?.code]).toEqual([
          op.operationId,
          scope,
          403,
          'RIGHT_MISSING',
        ])
      }
    }
  })

  it('an unknown token or session is nobody', async () => {
    for (const credentials of [{ token: 'hw_wrong' }, { cookie: 'headwater_session=wrong' }]) {
      expect((await node.ask('GET', '/api/sources', credentials)).body.code).toBe('LOGIN_NEEDED')
    }
  })

  it('every write by cookie is refused to pages of other sites', async () => {
    for (const op of operations.filter(({ method }) => method !== 'GET')) {
      const body = op.requestBody ? { body: {} } : {}
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'null' },
      ]
      for (const headers of foreign) {
        const options = { cookie: owner, headers, ...body }
        const answer = await node.ask(
          op.method,
          addressOf(op, () => '1'),
          options,
        )
        expect([op.operationId, answer.status]).toEqual([op.operationId, 403])
      }
    }
    const plain = await node.ask('DELETE', '/api/sources/1', { cookie: owner, isBare: true })
    expect([plain.status, plain.body.code]).toEqual([403, 'ORIGIN_REFUSED'])
    const byToken = await node.ask('DELETE', '/api/sources/1', { token: tokens.admin, isBare: true })
    expect(byToken.body.code).toBe('SOURCE_NOT_FOUND')
  })
})

describe('wrong input', () => {
  it('every value that cannot be is refused, with its place', async () => {
    for (const op of operations) {
      for (const { name, in: location, schema } of op.parameters) {
        const isNumber = schema.type === 'integer' || schema.type === 'number'
        if (!isNumber && schema.enum === undefined) continue
        const rest = addressOf(op, (one) => (one === name && location === 'path' ? 'nonsense' : '1'))
        const address = location === 'path' ? rest : `${rest}?${name}=nonsense`
        const answer = await node.ask(op.method, address, {
          token: tokens.admin,
          ...(op.requestBody ? { body: {} } : {}),
        })
        expect([op.operationId, name, answer.status, answer.body?.code]).toEqual([
          op.operationId,
          name,
          400,
          'REQUEST_INVALID',
        ])
        expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(`${location}.${name}`)
      }
    }
  })

  it('every body that is not what the operation takes is refused', async () => {
    const limited = new Set(['logIn', 'claimNode', 'acceptInvitation', 'changePassword'])
    for (const op of operations.filter(({ requestBody }) => requestBody?.content['application/json'])) {
      if (limited.has(op.operationId)) continue
      const bodies = [[], { 'no such field': { x: 1 } }, 'text']
      for (const body of bodies) {
        const answer = await node.ask(
          op.method,
          addressOf(op, () => '1'),
          { token: tokens.admin, body },
        )
        expect([op.operationId, JSON.stringify(body), answer.status]).toEqual([
          op.operationId,
          JSON.stringify(body),
          400,
        ])
        expect(answer.headers['content-type']).toContain('application/problem+json')
      }
    }
    const broken = await node.ask('POST', '/api/tokens', {
      token: tokens.admin,
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([broken.status, broken.body.code]).toEqual([400, 'REQUEST_INVALID'])
  })

  it('what is not there is not found', async () => {
    const named = operations.filter(({ path }) => /\{(id|name|seq)\}/.test(path))
    for (const op of named) {
      const examples: Record<string, unknown> = {
        setSource: { weight: 2 },
        trustSource: { trust: 0.5 },
        setQueryFeed: { isPrivate: true },
        addFeedToken: {},
        setLetters: { senders: [] },
      }
      const body = examples[op.operationId] === undefined ? {} : { body: examples[op.operationId] }
      const answer = await node.ask(
        op.method,
        addressOf(op, () => '987654'),
        { token: tokens.admin, ...body },
      )
      expect([op.operationId, answer.status, answer.body?.code]).toEqual([
        op.operationId,
        404,
        expect.stringMatching(/_NOT_FOUND$/),
      ])
    }
  })
})

describe('every operation', () => {
  it('answers as the document says', async () => {
    const { store } = node.data
    const url = (path: string) => site.url(path)
    const done = new Set<string>()
    const use = async (
      id: string,
      values: Record<string, string | number> = {},
      options: Record<string, unknown> = {},
    ) => {
      const op = operations.find(({ operationId }) => operationId === id)!
      const inPath = (name: string) => String(values[name])
      const query = op.parameters.filter((p) => p.in === 'query' && values[p.name] !== undefined)
      const search = new URLSearchParams(query.map(({ name }): [string, string] => [name, String(values[name])]))
      const address = `${addressOf(op, inPath)}${search.size > 0 ? `?${search}` : ''}`
      const answer = await node.ask(op.method, address, { cookie: owner, ...options })
      const [status, response] = Object.entries(op.responses).find(([code]) => code !== 'default')!
      expect([id, String(answer.status)], answer.text.slice(0, 400)).toEqual([id, status])
      const schema = response.content?.['application/json']?.schema
      if (schema !== undefined) z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).parse(answer.body)
      else if (response.content !== undefined) {
        expect(answer.headers['content-type']).toContain(Object.keys(response.content)[0])
      } else expect(answer.text).toBe('')
      done.add(id)
      return answer
    }

    await use('health')
    await use('me')
    const invited = (await use('inviteUser', {}, { body: { name: 'Ann' } })).body
    expect(invited.url).toContain(invited.invitation)
    expect((await use('listUsers')).body.users).toMatchObject([{ role: 'owner' }, { name: 'Ann', isInvited: true }])
    const joined = await use('acceptInvitation', {}, { body: { invitation: invited.invitation, password: PASSWORD } })
    const ann = String(joined.headers['set-cookie']).split(';')[0]!
    expect((await node.ask('GET', '/api/session', { cookie: ann })).body.rights).toEqual(['read', 'write'])
    await use('changePassword', {}, { cookie: ann, body: { current: PASSWORD, password: `${PASSWORD}!` } })
    const again = await use('logIn', {}, { body: { name: 'ann', password: `${PASSWORD}!` } })
    await use('logOut', {}, { cookie: String(again.headers['set-cookie']).split(';')[0] })
    const token = (await use('addToken', {}, { body: { scope: 'read', label: 'phone' } })).body.token
    expect((await use('listTokens')).body.tokens.at(-1)).toMatchObject({ label: 'phone', scope: 'read' })
    await use('removeToken', { id: token.id })
    expect((await use('listAlerts')).body).toEqual({ alerts: [] })
    const entries = (await use('listAudit', { limit: 1 })).body
    expect(entries.entries[0]).toMatchObject({ action: 'token-revoked', subject: `token ${token.id}` })
    await node.ask('POST', '/api/tokens', { cookie: ann, body: { scope: 'read' } })
    expect((await use('removeTokens', {}, { cookie: ann })).body).toEqual({ removed: 1 })
    await use('logIn', {}, { body: { name: 'ann', password: `${PASSWORD}!` } })
    const sessions = (await use('listSessions', {}, { cookie: ann })).body.sessions
    expect(sessions.map(({ isThis }: { isThis: boolean }) => isThis)).toEqual([true, false])
    await use('endSession', { id: sessions[1].id }, { cookie: ann })
    await use('endOtherSessions', {}, { cookie: ann })

    const rule = { name: 'Ours', match: 'a.example/{x}', give: ['https://b.example/{x}'] }
    expect((await use('addAddressRule', {}, { body: rule })).body).toEqual({ ...rule, isForAll: false })
    expect((await use('listAddressRules')).body.rules).toEqual([{ ...rule, isForAll: false }])
    await use('removeAddressRule', { name: 'Ours' })
    const live = url('/live.opml')
    expect((await use('addLiveList', {}, { body: { url: live } })).body).toMatchObject({ url: live, sources: 0 })
    expect((await use('listLiveLists')).body.lists).toHaveLength(1)
    await use('removeLiveList', { url: live })
    const muting = { place: { kind: 'all' }, words: ['gossip'], action: 'mute' }
    const { rule: muted } = (await use('addRule', {}, { body: muting })).body
    expect(muted.query).toBe('RETURN ALL WHERE ITEM CONTAINS "gossip"')
    expect((await use('listRules')).body.rules).toEqual([muted])
    await use('removeRule', { id: muted.id })
    expect(JSON.parse((await use('exportItems')).text).items).toBeInstanceOf(Array)
    const found = (await use('discoverSource', {}, { body: { url: url('/feed') } })).body.feeds
    expect(found).toMatchObject([{ url: url('/feed'), title: 'Local', itemCount: 1, sourceId: null }])
    const page = (await use('suggestListings', {}, { body: { url: url('/page') } })).body
    const [{ listing }] = page.suggestions
    expect(page.suggestions[0]).toMatchObject({
      itemCount: 3,
      items: [{ title: 'Ice in the north', link: url('/0') }, {}, {}],
    })
    const listed = (await use('previewListing', {}, { body: { url: url('/page'), listing } })).body
    expect(listed).toMatchObject({ url: url('/page'), title: 'Page', itemCount: 3 })
    const asPage = (await node.ask('POST', '/api/sources', { cookie: owner, body: { url: url('/page'), listing } }))
      .body
    expect(asPage).toMatchObject({ added: true, source: { url: url('/page'), listing } })
    await node.ask('DELETE', `/api/sources/${asPage.source.id}`, { cookie: owner })
    const added = (await use('addSource', {}, { body: { url: url('/feed'), categories: ['News/Ice'] } })).body
    expect(added).toMatchObject({ added: true, source: { condition: 'new', categories: ['News/Ice'] } })
    const { id } = added.source
    const source = (await store.source(id))!
    await store.recordRefresh(
      record(source, {
        state: { ...source.state, status: 'active', title: 'Local', lastCheckAt: 1, lastSuccessAt: 1 },
        observation: {
          sourceId: id,
          previousAt: null,
          at: 1,
          newItems: 2,
          windowSize: 2,
          overlap: 'first',
          lostAtLeast: 0,
          itemTimes: [1],
          notModified: false,
          bytes: 10,
          latencyMs: 1,
        },
        decision: { cause: 'new', at: 1, price: 1, expected: null },
        newItems: [newItem('Ice melts', { content: '<p>Much <b>ice</b><script>x</script></p>' }), newItem('Sun')],
      }),
    )
    expect((await use('sourceTable')).body).toMatchObject({ count: 1, columns: { items: [2] } })
    expect((await use('listSources', { text: 'loc' })).body).toMatchObject({
      total: 1,
      sources: [{ items: 2 }],
      next: null,
    })
    await use('showSource', { id })
    expect((await use('setSource', { id }, { body: { name: 'Mine', weight: 2 } })).body).toMatchObject({ name: 'Mine' })
    await use('refreshSource', { id })
    expect((await use('sourceRefreshes', { id })).body.refreshes).toMatchObject([{ decision: { cause: 'new' } }])
    const { seen } = (await use('sourceModel', { id })).body
    expect(seen[3][0]).toBe(1)
    await use('trustSource', { id }, { body: { trust: 0.5 } })
    expect((await use('listCategories')).body.categories).toHaveLength(2)
    expect((await use('renameCategory', {}, { body: { from: 'News', to: 'World' } })).body.sources).toBe(1)
    expect((await store.source(id))?.categories).toEqual(['World/Ice'])
    expect((await use('exportOpml')).text).toContain(url('/feed'))
    const list = '<opml><body><outline text="B" xmlUrl="http://b.example/feed"/></body></opml>'
    const { job } = (await use('importOpml', {}, { body: list })).body
    await expect
      .poll(async () => (await use('showJob', { id: job.id })).body)
      .toMatchObject({
        state: 'done',
        result: { added: 1, known: 0, bad: [] },
      })

    const items = (await use('listItems', { text: 'ice' })).body.items
    expect(items).toMatchObject([{ title: 'Ice melts', isRead: false, excerpt: 'Much ice' }])
    const { seq } = items[0]
    expect((await use('showItem', { seq })).body.html).toBe('<p>Much <b>ice</b></p>')
    expect((await use('markItems', {}, { body: { seqs: [seq], isRead: true, isStarred: true } })).body.marked).toBe(1)
    expect((await use('unreadCounts')).body).toMatchObject({ all: 1, starred: 1 })
    await use('markAllRead', {}, { body: { category: 'World' } })
    expect((await use('unreadCounts')).body).toMatchObject({ all: 0 })

    const wrong = (await use('checkQueries', {}, { body: { text: 'CREATE FEED ice AS RETURN Mine WHER TITLE' } })).body
    expect(wrong).toMatchObject({ ok: false, errors: [{ line: 1 }] })
    const text = 'CREATE FEED ice AS RETURN Mine WHERE TITLE CONTAINS "ice"; CREATE FEED more AS RETURN ice;'
    expect((await use('checkQueries', {}, { body: { text } })).body).toMatchObject({ ok: true, statements: 2 })
    expect((await use('queryWords', { begins: 'mi' })).body.sources).toEqual(['Mine'])
    const preview = (await use('previewQueries', {}, { body: { text, over: 'all' } })).body
    expect(preview).toMatchObject({
      items: 2,
      isComplete: true,
      feeds: [{ name: 'ice', matches: 1, selectivity: 0.5 }, {}],
    })
    expect((await use('applyQueries', {}, { body: { text } })).body.done).toMatchObject([{ action: 'created' }, {}])
    expect((await use('listQueryFeeds')).body.feeds).toMatchObject([{ name: 'ice', owner: 'owner', isMine: true }, {}])
    expect((await use('queryGraph')).body.edges).toContainEqual({ from: 'feed:ice', to: 'feed:more', kind: 'reads' })
    expect((await use('setQueryFeed', { name: 'ice' }, { body: { isPrivate: true } })).body.isPrivate).toBe(true)
    const wish = { completeness: 0.95, meanDelayMs: null }
    await use('setQueryFeed', { name: 'ice' }, { body: { wish } })
    expect((await use('showQueryFeed', { name: 'ice' })).body.wish).toEqual({ ...wish, standing: null })
    await use('setWish', {}, { body: { wish } })
    const figures = { neededPerDay: 700, givenPerDay: 600, lackingPerDay: 100, at: 1 }
    const { id: ownerId } = (await store.userNamed('owner'))!
    await store.saveState(rawState('wishes'), JSON.stringify([{ payer: ownerId, wish, expected: null, ...figures }]))
    expect((await use('showWish')).body).toEqual({ wish: { ...wish, standing: figures } })
    expect((await use('setWish', {}, { body: { wish: null } })).body).toEqual({ wish: null })
    const opened = (await use('addFeedToken', { name: 'ice' }, { body: { label: 'me' } })).body
    expect((await use('showQueryFeed', { name: 'ice' })).body).toMatchObject({
      readBy: ['more'],
      tokens: [{ label: 'me' }],
    })
    await use('removeFeedToken', { name: 'ice', id: opened.id })
    const output = { kind: 'webhook', url: 'https://hook.example/' }
    await use('follow', {}, { body: { feed: '/feeds/ice' } })
    await use('follow', {}, { body: { feed: '/feeds/category/World/Ice' } })
    await use('follow', {}, { body: { feed: `/feeds/source/${id}` } })
    expect((await use('listFollows')).body.follows).toMatchObject([
      { feed: '/feeds/category/World/Ice', kind: 'category', name: 'World/Ice', followers: 1 },
      { feed: '/feeds/ice', kind: 'feed', name: 'ice' },
      { feed: `/feeds/source/${id}`, kind: 'source', sourceId: id },
    ])
    expect((await use('showSource', { id })).body).toMatchObject({ isFollowed: true, subscribers: 1 })
    await use('unfollow', { feed: '/feeds/ice' })
    expect((await use('listIcons', { sources: `${id},999` })).body).toEqual({ icons: [] })
    const icon = { type: 'image/png', hash: 'h', body: Buffer.from('picture') }
    const look = { at: 1, dueAt: 2, attempts: 0, failure: null }
    await store.recordIcon({ sourceId: id, ...look, found: icon })
    const { icons } = (await use('listIcons', { sources: `${id},999` })).body
    expect(icons).toEqual([{ sourceId: id, path: expect.stringMatching(/^\/icons\//) }])
    expect((await node.ask('GET', icons[0].path, { isBare: true })).text).toBe('picture')
    for (const feed of ['/feeds/nothing', '/feeds/category/Nothing', '/feeds/source/999', '/feeds/all', 'nonsense']) {
      const answer = await node.ask('PUT', '/api/follows', { cookie: owner, body: { feed } })
      expect([feed, answer.status]).toEqual([feed, feed.startsWith('/feeds/') && feed !== '/feeds/all' ? 404 : 400])
    }
    const { subscription } = (await use('subscribe', {}, { body: { feed: 'ice', output } })).body
    expect((await use('listSubscriptions')).body.subscriptions).toMatchObject([{ feed: 'ice', output }])
    expect((await use('showHub')).body).toEqual({ url: null, feeds: [], subscribers: [], refused: [] })
    expect((await use('showPushKey')).body.key).toMatch(/^[\w-]{87}$/)
    await use('listDeadLetters')
    await use('requeueDeadLetters', {}, { body: { subscriptionId: subscription.id } })
    await use('unsubscribe', { id: subscription.id })
    await use('dropQueryFeed', { name: 'more' })

    expect((await use('overview')).body).toMatchObject({
      counts: { sources: 2, items: 2 },
      budget: { requestsPerMinute: 60 },
    })
    await use('qualityReport')
    expect((await use('qualitySeries', { over: 'week' })).body.points).toHaveLength(7)
    await use('showBudget')
    expect((await use('showCluster')).body).toEqual({ data: node.config.dataDir, cluster: null })
    const other = await startNetworkNode()
    expect((await use('joinNetwork', {}, { body: { urls: [other.url] } })).body.nodes).toMatchObject([
      { url: other.url, failure: null },
    ])
    expect((await use('applyNetworkProposal', {}, { body: { feeds: [] } })).body).toEqual({ followed: [], paused: [] })
    const trusted = (await use('trustNetworkNode', {}, { body: { url: other.url } })).body
    expect((await use('showNetwork')).body.peers).toMatchObject([{ node: trusted.node }])
    await use('revokeNetworkNode', { node: trusted.node })
    await use('leaveNetworkNode', { url: other.url })
    await use('rotateNetworkKey')
    await other.stop()
    const changed = (await use('setBudget', {}, { body: { budget: '120/min', strategy: 'uniform' } })).body
    expect(changed).toMatchObject({ requestsPerMinute: 120, strategy: 'uniform' })
    await use('listFeeds')
    await use('setFeedAccess', {}, { body: { feed: '/feeds/all', isPrivate: true } })
    expect((await node.ask('GET', '/feeds/all.rss')).status).toBe(401)
    expect((await node.ask('GET', '/feeds/all.rss', { token: tokens.feed })).status).toBe(200)
    expect((await use('listSettings')).body.settings).toContainEqual(
      expect.objectContaining({ name: 'budget', from: 'file' }),
    )
    const checked = (await use('checkSettings', {}, { body: { port: 9000, minInterval: 'soon', nothing: 1 } })).body
    expect(checked.errors.map(({ name }: { name: string }) => name)).toEqual(['minInterval', 'nothing'])
    expect((await use('checkSettings', {}, { body: { strategy: 'nonsense' } })).body.errors).toMatchObject([
      { name: null },
    ])
    expect((await use('setSettings', {}, { body: { port: 9000 } })).body.needsRestart).toBe(true)
    const lab = (await use('runLab', {}, { body: { strategies: ['uniform'], requestsPerMinute: [10] } })).body.job
    await expect.poll(async () => (await use('showJob', { id: lab.id })).body.state).toBe('done')
    const { letters } = (await use('addLetters', {}, { body: { name: 'The Weekly' } })).body
    expect((await use('listLetters')).body.letters).toEqual([letters])
    await use('setLetters', { id: letters.id }, { body: { senders: ['@weekly.example'] } })
    const renewed = (await use('renewLetters', { id: letters.id })).body.letters
    expect(renewed.address).not.toBe(letters.address)
    await use('revokeLetters', { id: letters.id })
    await store.recordRefresh(
      record((await store.source(id))!, { newItems: [newItem('Far', { link: url('/far') })], fetchesPages: true }),
    )
    const far = (await store.duePages(Number.MAX_SAFE_INTEGER, { limit: 1 }))[0]!.seq
    const body = gzipSync(
      `<title>Far</title><main>${'<p>Ice lies on the sea, and nobody knows for how long it will.</p>'.repeat(9)}</main>`,
    )
    const kept = {
      finalUrl: url('/far'),
      contentType: 'text/html',
      etag: null,
      lastModified: null,
      facts: NO_FACTS,
      body,
      article: null,
    }
    await store.recordPage({
      seq: far,
      attempts: 1,
      dueAt: null,
      fetchedAt: 1,
      status: 200,
      failure: null,
      found: kept,
    })
    await use('fetchPageAgain', { seq: far })
    const siteRule = { name: 'Far', hosts: ['127.0.0.1'], content: ['main'] }
    const trial = { rule: siteRule, items: [far] }
    expect((await use('trySiteRule', {}, { body: trial })).body.trials).toMatchObject([{ seq: far, problems: [] }])
    await use('addSiteRule', {}, { body: trial })
    expect((await use('listSiteRules')).body.rules).toMatchObject([siteRule])
    await use('removeSiteRule', { name: 'Far' })
    await use('removeSource', { id })
    await use('removeUser', { id: invited.user.id })
    // A stream without an end, a file, and what can be done once only: their own tests below and in backup.test.ts.
    const elsewhere = ['events', 'backup', 'restore', 'claimNode']
    expect([...done, ...elsewhere].sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
  })
})
