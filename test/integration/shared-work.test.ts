import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { matchSource } from '../../src/query/arrivals.ts'
import { parseQuery } from '../../src/query/language/parse.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import type { QueryChange } from '../../src/store/query-feeds.ts'
import type { Store } from '../../src/store/store.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { testDatabase } from '../support/postgres.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { startRole } from './role-processes.ts'

const WORDS = ['ash', 'bridge', 'cloud', 'delta', 'ember', 'fjord']
/** Many that have nothing to do with each other, so that both matchers and both publishers have some; then cascades and joins. */
const QUERIES = [
  ...WORDS.flatMap((word) => [
    `RETURN ALL WHERE TITLE CONTAINS "${word}"`,
    ...WORDS.slice(0, 3).map((other) => `RETURN ALL WHERE TITLE CONTAINS "${word}" OR "${other}"`),
  ]),
  'RETURN q1 | q5 WHERE NOT TITLE CONTAINS "ember"',
  'RETURN q25 AS $v JOIN LAST 9 ITEMS ON q9 AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.3]',
  'RETURN ALL WHERE TITLE CONTAINS "delta" OR "fjord" DISTINCT BY TITLE LAST 20 ITEMS',
  'RETURN q27 WHERE TITLE CONTAINS "delta"',
]
/** So many of them have a subscriber. */
const SUBSCRIBED = 16
const nameOf = (at: number) => `q${at + 1}`

interface Message {
  readonly by: string
  readonly feed: string
  readonly id: string
  readonly seq: number
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const until = async (what: string, isTrue: () => Promise<boolean> | boolean) =>
  expect([what, await eventually(isTrue)]).toEqual([what, true])

/** What each feed holds, and what one process that sees all items in their order would have put there. */
async function contents(store: Store) {
  const naive = new NaiveEngine()
  const is: Record<string, number[]> = {}
  const ought: Record<string, number[]> = {}
  for (const { id, name, text } of await store.queryFeeds()) {
    const parsed = parseQuery(text)
    if (!parsed.ok) throw new Error(`the query of ${name} is wrong`)
    naive.set(name, parsed.value)
    ought[name] = []
    is[name] = (await store.publicationsAfter(id, { after: 0, limit: 10_000 })).map(({ itemSeq }) => itemSeq)
  }
  const sources = new Map((await store.sources()).map((source) => [source.id, matchSource(source)]))
  for (const item of await store.itemsAfter(0, 10_000)) {
    const source = sources.get(item.sourceId)
    if (source === undefined) continue
    for (const { feed } of naive.process({ item, source })) ought[feed]?.push(item.seq)
  }
  return { is, ought }
}

it('two matchers and two publishers share queries and subscriptions; one of each goes on when the other is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-shared-'))
  ends.push(async () => rmSync(folder, { recursive: true, force: true }))
  const database = await testDatabase()
  ends.push(() => database.drop())
  const keyFile = join(folder, 'headwater.key')
  const { store } = await openPostgresStore({ url: database.url, clock: systemClock, keyFile })
  ends.push(() => store.close())

  const messages: Message[] = []
  let hangsFor: string | null = null
  const hook = await startServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { seq, feed } = JSON.parse(Buffer.concat(chunks).toString()) as { seq: number; feed: { name: string } }
    const by = String(request.headers['user-agent'])
    messages.push({ by, feed: feed.name, id: String(request.headers['webhook-id']), seq })
    if (by !== hangsFor) response.end()
  })
  ends.push(() => hook.close())
  const feeds: readonly QueryChange[] = QUERIES.flatMap((body, at): QueryChange[] => {
    const name = nameOf(at)
    const text = `CREATE FEED ${name} AS ${body};`
    const output = { kind: 'webhook', url: hook.url(`/${name}`) } as const
    const save: QueryChange = { kind: 'save-feed', name, title: null, limit: null, text, catchUp: { after: 0 } }
    const subscribe: QueryChange = { kind: 'subscribe', feed: name, output, everyMs: null, secret: 'whsec_c2VjcmV0' }
    return at < SUBSCRIBED ? [save, subscribe] : [save]
  })
  const source = await addSource(store, 'https://a.example/feed')
  await store.changeQueries(feeds, await store.queryRevision(), systemClock.now())

  const flags = ['--data', folder, '--store', database.url]
  const started = await Promise.all([
    ...['one', 'two'].map(() => startRole('matcher', flags)),
    ...['one', 'two'].map((name) => startRole('publisher', [...flags, '--user-agent', name])),
  ])
  ends.push(() => Promise.all(started.map((role) => role.kill())))
  const [matcher, , publisher] = started
  const ownersOf = (role: string) =>
    database.run(
      `SELECT owner, count(*)::integer AS shards FROM lease WHERE role = '${role}' AND owner IS NOT NULL GROUP BY 1`,
    )
  for (const role of ['matcher', 'publisher']) {
    await until(`two ${role}s have all shards`, async () => {
      const owners = await ownersOf(role)
      return owners.length === 2 && owners.reduce((sum, { shards }) => sum + Number(shards), 0) === 32
    })
  }

  const random = seededRandom(9)
  const word = () => WORDS[Math.floor(random() * WORDS.length)]
  const arrive = (count: number) =>
    storeItems(
      store,
      source.id,
      Array.from({ length: count }, () => ({ title: `${word()} ${word()}` })),
    )
  const isEvaluated = async () =>
    (await store.processedUpTo()) === (await store.lastItemSeq()) &&
    (await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null)
  const isDelivered = async () => {
    const states = await Promise.all(
      (await store.subscriptions()).map(async ({ feedId, deliveredSeq }) => {
        return deliveredSeq >= (await store.publicationState(feedId)).lastSeq
      }),
    )
    return states.every(Boolean)
  }
  for (let batch = 0; batch < 4; batch++) await arrive(10)
  await until('all is evaluated', isEvaluated)
  await until('all is delivered', isDelivered)
  const byMatcher = await database.run(
    `SELECT l.owner FROM publication p JOIN query_feed_shard s USING (feed_id) JOIN lease l ON l.shard = s.shard
     WHERE l.role = 'matcher' GROUP BY l.owner`,
  )
  expect(byMatcher).toHaveLength(2)
  expect(new Set(messages.map(({ by }) => by))).toEqual(new Set(['one', 'two']))
  expect(new Set(messages.map(({ id, feed }) => `${id} ${feed}`)).size).toBe(messages.length)

  // A message is taken, and the publisher dies before it can write that down.
  hangsFor = 'one'
  const before = messages.length
  await arrive(10)
  const hanging = () => messages.slice(before).filter(({ by }) => by === 'one')
  await until('messages are under way', () => hanging().length > 0)
  await Promise.all([publisher?.kill(), matcher?.kill()])
  await arrive(20)
  await until('the others evaluate all', isEvaluated)
  await until('and deliver all', isDelivered)

  const { is, ought } = await contents(store)
  expect(is).toEqual(ought)
  expect(Object.values(ought).every((seqs) => seqs.length > 3)).toBe(true)
  const sent = 'SELECT count(*)::integer AS count FROM publication JOIN subscription USING (feed_id)'
  const [{ count } = { count: 0 }] = await database.run(sent)
  const repeated = hanging().map(({ id, feed }) => messages.filter((one) => one.id === id && one.feed === feed))
  expect(repeated.every((both) => both.map(({ by }) => by).join() === 'one,two')).toBe(true)
  expect(messages.length).toBe(Number(count) + repeated.length)
  expect(new Set(messages.map(({ seq }) => seq)).size).toBe(Number(count))
})
