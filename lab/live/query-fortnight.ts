import { sourceRelevance } from '../../src/app/crawling/importance.ts'
import { createShareReader } from '../../src/app/crawling/shares.ts'
import { createQualityService } from '../../src/app/quality/quality.ts'
import { entryAt } from '../../src/model/entry-at.ts'
import {
  DAY_MS,
  HOUR_MS,
  type InstantMs,
  type Item,
  MINUTE_MS,
  type Random,
  type Source,
  type SourceId,
} from '../../src/model/index.ts'
import { matchSource } from '../../src/query/arrivals.ts'
import type { FeedQuery } from '../../src/query/language/ast.ts'
import { parseQuery } from '../../src/query/language/parse.ts'
import { matchesNaively } from '../../src/query/match/naive.ts'
import { type QueryDeps, runQueries } from '../../src/query/query-pipeline.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { allSources } from '../../src/store/all-sources.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type SimSource, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface QueryFortnight {
  readonly days: number
  readonly sources: number
  readonly queries: number
  readonly seed: number
  /** Of the database. */
  readonly path: string
}

/** The largest differences between what the node says and what is so, over all queries. */
export interface AgainstExact {
  /** Of a query and a source, in shares. */
  readonly selectivity: number
  /** Of a feed, in shares. */
  readonly completeness: number
  /** Publications of a feed. */
  readonly items: number
  /** The least weight that a source had of which a query keeps everything, refreshed from the first moment on. */
  readonly leastWeight: number
  /** What was compared, to see that there was something. */
  readonly pairs: number
  readonly feeds: number
  readonly published: number
  readonly lost: number
}

const START = Date.UTC(2026, 0, 5)
/** Queries begin when every source was refreshed. */
const BEGIN = START + 6 * HOUR_MS
const WINDOW = 15
const LOOK_EVERY_MS = 10 * MINUTE_MS
const WORDS = ['ice', 'sea', 'fire', 'wind', 'rain', 'sand']
const ARCHIVE_SHARE = 0.1

/**
 * Sources of 20 to 100 items a day, each refreshed eight times a day, so that the busy ones lose some; queries at
 * random, of which a third says nothing about some source. Crawler, query pipeline, store and measures are those of the
 * node.
 */
export async function runQueryFortnight(run: QueryFortnight): Promise<AgainstExact> {
  const random = seededRandom(run.seed)
  const endMs = START + run.days * DAY_MS
  const sources = Array.from({ length: run.sources }, (_, index) =>
    simSource(index + 1, arrivalTimes(20 + 80 * random(), endMs, random), WINDOW),
  )
  const titles = sources.map(({ times }, index) => titlesOf(index, times.length, random))
  const texts = Array.from({ length: run.queries }, () => randomQuery(run.sources, random))
  const clock = new VirtualClock(START)
  const data = await openSqliteStore({ path: run.path, clock })
  const { store } = data
  const stopping = new AbortController()
  const buffer: QueryDeps['buffer'] = {
    register: (...args) => data.buffer.register(...args),
    unregister: (reader) => data.buffer.unregister(reader),
    read: (...args) => data.buffer.read(...args),
    acknowledge: (...given) => data.buffer.acknowledge(...given),
    // The buffer itself looks several times a second, which is often in a fortnight.
    waitForEntries: (_, signal) => clock.sleep(LOOK_EVERY_MS, signal),
  }
  const queries = runQueries(
    { store, buffer, notifier: data.notifier, clock, review: async () => [], lookEveryMs: LOOK_EVERY_MS },
    stopping.signal,
  )
  const weights: number[] = []
  let known = new Set<string>()
  const begin = async () => {
    known = new Set((await itemsOf(store)).map(({ id }) => id!))
    await saveQueries(texts, store, BEGIN)
    weights.push(await leastWeight(texts, store, clock.now()))
  }
  const follow = async () => {
    await waitUntilSettled(store, clock)
    weights.push(await leastWeight(texts, store, clock.now()))
  }
  const steps = Array.from({ length: run.days * 4 - 1 }, (_, k) => START + (k + 1) * 6 * HOUR_MS)
  await runLive({
    clock,
    data,
    fetcher: documentFetcher(sources, clock, (index, k) => entryAt(entryAt(titles, index), k)),
    urls: sources.map((_, index) => feedUrl(index)),
    settingsOf: (index) => ({ categories: [`Shelf ${index % 4}`] }),
    endMs,
    seed: run.seed,
    flags: { strategy: 'uniform', budget: `${run.sources * 8}/day` },
    at: steps.map((ms) => ({ ms, action: ms === BEGIN ? begin : follow })),
  })
  await waitUntilSettled(store, clock)
  stopping.abort()
  clock.wakeAll()
  await queries
  const found = await compare({ run, texts, titles, sources, known, store, clock })
  await store.close()
  return { ...found, leastWeight: Math.min(...weights) }
}

function arrivalTimes(perDay: number, endMs: InstantMs, random: Random): Float64Array {
  const times: number[] = []
  for (let at = START - DAY_MS; at < endMs; at += (-Math.log(1 - random()) * DAY_MS) / perDay) times.push(at)
  return Float64Array.from(times)
}

/** A word is in a title by a chance of its own, whatever the source. */
function titlesOf(index: number, count: number, random: Random): string[] {
  const words = () => WORDS.filter((_, w) => random() < 0.2 + 0.1 * w)
  return Array.from({ length: count }, (_, k) => [`Item ${index}-${k}`, ...words()].join(' '))
}

function randomQuery(sources: number, random: Random): string {
  const word = () => `TITLE CONTAINS ${WORDS[Math.floor(random() * WORDS.length)]}`
  const shelf = () => `CATEGORY "Shelf ${Math.floor(random() * 4)}"`
  const one = () => `"${feedUrl(Math.floor(random() * sources))}"`
  const forms = [
    () => 'RETURN ALL',
    () => `RETURN ${shelf()}`,
    () => `RETURN ${shelf()} | ${one()}`,
    () => `RETURN ALL WHERE ${word()}`,
    () => `RETURN ALL WHERE NOT ${word()}`,
    () => `RETURN ALL WHERE ${word()} OR ${word()}`,
    () => `RETURN ${shelf()} | ${shelf()} | ${one()} WHERE ${word()}`,
    () => `RETURN ${shelf()} AS $a | ${shelf()} AS $b WHERE $a[${word()}]`,
    () => `RETURN ALL AS $a | ${one()} AS $b WHERE $a[${word()} AND ${word()}]`,
  ]
  return entryAt(forms, Math.floor(random() * forms.length))()
}

async function saveQueries(texts: readonly string[], store: Store, now: InstantMs): Promise<void> {
  const user = { name: 'ann', role: 'owner' as const, passwordHash: null, invitation: null }
  const owner = (await store.addUser(user, now))!
  const common = { kind: 'save-feed' as const, title: null, limit: null, catchUp: 'from now' as const }
  const first = { isPrivate: false, ownerId: owner.id }
  const changes = texts.map((text, k) => ({ ...common, first, name: `q${k}`, text: `CREATE FEED q${k} AS ${text}` }))
  await store.changeQueries(changes, await store.queryRevision(), now)
}

/** Time stands still until the queries have seen everything. */
async function waitUntilSettled(store: Store, clock: VirtualClock): Promise<void> {
  for (;;) {
    const isFollowing = (await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null)
    if (isFollowing && (await store.processedUpTo()) === (await store.lastItemSeq())) return
    clock.wakeAll()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function itemsOf(store: Store): Promise<readonly Item[]> {
  return store.itemsAfter(0, 1e6)
}

/** Read from the text as a person would: a part without a word in it keeps everything. */
function isPlain(text: string, source: Source): boolean {
  const [from, where] = text.slice('RETURN '.length).split(' WHERE ')
  return from!.split(' | ').some((part) => {
    const [origin, variable] = part.split(' AS ')
    const isSaid = where !== undefined && (variable === undefined || where.includes(`${variable}[`))
    const isIts =
      origin === 'ALL' || origin!.includes(`"${source.url}"`) || origin!.includes(`"${source.categories[0]}"`)
    return isIts && !isSaid
  })
}

async function leastWeight(texts: readonly string[], store: Store, now: InstantMs): Promise<number> {
  const { of, others } = await sourceRelevance(store, ARCHIVE_SHARE)(now)
  const whole = (await allSources(store)).filter((source) => texts.some((text) => isPlain(text, source)))
  return Math.min(...whole.map(({ id }) => of.get(id) ?? others))
}

interface EndedRun {
  readonly run: QueryFortnight
  readonly texts: readonly string[]
  readonly titles: readonly (readonly string[])[]
  readonly sources: readonly SimSource[]
  /** Items that were there before the queries. */
  readonly known: ReadonlySet<string>
  readonly store: Store
  readonly clock: VirtualClock
}

interface Truth {
  readonly fetchedIds: readonly string[]
  readonly lost: readonly string[]
}

/** What the world has published since the queries began, up to the newest item that the node has of each source. */
function truthOf({ sources, known }: EndedRun, archived: ReadonlySet<string>): readonly Truth[] {
  return sources.map(({ times }, index) => {
    const ids = Array.from(times, (_, k) => `${index}-${k}`)
    const first = ids.findLastIndex((id) => known.has(id)) + 1
    const fresh = ids.slice(first, ids.findLastIndex((id) => archived.has(id)) + 1)
    return { fetchedIds: fresh.filter((id) => archived.has(id)), lost: fresh.filter((id) => !archived.has(id)) }
  })
}

async function compare(ended: EndedRun): Promise<Omit<AgainstExact, 'leastWeight'>> {
  const { run, texts, titles, store, clock } = ended
  const archive = new Map((await itemsOf(store)).map((item) => [item.id!, item]))
  const truth = truthOf(ended, new Set(archive.keys()))
  const rows = await allSources(store)
  const [sample] = archive.values()
  const keeps = (query: FeedQuery, source: Source, id: string) => {
    const [index, k] = id.split('-').map(Number) as [number, number]
    return matchesNaively(query, {
      item: { ...sample!, title: entryAt(entryAt(titles, index), k) },
      source: matchSource(source),
    })
  }
  const shares = createShareReader(store)
  const quality = createQualityService(store, clock, null, shares)
  const worst = { selectivity: 0, completeness: 0, items: 0, pairs: 0, feeds: 0, published: 0, lost: 0 }
  for (const [k, text] of texts.entries()) {
    const parsed = parseQuery(text)
    if (!parsed.ok) throw new Error(text)
    const feed = (await store.queryFeed(`q${k}`))!
    const known = new Map((await shares.ofFeed(feed.id)).map((one) => [one.sourceId, one.share] as [SourceId, number]))
    let [fetched, lost] = [0, 0]
    for (const [index, of] of truth.entries()) {
      const source = rows.find(({ url }) => url === feedUrl(index))!
      const matching = of.fetchedIds.filter((id) => keeps(parsed.value, source, id)).length
      fetched += matching
      lost += of.lost.filter((id) => keeps(parsed.value, source, id)).length
      const difference = Math.abs((known.get(source.id) ?? 0) - matching / of.fetchedIds.length)
      worst.selectivity = Math.max(worst.selectivity, difference)
      worst.pairs += matching > 0 ? 1 : 0
    }
    const measures = await quality.between(`feed:q${k}`, BEGIN, START + run.days * DAY_MS + HOUR_MS)
    worst.items = Math.max(worst.items, Math.abs(measures.items - fetched))
    const exact = fetched + lost > 0 ? fetched / (fetched + lost) : 1
    worst.completeness = Math.max(worst.completeness, Math.abs((measures.completeness?.value ?? 1) - exact))
    worst.feeds += 1
    worst.published += fetched
    worst.lost += lost
  }
  return worst
}
