import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADDRESS_RULES } from '../../src/app/sources/address-rules.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { addPerson, type TestUser } from '../support/people.ts'
import { type ApiNode, openApiNode } from './api-node.ts'

let node: ApiNode
let site: LocalServer
let owner: TestUser
let ann: TestUser
let bob: TestUser

const FEED = (title: string) => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`

beforeAll(async () => {
  node = await openApiNode({ flags: { hostSpacing: 0 } })
  site = await startServer((request, response) => {
    const [, title] = /^\/feeds\/(.+)\.xml$/.exec(request.url ?? '') ?? []
    response.writeHead(title === undefined ? 404 : 200).end(title === undefined ? '' : FEED(title))
  })
  const { store } = node.data
  owner = await addPerson(store, 'owner', 'owner', systemClock.now())
  ann = await addPerson(store, 'ann', 'member', systemClock.now())
  bob = await addPerson(store, 'bob', 'member', systemClock.now())
})
afterAll(async () => {
  await node.close()
  await site.close()
})

const add = ({ cookie }: TestUser, rule: object) => node.ask('POST', '/api/address-rules', { cookie, body: rule })
const names = async ({ cookie }: TestUser) =>
  (await node.ask('GET', '/api/address-rules', { cookie })).body.rules.map(({ name }: { name: string }) => name)
const discover = ({ cookie }: TestUser, path: string) =>
  node.ask('POST', '/api/sources/discover', { cookie, body: { url: site.url(path) } })
const rule = (name: string, more: object = {}) => ({
  name,
  match: `127.0.0.1:${site.port}/people/{who}`,
  give: [`{origin}/feeds/${name}-{who}.xml`],
  ...more,
})

it('a rule leads its maker to a feed, and nobody else', async () => {
  expect((await add(ann, rule('hers'))).status).toBe(201)
  expect((await discover(ann, '/people/eve')).body.feeds).toMatchObject([
    { url: site.url('/feeds/hers-eve.xml'), title: 'hers-eve', rule: 'hers' },
  ])
  expect((await discover(bob, '/people/eve')).status).toBe(422)
  expect(await names(bob)).toEqual([])
  expect((await node.ask('DELETE', '/api/address-rules/hers', { cookie: bob.cookie })).status).toBe(404)
  expect(await names(ann)).toEqual(['hers'])
})

it('a rule for all needs the admin right, and comes after those of one’s own', async () => {
  expect((await add(ann, rule('all', { isForAll: true }))).body.code).toBe('RIGHT_MISSING')
  expect((await add(owner, rule('all', { isForAll: true }))).status).toBe(201)
  expect((await discover(bob, '/people/eve')).body.feeds).toMatchObject([{ title: 'all-eve' }])
  expect((await discover(ann, '/people/eve')).body.feeds).toMatchObject([{ title: 'hers-eve' }])
  const remove = (who: TestUser) => node.ask('DELETE', '/api/address-rules/all?isForAll=true', { cookie: who.cookie })
  expect((await remove(bob)).body.code).toBe('RIGHT_MISSING')
  expect((await remove(owner)).status).toBe(204)
  expect((await remove(owner)).body.code).toBe('ADDRESS_RULE_NOT_FOUND')
  const written = (await node.ask('GET', '/api/audit', { cookie: owner.cookie })).body.entries
  expect(written.filter(({ subject }: { subject: string }) => subject === 'address rule all')).toHaveLength(2)
})

it('adding a source follows it', async () => {
  const body = { url: site.url('/people/tom') }
  const added = await node.ask('POST', '/api/sources', { cookie: ann.cookie, body })
  expect(added.body.source.url).toBe(site.url('/feeds/hers-tom.xml'))
})

it('one of the same name is replaced; what is changed at once is all there', async () => {
  const many = Array.from({ length: 8 }, (_, index) => add(bob, rule(`b${index}`)))
  expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect((await add(bob, rule('B3'))).status).toBe(201)
  expect((await names(bob)).sort()).toEqual(['B3', 'b0', 'b1', 'b2', 'b4', 'b5', 'b6', 'b7'])
})

it('the rules of a user go with them', async () => {
  const eve = await addPerson(node.data.store, 'eve', 'member', systemClock.now())
  expect((await add(eve, rule('hers'))).status).toBe(201)
  const stored = async () =>
    (await node.data.store.state(ADDRESS_RULES)).filter(({ ownerId }) => ownerId === eve.user.id)
  expect(await stored()).toHaveLength(1)
  expect((await node.ask('DELETE', `/api/users/${eve.user.id}`, { cookie: owner.cookie })).status).toBe(204)
  expect(await stored()).toEqual([])
})

it('refuses what cannot be used, and says why', async () => {
  const refused = await add(ann, { name: 'x', match: 'a.example/{a}', give: ['https://b.example/{b}'] })
  expect([refused.status, refused.body.code]).toEqual([400, 'ADDRESS_RULE_INVALID'])
  expect(refused.body.detail).toContain('{b}')
})
