import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followWithRules } from '../../src/app/rules/run-rules.ts'
import { createAccessReader } from '../../src/app/users/access.ts'
import { newItemOf } from '../../src/letters/letter-record.ts'
import { BLANK_ITEM, type ItemSeq } from '../../src/model/index.ts'
import { arrivalsOf } from '../../src/query/arrivals.ts'
import { parseQuery } from '../../src/query/language/parse.ts'
import { matchesNaively } from '../../src/query/match/naive.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'
import { addPerson, type TestUser } from '../support/people.ts'

const WORDS = ['ice', 'fire', 'Gossip', 'celebrity', 'sponsored', 'river', 'storm', 'bus-stop', 'straße']
const random = seededRandom(7)
const some = () => Array.from({ length: 4 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')

let node: ApiNode
let ann: TestUser
let bob: TestUser

/** Two sources in two folders; each gets as many items more. */
async function publish(from: number, count: number): Promise<void> {
  const { store } = node.data
  for (const source of await store.sources()) {
    const items = Array.from({ length: count }, (_, index) =>
      newItemOf(
        { ...BLANK_ITEM, id: `${from + index}`, title: some(), summary: `<p>${some()}</p>` },
        systemClock.now(),
      ),
    )
    const record = { sourceId: source.id, state: source.state, movedTo: null, observation: null, intake: null }
    await store.recordRefresh({ ...record, renamedItems: [], newItems: items, changedItems: [] })
  }
}

beforeAll(async () => {
  node = await openApiNode()
  ann = await addPerson(node.data.store, 'ann', 'owner', systemClock.now())
  bob = await addPerson(node.data.store, 'bob', 'member', systemClock.now())
  for (const name of ['News', 'Sport'])
    await node.ask('POST', '/api/sources', {
      cookie: ann.cookie,
      body: { url: `https://${name}.example/feed`, categories: [name], discover: false },
    })
  await publish(0, 250)
})
afterAll(() => node.close())

const follow = () => followWithRules({ store: node.data.store, access: createAccessReader(node.data.store) })

async function marked({ user }: TestUser, what: 'isRead' | 'isStarred'): Promise<ItemSeq[]> {
  const { store } = node.data
  const seqs = Array.from({ length: await store.lastItemSeq() }, (_, index) => index + 1)
  return [...(await store.marks(user.id, seqs))].filter(([, mark]) => mark[what]).map(([seq]) => seq)
}

/** By the query that the rule is shown as, and the plain meaning of queries. */
async function matching(text: string): Promise<ItemSeq[]> {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(text)
  const arrivals = await arrivalsOf(node.data.store, await node.data.store.itemsAfter(0, 10_000))
  return arrivals.filter((arrival) => matchesNaively(parsed.value, arrival)).map(({ item }) => item.seq)
}

describe('a rule is the query it is shown as, on 500 items that are there and 500 that come', () => {
  it.each([
    ['mute by words, everywhere', { kind: 'all' }, ['gossip', 'sponsored'], 'mute', 'isRead'],
    ['mark read in a folder', { kind: 'category', category: 'News' }, ['ice fire'], 'read', 'isRead'],
    ['star of a source', { kind: 'source', sourceId: 2 }, ['straße'], 'star', 'isStarred'],
    ['star all of a folder', { kind: 'category', category: 'Sport' }, [], 'star', 'isStarred'],
  ] as const)('%s', async (_name, place, words, action, what) => {
    const { store } = node.data
    await follow()
    await store.markItems(ann.user.id, [...(await marked(ann, 'isRead'))], { isRead: false })
    await store.markItems(ann.user.id, [...(await marked(ann, 'isStarred'))], { isStarred: false })
    const added = await node.ask('POST', '/api/rules', { cookie: ann.cookie, body: { place, words, action } })
    const { rule, applied } = added.body
    const before = await matching(rule.query)
    expect(await marked(ann, what)).toEqual(before)
    expect(applied).toBe(before.length)
    await publish(1_000 * rule.id, 250)
    await follow()
    const after = await matching(rule.query)
    expect(after.length).toBeGreaterThan(before.length)
    expect(await marked(ann, what)).toEqual(after)
    expect(await marked(bob, what)).toEqual([])
    expect((await node.ask('DELETE', `/api/rules/${rule.id}`, { cookie: bob.cookie })).body.code).toBe('RULE_NOT_FOUND')
    expect((await node.ask('DELETE', `/api/rules/${rule.id}`, { cookie: ann.cookie })).status).toBe(204)
  })
})

it('what is muted gets no star', async () => {
  const add = (body: object) => node.ask('POST', '/api/rules', { cookie: bob.cookie, body })
  await add({ place: { kind: 'all' }, words: ['gossip'], action: 'mute' })
  await add({ place: { kind: 'all' }, words: ['ice'], action: 'star' })
  const from = await node.data.store.lastItemSeq()
  await publish(90_000, 100)
  await follow()
  const muted = new Set(await matching('RETURN ALL WHERE ITEM CONTAINS gossip'))
  const starred = (await marked(bob, 'isStarred')).filter((seq) => seq > from)
  expect(starred.length).toBeGreaterThan(0)
  expect(starred.filter((seq) => muted.has(seq))).toEqual([])
})

it('a tag is a private query feed of its user, and goes with the rule', async () => {
  const body = { place: { kind: 'category', category: 'News' }, words: ['storm'], action: 'tag', tag: 'stormy' }
  const { rule } = (await node.ask('POST', '/api/rules', { cookie: bob.cookie, body })).body
  const [feed] = await node.data.store.queryFeeds()
  expect(feed).toMatchObject({ name: 'stormy', isPrivate: true })
  expect(feed?.text.replaceAll('\n', ' ')).toContain(rule.query)
  expect((await node.ask('GET', '/feeds/stormy.rss')).status).toBe(401)
  await node.ask('DELETE', `/api/rules/${rule.id}`, { cookie: bob.cookie })
  expect(await node.data.store.queryFeeds()).toEqual([])
})

it.each([
  ['of a source that is not there', { place: { kind: 'source', sourceId: 99 }, action: 'read' }, 'SOURCE_NOT_FOUND'],
  ['of a feed that is not there', { place: { kind: 'feed', feed: 'nix' }, action: 'read' }, 'FEED_NOT_FOUND'],
  ['with a tag without a name', { place: { kind: 'all' }, action: 'tag' }, 'REQUEST_INVALID'],
])('a rule %s is refused', async (_name, body, code) => {
  expect((await node.ask('POST', '/api/rules', { cookie: bob.cookie, body })).body.code).toBe(code)
})
