import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { CLEAN_HABITS, type FeedPlan } from '../../lab/worlds/feed-plan.ts'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { matchSource } from '../../src/query/arrivals.ts'
import { parseStatements } from '../../src/query/language/parse.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { extent } from '../support/extent.ts'
import { eventually, freePort, headwater, type NodeProcess, startServe, waitForRequests } from './world-node.ts'

const FEEDS = extent(100, 200)
const QUERIES = extent(150, 500)
const KILLS = extent(15, 30)
/** Before which of them queries are added, and altered. */
const [ADDED_BEFORE, ALTERED_BEFORE] = [extent(5, 10), extent(10, 20)]
const SEED = 20_262
const SECONDS_PER_ITEM = 30
const FIRST_ITEM_AT = systemClock.now() - 60_000
const KILLED_AT_START_SHARE = 0.2
const LONGEST_START_MS = 800
/** Feeds that are requested before a kill, at the most: well under a second of work. */
const MOST_ASKED = 30
const PUBLISHED_BETWEEN_MS = 3_000

const WORDS = 'ash bridge cloud delta ember fjord glacier harbour island jungle kelp lava marsh north ocean peak'.split(
  ' ',
)
const anyWord = `{${WORDS.join('|')}}`

const plans: FeedPlan[] = Array.from({ length: FEEDS }, (_, index) => ({
  title: `Feed ${index}`,
  category: `Folder ${index % 5}`,
  publication: {
    kind: 'sequence',
    phases: [
      { spec: { kind: 'silent' }, untilMs: FIRST_ITEM_AT },
      { spec: { kind: 'poisson', ratePerDay: 86_400 / SECONDS_PER_ITEM }, untilMs: Number.POSITIVE_INFINITY },
    ],
  },
  windowItems: 200,
  habits: { ...CLEAN_HABITS, format: index % 3 === 0 ? 'atom-1.0' : 'rss-2.0', ids: index % 4 === 0 ? 'link' : 'id' },
  fault: null,
  headlines: [`${anyWord} ${anyWord} ${anyWord}`],
}))

const word = (index: number) => `"${WORDS[index % WORDS.length]}"`

/** Filters over everything, folders, sources and other query feeds; every twentieth joins, every twenty-fifth is distinct. */
function bodyOf(index: number): string {
  const [a, b, c] = [word(index), word(index * 7 + 3), word(index * 5 + 1)]
  if (index % 20 === 7) {
    const negated = index % 40 === 7 ? 'NOT JOINED' : 'JOIN'
    const window = index % 60 === 7 ? 'LAST 40 ITEMS' : 'LAST 20 SECONDS'
    return `RETURN CATEGORY "Folder ${index % 5}" AS $v
      ${negated} ${window} ON CATEGORY "Folder ${(index + 1) % 5}" AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.4]
      WHERE TITLE CONTAINS ${a} OR ${b}`
  }
  if (index % 25 === 11) return `RETURN ALL WHERE TITLE CONTAINS ${a} DISTINCT BY TITLE LAST 1 MINUTE`
  switch (index % 5) {
    case 0:
      return `RETURN ALL WHERE TITLE CONTAINS ${a} AND (${b} OR NOT ${c})`
    case 1:
      return `RETURN CATEGORY "Folder ${index % 5}" WHERE ITEM CONTAINS ${a} OR ITEM CONTAINS "${WORDS[index % 7]} ${WORDS[index % 11]}"`
    case 2:
      return `RETURN source${index % FEEDS} AS $s | source${(index * 3) % FEEDS} AS $t WHERE $s[TITLE CONTAINS ${a}]`
    case 3:
      return index < 5
        ? 'RETURN ALL WHERE TITLE MATCHES /^[a-f]/'
        : `RETURN q${index - 3} WHERE NOT TITLE CONTAINS ${b}`
    default:
      return `RETURN ALL WHERE TITLE CONTAINS ${b} AND PUBLISHED IN LAST 1 DAY AND COUNT(TITLE) < 9`
  }
}

const created = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `CREATE FEED q${from + i} AS ${bodyOf(from + i)};`).join('\n')
/** Of some that others read, and of some with joins. */
const ALTERED = [12, 27, 46, 60, 87, 111]
const altered = (index: number) => `ALTER FEED q${index} AS ${bodyOf(index + 100)};`

let world: World
let folder: string
let node: NodeProcess | null = null
let publications: ReadonlyMap<string, readonly number[]>
let expected: ReadonlyMap<string, readonly number[]>
let items = 0
let firstHalfItems = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'query-kill-'))
  // Moved on by hand, so that a slow machine has no more items to go through than a fast one.
  world = await startWorld({ feeds: plans, speed: 0 })
  const registered = plans.map(
    (plan, i) => `REGISTER FEED "${world.feedUrl(i)}" AS source${i} CATEGORY "${plan.category}";`,
  )
  await apply(`${registered.join('\n')}\n${created(0, QUERIES / 2)}`)

  const random = seededRandom(SEED)
  const port = await freePort()
  const ranges = ['--data', folder, '--allow-range', 'loopback', '--budget', '6000/min']
  const serve = () => startServe(port, [...ranges, '--host-spacing', '0.1s', '--min-interval', '0.5s'])
  for (let kill = 0; kill < KILLS; kill++) {
    world.advance(PUBLISHED_BETWEEN_MS)
    node = serve()
    if (kill === ADDED_BEFORE || kill === ALTERED_BEFORE) {
      // Beside the running node, which is killed while it fills the new feeds from the archive.
      await node.ready()
      if (kill === ADDED_BEFORE) {
        // A fast machine asks little between two kills: the archive that fills the new feeds is waited for.
        await eventually(async () => (await countItems()) > FEEDS)
        firstHalfItems = await countItems()
      }
      await apply(kill === ADDED_BEFORE ? created(QUERIES / 2, QUERIES) : ALTERED.map(altered).join('\n'))
      await systemClock.sleep(random() * 300)
    } else if (random() < KILLED_AT_START_SHARE) await systemClock.sleep(random() * LONGEST_START_MS)
    else {
      await node.ready()
      world.advance(PUBLISHED_BETWEEN_MS)
      await waitForRequests(world, Math.ceil(random() * MOST_ASKED))
    }
    await node.kill()
  }
  node = serve()
  await node.ready()
  await waitUntilSettled()
  expect(await node.stop()).toBe(0)
  await collect()
})

afterAll(async () => {
  await node?.kill()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

function openData() {
  return openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
}

async function apply(text: string): Promise<void> {
  const path = join(folder, 'some.query')
  await writeFile(path, text)
  headwater('query', 'apply', path, '--back-fill', 'all', '--data', folder)
}

async function countItems(): Promise<number> {
  const { store } = await openData()
  const counts = await store.counts()
  await store.close()
  return counts.items
}

/** The world stands still: every source was refreshed once more, and the queries were evaluated on everything. */
async function waitUntilSettled(): Promise<void> {
  const { store } = await openData()
  const stoppedAt = systemClock.now()
  const allRefreshed = async () => (await store.sources()).every(({ state }) => (state.lastSuccessAt ?? 0) > stoppedAt)
  expect(await eventually(allRefreshed)).toBe(true)
  const allEvaluated = async () =>
    (await store.processedUpTo()) === (await store.lastItemSeq()) &&
    (await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null)
  expect(await eventually(allEvaluated)).toBe(true)
  await store.close()
}

async function collect(): Promise<void> {
  const { store } = await openData()
  const published = new Map<string, number[]>()
  for (const feed of await store.queryFeeds()) {
    const entries = await store.publicationsAfter(feed.id, { after: 0, limit: 1_000_000, withHistory: true })
    published.set(
      feed.name,
      entries.map(({ itemSeq }) => itemSeq),
    )
  }
  publications = published
  const sources = new Map((await store.sources()).map((source) => [source.id, matchSource(source)]))
  const archive = await store.itemsAfter(0, 1_000_000)
  items = archive.length
  await store.close()
  const naive = new NaiveEngine()
  const seqsByFeed = new Map<string, number[]>()
  for (const [name, query] of finalQueries()) {
    naive.set(name, query)
    seqsByFeed.set(name, [])
  }
  for (const item of archive) {
    for (const { feed } of naive.process({ item, source: sources.get(item.sourceId)! }))
      seqsByFeed.get(feed)!.push(item.seq)
  }
  expected = seqsByFeed
}

function finalQueries() {
  const parsed = parseStatements(`${created(0, QUERIES)}\n${ALTERED.map(altered).join('\n')}`)
  if (!parsed.ok) throw new Error('the queries of this test are wrong')
  return new Map(
    parsed.value.flatMap((statement) =>
      (statement.kind === 'create' || statement.kind === 'alter') && statement.query
        ? [[statement.feed.name, statement.query] as const]
        : [],
    ),
  )
}

describe(`${KILLS} times kill -9 while ${QUERIES} queries follow ${FEEDS} feeds (seed ${SEED})`, () => {
  it('was a real crawl, before and after half of the queries came', () => {
    expect(firstHalfItems).toBeGreaterThan(FEEDS)
    expect(items).toBeGreaterThan(firstHalfItems + FEEDS / 2)
    const sizes = [...expected.values()].map((seqs) => seqs.length)
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(QUERIES * 0.8)
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(10 * QUERIES)
  })

  it('every query feed holds exactly what the specification says, each item once', () => {
    const names = [...expected.keys()]
    expect([...publications.keys()].sort()).toEqual([...names].sort())
    const wrong = names.flatMap((name) => {
      const [is, ought] = [new Set(publications.get(name)), new Set(expected.get(name))]
      const missing = [...ought].filter((seq) => !is.has(seq))
      const tooMany = [...is].filter((seq) => !ought.has(seq))
      const doubled = publications.get(name)!.length - is.size
      return missing.length + tooMany.length + doubled === 0 ? [] : [{ name, missing, tooMany, doubled }]
    })
    expect(wrong).toEqual([])
  })

  it('in the order of arrival, where the query was not altered', () => {
    const changed = new Set(ALTERED.map((index) => `q${index}`))
    const unordered = [...publications].filter(
      ([name, seqs]) => !changed.has(name) && !readsAltered(name) && seqs.some((seq, i) => i > 0 && seq < seqs[i - 1]!),
    )
    expect(unordered.map(([name]) => name)).toEqual([])
  })
})

/** q(i) of every fifth reads q(i − 3). */
function readsAltered(name: string): boolean {
  const index = Number(name.slice(1))
  return ALTERED.some((one) => one === index - 3)
}
