import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { entryAt, propertyAt } from '../../../src/model/entry-at.ts'
import { DAY_MS } from '../../../src/model/index.ts'
import type { AttackClass, AttackEffort } from '../attack.ts'
import { rss } from '../documents.ts'
import { archivedTitles, compareTitles, type GrowingFeeds, growingFeeds } from '../growing-feeds.ts'
import type { HostileServer } from '../servers.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const FEEDS = 4
const INTERVAL_MS = 1_000
const ITEMS_A_POLL = 9_000
/** What a node stores of a source whose past says nothing; older pages may bring four times as many. */
const ALLOWANCE = 5_000
const OLDER_PAGES = 4
/** Of the flood with pages: in its window, and on each older page. */
const WINDOW = 20
const PAGE = 400
/** The disk may hold so many times what the documents held: texts, their index, the write-ahead log. */
const GROWTH = 4
const LOG_BYTES = 64 * 1024 ** 2
/** Others may be refreshed so much more rarely, on average, than the same feeds by a node without a flood at the same time. */
const RARER = 3
const FLAGS = [...NEAR, '--budget', '6000/min', '--min-interval', '100ms', '--host-concurrency', '16']

export const flood: AttackClass = {
  name: 'flood',
  promise:
    'Feeds that are new, or edited, in every respect at every poll store no more than their allowance, and the others keep their schedule, their places and every item',
  async run(stage, effort) {
    const { node, feeds } = await startFollowing(stage)
    const calm = await startFollowing(stage)
    const it: Attack = { stage, node, feeds, effort, hits: [], tries: 0, figures: {} }
    const floods = await pour(it)
    await settle(it, floods)
    await watch(it, calm.feeds)
    await calm.node.kill()
    schedule(it)
    await bounds(it, floods, 1)
    await visible(it)
    if (effort === 'full') await nextDay(it, floods)
    await whole(it)
    return { tries: it.tries, hits: it.hits, figures: it.figures }
  },
}

/** A node that follows feeds of its own, each refreshed a few times. */
async function startFollowing(stage: AttackStage): Promise<Pick<Attack, 'node' | 'feeds'>> {
  const feeds = await growingFeeds(stage, FEEDS)
  const node = await stage.startNode({ flags: FLAGS, clockOffsetMs: 0 })
  await feeds.follow(node, INTERVAL_MS)
  await stage.eventually(() => feeds.requestCounts.every((count) => count > 3))
  return { node, feeds }
}

interface Attack {
  readonly stage: AttackStage
  readonly node: AttackedNode
  readonly feeds: GrowingFeeds
  readonly effort: AttackEffort
  readonly hits: string[]
  readonly figures: Record<string, number>
  tries: number
}

interface Flood {
  readonly name: string
  readonly id: number
  /** Polls of it so far. */
  requestCount(): number
  readonly bytesAPoll: number
  /** Stored at most by the first poll, and by each day. */
  readonly atFirst: number
  readonly aDay: number
}

/** Some plain ones, some that edit all they have, and one that hides behind older pages. */
async function pour(it: Attack): Promise<readonly Flood[]> {
  const plain = Array.from({ length: it.effort === 'full' ? 6 : 2 }, (_, index) => `plain${index}`)
  const edits = it.effort === 'full' ? ['edits0', 'edits1'] : ['edits0']
  const names = it.effort === 'full' ? [...plain, ...edits, 'pages'] : [...plain, ...edits]
  const polls = new Map(names.map((name) => [name, 0]))
  const server: HostileServer = await it.stage.startServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const name = url.pathname.slice(1)
    const page = Number(url.searchParams.get('page') ?? 0)
    if (page === 0) polls.set(name, polls.get(name)! + 1)
    const stamp = `${name} ${polls.get(name)} ${page}`
    const body = () => {
      if (name === 'pages') return paged(stamp, page, server.url(`/pages?page=${page + 1}`))
      return fresh(stamp, ITEMS_A_POLL, isEdits(name) ? name : stamp)
    }
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body())
  })
  const floods: Flood[] = []
  for (const name of names) {
    const settings = { url: server.url(`/${name}`), discover: false, intervalMs: INTERVAL_MS }
    const { source } = await it.node.owner.must('POST', '/api/sources', settings)
    const hasPages = name === 'pages'
    floods.push({
      name,
      id: source.id,
      requestCount: () => polls.get(name)!,
      bytesAPoll: fresh('x', 100).length * (ITEMS_A_POLL / 100),
      atFirst: hasPages ? WINDOW : ITEMS_A_POLL,
      // The page at which the bound is reached is still taken.
      aDay: hasPages ? ALLOWANCE * (1 + OLDER_PAGES) + ALLOWANCE : isEdits(name) ? 0 : ALLOWANCE,
    })
  }
  it.figures['floods'] = floods.length
  return floods
}

/** Nothing of theirs is new, so nothing is refused and they are refreshed as usual. */
const isEdits = (name: string) => name.startsWith('edits')

/** New texts, and new ids and links where these go by the stamp too. */
function fresh(stamp: string, count: number, name = stamp): string {
  return rss(
    'flood',
    Array.from({ length: count }, (_, n) => {
      const text = `${stamp} ${n}`
      return { id: `${name} ${n}`, html: `${text}: ${'what nobody has ever written before, '.repeat(8)}${text}` }
    }),
  )
}

function paged(stamp: string, page: number, next: string): string {
  const link = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="${next}"/>`
  return fresh(stamp, page === 0 ? WINDOW : PAGE).replace('<description>', `${link}<description>`)
}

/** Until the first polls of each are over, which may take as long as they take. */
async function settle(it: Attack, floods: readonly Flood[]): Promise<void> {
  const plain = floods.filter(({ name }) => name !== 'pages')
  const isSeen = () => it.stage.eventually(() => plain.every(({ requestCount }) => requestCount() >= 2))
  it.tries += floods.length
  if (!(await isSeen())) it.hits.push('not every flood was refreshed twice: the node is held up')
  const from = it.feeds.requestCounts.map((count) => count)
  await it.stage.eventually(() => it.feeds.requestCounts.every((count, feed) => count > entryAt(from, feed) + 2))
}

/**
 * How often the others are refreshed in a few of their intervals, and how often at the same time the same feeds are by a node that
 * nobody floods: what a busy machine does, it does to both.
 */
async function watch(it: Attack, ofCalmNode: GrowingFeeds): Promise<void> {
  const looks = it.effort === 'full' ? 20 : 4
  const watched = [it.feeds, ofCalmNode].map((feeds) => ({ feeds, from: feeds.requestCounts.map((count) => count) }))
  await it.stage.eventually(() =>
    watched.every(({ feeds, from }) =>
      feeds.requestCounts.every((count, feed) => count >= entryAt(from, feed) + looks),
    ),
  )
  for (const [index, { feeds, from }] of watched.entries()) {
    const gaps = feeds.arrivalsMs.flatMap((times, feed) => {
      const since = times.slice(Math.max(0, entryAt(from, feed) - 1))
      return since.slice(1).map((at, place) => at - entryAt(since, place))
    })
    const name = index === 0 ? 'Beside' : 'OfCalmNode'
    it.figures[`meanIntervalMs${name}`] = Math.round(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length)
    it.figures[`longestIntervalMs${name}`] = Math.round(Math.max(...gaps))
  }
}

function schedule({ figures, hits }: Attack): void {
  const [calm, beside] = [propertyAt(figures, 'meanIntervalMsOfCalmNode'), propertyAt(figures, 'meanIntervalMsBeside')]
  if (beside > RARER * calm)
    hits.push(`others are refreshed every ${beside} ms beside the flood, ${calm} by a node without one`)
}

/** What is stored of the floods, on how much disk, and how often they are refreshed. `days`: that they have flooded. */
async function bounds(it: Attack, floods: readonly Flood[], days: number): Promise<void> {
  let most = LOG_BYTES
  for (const { id, name, atFirst, aDay, requestCount, bytesAPoll } of floods) {
    it.tries++
    const { items, refusal, intake } = await it.node.owner.must('GET', `/api/sources/${id}`)
    it.figures[`items_${name}`] = items
    if (items > atFirst + days * aDay) it.hits.push(`${name}: ${items} items stored after ${days} days`)
    if (name === 'pages') continue
    most += GROWTH * bytesAPoll * ((atFirst + days * aDay) / ITEMS_A_POLL)
    if (isEdits(name)) continue
    if (refusal === null || intake.refused === 0) it.hits.push(`${name}: no alarm says that it floods`)
    // The first, the one that was refused something on each day, and one by the way.
    if (requestCount() > 2 + days)
      it.hits.push(`${name}: requested ${requestCount()} times in ${days} days for what is refused`)
  }
  const bytes = bytesIn(it.node.dataDir)
  it.figures['dataMiB'] = Math.round(bytes / 1024 ** 2)
  if (bytes > most) it.hits.push(`the data folder has ${bytes} bytes; ${Math.round(most)} were to be expected at most`)
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size)
  }, 0)
}

/** Every other feed has places in the feed of everything. */
async function visible(it: Attack): Promise<void> {
  const { node, hits, figures } = it
  it.tries++
  const { status, body } = await node.ask('GET', '/feeds/all.json')
  const titles: readonly string[] = status === 200 ? body.items.map((one: { readonly title: string }) => one.title) : []
  const others = titles.filter((title) => /^feed \d+ item/.test(title))
  figures['othersInFeedOfAll'] = others.length
  for (let feed = 0; feed < FEEDS; feed++) {
    if (!others.some((title) => title.startsWith(`feed ${feed} `)))
      hits.push(`/feeds/all shows nothing of feed ${feed}`)
  }
}

/** After a kill, a day later: once more as much, and no more. */
async function nextDay(it: Attack, floods: readonly Flood[]): Promise<void> {
  const before = floods.map(({ requestCount }) => requestCount())
  await it.node.kill()
  it.node.shiftClock(DAY_MS)
  await it.node.start()
  const plain = floods.flatMap((one, index) => (one.name === 'pages' ? [] : [{ one, before: entryAt(before, index) }]))
  const isSeen = await it.stage.eventually(() =>
    plain.every(({ one, before: countBefore }) => one.requestCount() > countBefore),
  )
  if (!isSeen) it.hits.push('floods are not refreshed on the next day')
  const from = it.feeds.requestCounts.map((count) => count)
  await it.stage.eventually(() => it.feeds.requestCounts.every((count, feed) => count > entryAt(from, feed) + 5))
  await bounds(it, floods, 2)
  await visible(it)
}

/** Everything that others ever showed is there, once. */
async function whole(it: Attack): Promise<void> {
  it.tries++
  const { node, feeds } = it
  feeds.stop()
  const expected = feeds.titles()
  const from = feeds.requestCounts.map((count) => count)
  await it.stage.eventually(() => feeds.requestCounts.every((count, feed) => count > entryAt(from, feed) + 2))
  const { sources } = await node.owner.must('GET', '/api/sources?text=feed&limit=100')
  const found: string[] = []
  for (const { id, name } of sources as readonly { readonly id: number; readonly name: string }[]) {
    if (/^feed \d+$/.test(name)) found.push(...(await archivedTitles(node, `&sourceId=${id}`)))
  }
  it.figures['itemsOfOthers'] = found.length
  it.hits.push(...compareTitles('the archive', expected, found))
}
