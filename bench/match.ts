import { entryAt } from '../src/model/entry-at.ts'
import type { FeedQuery, MatchItem, QueryCondition } from '../src/query/index.ts'
import { Matcher, parseQuery } from '../src/query/index.ts'
import { seededRandom } from '../src/runtime/random.ts'
import {
  ftsExpression,
  type NaiveQuery,
  naiveQuery,
  OneRowTable,
  type TokenSets,
  tokenSets,
} from './match-baselines.ts'
import { benchItems, QueryMaker } from './match-queries.ts'
import { corporaFolder, generatedDocuments, realDocuments } from './parse-documents.ts'
import { measureCost, median, roundToPrecision } from './rounds.ts'
import { usedHeapBytes } from './schedule-memory.ts'

export interface BenchMatchOptions {
  /** How many queries are registered; default 1,000, 10,000 and 100,000. */
  readonly queries?: readonly number[]
  readonly corpora?: string
  /** Interleaved rounds, at least 5. */
  readonly rounds?: number
}

const SIZES = [1_000, 10_000, 100_000]
const ITEMS_PER_ROUND = 300
const WARM_UP_PASSES = 3
const WARM_UP_QUERIES = 300
const NAIVE_ITEMS_PER_ROUND = 12
const FTS_QUERIES = 300
const FTS_ITEMS = 3
const LEAST_FASTER = 50
const MOST_CANDIDATES_PER_MATCH = 2.5
const MOST_SLOWER = 20

/**
 * Items per second of CPU time, from feed items (markup, folding and all), against many queries at once; beside a naive
 * evaluation of each query over the item's token set, and FTS5 MATCH over a table of one row, in the same run.
 */
export async function benchMatch(options: BenchMatchOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 7)
  const folder = corporaFolder(options.corpora)
  const items = benchItems(folder === null ? generatedDocuments() : realDocuments(folder))
  const makers = new QueryMaker(items, seededRandom(4))
  // Compiles the code and settles the heap; nothing of it is counted.
  prepare(WARM_UP_QUERIES, makers, items)
  const sizes = (options.queries ?? SIZES).map((count) => prepare(count, makers, items))
  const naive = new NaiveRun(sizes.at(-1)!, items)
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) await size.round(items, round)
    await naive.round(round)
  }
  const smallest = entryAt(sizes, 0)
  const largest = sizes.at(-1)!
  const slower = median(largest.msPerItem.map((ms, round) => ms / entryAt(smallest.msPerItem, round)))
  const faster = median(naive.msPerItem.map((ms, round) => ms / entryAt(largest.msPerItem, round)))
  const candidates = largest.figures().candidatesPerMatch
  return {
    bench: 'match',
    items: folder === null ? 'generated: ../shared/corpora is missing' : 'real, from ../shared/corpora',
    distinctItems: items.length,
    wordsPerItem: roundToPrecision(naive.wordsPerItem),
    rounds,
    itemsPerRound: ITEMS_PER_ROUND,
    sizes: sizes.map((size) => size.figures()),
    naive: { queries: largest.count, msPerItem: roundToPrecision(median(naive.msPerItem)), agrees: naive.agrees },
    fts5: await measureFts(largest, items),
    fasterThanNaive: { ratio: roundToPrecision(faster), atLeast: LEAST_FASTER, ok: faster >= LEAST_FASTER },
    candidatesPerMatch: {
      ratio: candidates,
      atMost: MOST_CANDIDATES_PER_MATCH,
      ok: candidates <= MOST_CANDIDATES_PER_MATCH,
    },
    largestToSmallest: { ratio: roundToPrecision(slower), atMost: MOST_SLOWER, ok: slower <= MOST_SLOWER },
  }
}

class Size {
  readonly count: number
  readonly queries: readonly FeedQuery[]
  readonly msPerItem: number[] = []
  private readonly matcher: Matcher
  private readonly bytesPerQuery: number
  private readonly addedPerSecond: number
  private readonly totals = { items: 0, scanned: 0, candidates: 0, matches: 0 }
  private fewest = Number.POSITIVE_INFINITY
  private most = 0

  constructor(queries: readonly FeedQuery[], matcher: Matcher, bytesPerQuery: number, addedPerSecond: number) {
    this.count = queries.length
    this.queries = queries
    this.matcher = matcher
    this.bytesPerQuery = bytesPerQuery
    this.addedPerSecond = addedPerSecond
  }

  async round(items: readonly MatchItem[], round: number): Promise<void> {
    const chosen = slice(items, round, ITEMS_PER_ROUND)
    const { cpuMs } = await measureCost(async () => {
      for (const item of chosen) this.matchOne(item)
    })
    this.msPerItem.push(cpuMs / chosen.length)
  }

  match(item: MatchItem): string[] {
    return this.matcher.match(item)
  }

  private matchOne(item: MatchItem): void {
    this.matcher.match(item)
    const { scanned, candidates, matches } = this.matcher.lastCost
    this.totals.items += 1
    this.totals.scanned += scanned
    this.totals.candidates += candidates
    this.totals.matches += matches
    this.fewest = Math.min(this.fewest, matches)
    this.most = Math.max(this.most, matches)
  }

  figures() {
    const { items, scanned, candidates, matches } = this.totals
    const msPerItem = median(this.msPerItem)
    return {
      itemsPerSecond: roundToPrecision(1_000 / msPerItem),
      msPerItem: roundToPrecision(msPerItem),
      bytesPerQuery: Math.round(this.bytesPerQuery),
      queriesAddedPerSecond: roundToPrecision(this.addedPerSecond),
      matchesPerItem: { mean: roundToPrecision(matches / items), fewest: this.fewest, most: this.most },
      candidatesPerMatch: roundToPrecision(candidates / matches),
      entriesReadPerMatch: roundToPrecision(scanned / matches),
      ...this.matcher.size,
    }
  }
}

function prepare(count: number, maker: QueryMaker, items: readonly MatchItem[]): Size {
  const queries = Array.from({ length: count }, () => parseOrThrow(maker.next()))
  const before = usedHeapBytes()
  const matcher = new Matcher()
  const start = process.cpuUsage()
  queries.forEach((query, index) => {
    matcher.add(`query-${index}`, query)
  })
  const { user, system } = process.cpuUsage(start)
  // Which words are rare is learnt from items, and keys are moved with them: as on a node that has run for a while.
  for (let pass = 0; pass < WARM_UP_PASSES; pass++) for (const item of items) matcher.match(item)
  return new Size(queries, matcher, (usedHeapBytes() - before) / count, count / ((user + system) / 1e6))
}

function parseOrThrow(text: string): FeedQuery {
  const query = parseQuery(text)
  if (!query.ok) throw new Error(`${text}: ${entryAt(query.errors, 0).message}`)
  return query.value
}

const condition = (query: FeedQuery): QueryCondition => query.where!

class NaiveRun {
  readonly msPerItem: number[] = []
  readonly wordsPerItem: number
  agrees = true
  private readonly queries: readonly NaiveQuery[]
  private readonly items: readonly MatchItem[]
  private readonly size: Size

  constructor(size: Size, items: readonly MatchItem[]) {
    this.size = size
    this.items = items
    this.queries = size.queries.map((query) => naiveQuery(condition(query)))
    const sets = items.map(tokenSets)
    this.wordsPerItem =
      sets.reduce((sum, { ITEM }) => sum + ITEM.texts.join(' ').trim().split(/ +/).length, 0) / items.length
  }

  async round(round: number): Promise<void> {
    const chosen = slice(this.items, round, NAIVE_ITEMS_PER_ROUND)
    const found: number[] = []
    const { cpuMs } = await measureCost(async () => {
      for (const item of chosen) found.push(this.matchesOf(tokenSets(item)))
    })
    this.msPerItem.push(cpuMs / chosen.length)
    chosen.forEach((item, index) => {
      if (this.size.match(item).length !== found[index]) this.agrees = false
    })
  }

  private matchesOf(item: TokenSets): number {
    let found = 0
    for (const query of this.queries) if (query(item)) found += 1
    return found
  }
}

function sampleQueries({ count, queries }: Size): Size['queries'] {
  const step = Math.max(1, Math.floor(count / FTS_QUERIES))
  return queries.filter((_, index) => index % step === 0).slice(0, FTS_QUERIES)
}

async function measureFts(size: Size, items: readonly MatchItem[]): Promise<object> {
  const table = new OneRowTable()
  const sample = sampleQueries(size)
  const expressions = sample.map((query) => ftsExpression(condition(query)))
  const chosen = slice(items, 3, FTS_ITEMS).map(tokenSets)
  let found = 0
  const { cpuMs } = await measureCost(async () => {
    for (const item of chosen) {
      table.load(item)
      for (const expression of expressions) if (table.matches(expression)) found += 1
    }
  })
  const naive = sample.map((query) => naiveQuery(condition(query)))
  const expected = chosen.reduce((sum, item) => sum + naive.filter((query) => query(item)).length, 0)
  table.close()
  const perQueryMs = cpuMs / (chosen.length * expressions.length)
  const allMs = perQueryMs * size.count
  return {
    sampledQueries: expressions.length,
    microsecondsPerQuery: roundToPrecision(perQueryMs * 1_000),
    msPerItemForAll: roundToPrecision(allMs),
    timesSlowerThanMatcher: roundToPrecision(allMs / median(size.msPerItem)),
    agrees: found === expected,
  }
}

/** A different part of the items in each round. */
function slice(items: readonly MatchItem[], round: number, count: number): MatchItem[] {
  return Array.from({ length: Math.min(count, items.length) }, (_, index) =>
    entryAt(items, (round * count + index) % items.length),
  )
}
