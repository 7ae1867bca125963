import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { ItemQuery, NewItem, Store } from '../src/store/store.ts'
import { type Cost, measureCost, median, medianCost, roundToPrecision } from './rounds.ts'
import { itemMaker, wordMaker } from './store-items.ts'
import { addSources, refreshRecord } from './store-records.ts'

const SOURCES = 1_000
const ITEMS_PER_SOURCE = 20
/** Refreshes under way at once, as in the crawl bench. */
const IN_FLIGHT = 32
const LARGE = 100_000

/**
 * What the archive costs beyond bare inserts, and what it gives for it: the same items into a table without any index,
 * in batches of a thousand, and through `recordRefresh` (state, observation, identity, buffer, indices, full text
 * complete at the end).
 */
export async function benchStore(options: {
  readonly rounds?: number
  readonly store?: string
  readonly seconds?: number
}): Promise<object> {
  if (options.store !== undefined) return benchServer({ ...options, store: options.store })
  const rounds = Math.max(5, options.rounds ?? 5)
  const make = itemMaker(seededRandom(1))
  const feeds = Array.from({ length: SOURCES }, (_, source) =>
    Array.from({ length: ITEMS_PER_SOURCE }, (_, index) => make(source, index)),
  )
  await round(feeds)
  const results: Round[] = []
  for (let i = 0; i < rounds; i++) results.push(await round(feeds))
  const count = SOURCES * ITEMS_PER_SOURCE
  const figures = (pick: (r: Round) => Cost) => {
    const cost = medianCost(results.map(pick))
    return {
      itemsPerSecond: roundToPrecision((count * 1_000) / cost.wallMs),
      itemsPerCpuSecond: roundToPrecision((count * 1_000) / cost.cpuMs),
      cpuMicrosPerItem: roundToPrecision((cost.cpuMs * 1_000) / count),
    }
  }
  return {
    sources: SOURCES,
    items: count,
    rounds,
    bareInserts: figures((r) => r.bare),
    store: figures((r) => r.store),
    extraCpuMicrosPerItem: roundToPrecision(
      median(results.map((r) => ((r.store.cpuMs - r.bare.cpuMs) * 1_000) / count)),
    ),
    unchangedRefreshes: {
      cpuMicrosPerRefresh: roundToPrecision(median(results.map((r) => (r.unchanged.cpuMs * 1_000) / SOURCES))),
    },
    duplicateChecksPerCpuSecond: roundToPrecision((count * 1_000) / median(results.map((r) => r.known.cpuMs))),
    bytesPerItem: Math.round(entryAt(results, 0).bytes / count),
    large: await large(),
  }
}

/** `pg` is loaded where it is asked for. */
async function benchServer({
  store,
  rounds = 5,
  seconds = 10,
}: {
  readonly store: string
  readonly rounds?: number
  readonly seconds?: number
}): Promise<object> {
  return (await import('./store-postgres.ts')).benchPostgresStore({ store, rounds, seconds })
}

interface Round {
  readonly bare: Cost
  readonly store: Cost
  readonly unchanged: Cost
  readonly known: Cost
  readonly bytes: number
}

async function round(feeds: readonly (readonly NewItem[])[]): Promise<Round> {
  return inFolder(async (folder) => {
    const bare = await measureCost(async () => bareInserts(join(folder, 'bare.db'), feeds.flat()))
    const path = join(folder, 'store.db')
    const { store } = await openSqliteStore({ path, clock: systemClock })
    const ids = (await addSources(store, feeds.length)).map(({ id }) => id)
    const stored = await measureCost(async () => {
      await record(store, ids, feeds, 1)
      await complete(store)
    })
    const unchanged = await measureCost(() =>
      record(
        store,
        ids,
        feeds.map(() => []),
        2,
      ),
    )
    const known = await measureCost(async () => {
      for (const [at, items] of feeds.entries()) {
        const found = await store.knownItems(
          entryAt(ids, at),
          items.map(({ key }) => key),
        )
        if (found.size !== items.length) throw new Error('an item was not stored')
      }
    })
    await store.close()
    return { bare, store: stored, unchanged, known, bytes: sizeOf(path) }
  })
}

function bareInserts(path: string, items: readonly NewItem[]): void {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(
    'CREATE TABLE items (url TEXT, id TEXT, title TEXT, link TEXT, published INTEGER, summary TEXT, content TEXT)',
  )
  const statement = db.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insert = db.transaction((batch: readonly NewItem[]) => {
    for (const i of batch) statement.run('http://x/', i.id, i.title, i.link, i.published, i.summary, i.content)
  })
  for (let at = 0; at < items.length; at += 1_000) insert(items.slice(at, at + 1_000))
  db.close()
}

/** Each source refreshed once, a number of them at a time: read the source, answer, record. */
async function record(
  store: Store,
  ids: readonly number[],
  feeds: readonly (readonly NewItem[])[],
  at: number,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < ids.length) {
      const index = next++
      const newItems = entryAt(feeds, index)
      const source = (await store.source(entryAt(ids, index)))!
      // An answer from the network lets the event loop turn.
      await new Promise((resolve) => setImmediate(resolve))
      await store.recordRefresh(refreshRecord(source, newItems, at))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

/** A search brings the full-text index up to date. */
async function complete(store: Store): Promise<void> {
  await store.items({ scope: { kind: 'all' }, text: 'complete', limit: 1 })
}

/** Reading from an archive of 100,000 items of 10,000 sources. */
async function large(): Promise<object> {
  return inFolder(async (folder) => {
    const random = seededRandom(2)
    const make = itemMaker(random)
    const word = wordMaker(seededRandom(2))
    const { store } = await openSqliteStore({ path: join(folder, 'large.db'), clock: systemClock })
    const sources = 10_000
    const added = await addSources(store, sources, (index) => [
      'Everything',
      ...(index < 3 ? ['Tiny'] : []),
      ...(index % 20 === 0 ? ['Twentieth'] : []),
    ])
    const ids = added.map(({ id }) => id)
    const perSource = LARGE / sources
    for (let from = 0; from < sources; from += 1_000) {
      const some = ids.slice(from, from + 1_000)
      await record(
        store,
        some,
        some.map((id) => Array.from({ length: perSource }, (_, index) => make(id, index))),
        1,
      )
    }
    await complete(store)
    const { common, rare } = commonAndRare(word)
    const [first] = await store.items({ scope: { kind: 'source', sourceId: entryAt(ids, 0) }, limit: 1 })
    const phrase = first!.title!.split(' ').slice(0, 3).join(' ')
    const all = { scope: { kind: 'all' }, limit: 50 } as const
    const category = (name: string) => ({ scope: { kind: 'category', category: name }, limit: 50 }) as const
    const ms = async (query: ItemQuery) => roundToPrecision(await medianMs(() => store.items(query)))
    const result = {
      items: (await store.counts()).items,
      newestMs: await ms(all),
      categoryOf3SourcesMs: await ms(category('Tiny')),
      categoryOf500SourcesMs: await ms(category('Twentieth')),
      categoryOf10000SourcesMs: await ms(category('Everything')),
      searchCommonWordMs: await ms({ ...all, text: common }),
      searchRareWordMs: await ms({ ...all, text: rare }),
      searchTwoWordsMs: await ms({ ...all, text: `${common} ${rare}` }),
      searchPhraseMs: await ms({ ...all, text: `"${phrase}"` }),
      searchCommonInTinyCategoryMs: await ms({ ...category('Tiny'), text: common }),
    }
    await store.close()
    return result
  })
}

function commonAndRare(word: () => string): { readonly common: string; readonly rare: string } {
  const counts = new Map<string, number>()
  for (let i = 0; i < 5_000; i++) {
    const next = word()
    counts.set(next, (counts.get(next) ?? 0) + 1)
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([one]) => one)
  return { common: entryAt(byCount, 0), rare: byCount.findLast((one) => one.length > 8)! }
}

async function medianMs(action: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 7; i++) times.push((await measureCost(action)).wallMs)
  return median(times)
}

function sizeOf(path: string): number {
  const db = new Database(path, { readonly: true })
  const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
  db.close()
  return bytes
}

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
