import { Matcher, parseQuery } from '../src/query/index.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { benchItems, QueryMaker } from './match-queries.ts'
import { corporaFolder, generatedDocuments, realDocuments } from './parse-documents.ts'
import { measureCost, median } from './rounds.ts'
import { usedHeapBytes } from './schedule-memory.ts'

const QUERIES = 1_000
const ITEMS = 300
const ROUNDS = 5

/** What it takes to match an item against a thousand queries. */
export async function measureMatching(corpora: string | undefined) {
  const folder = corporaFolder(corpora)
  const items = benchItems(folder === null ? generatedDocuments() : realDocuments(folder))
  const maker = new QueryMaker(items, seededRandom(4))
  const queries = Array.from({ length: QUERIES }, () => parseQuery(maker.next()))
  const before = usedHeapBytes()
  const matcher = new Matcher()
  for (const [index, query] of queries.entries()) if (query.ok) matcher.add(`query-${index}`, query.value)
  // Which words are rare is learnt from items, as on a node that has run for a while.
  for (const item of items) matcher.match(item)
  const heapBytesPerQuery = (usedHeapBytes() - before) / QUERIES
  const some = items.slice(0, ITEMS)
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { cpuMs } = await measureCost(async () => {
      for (const item of some) matcher.match(item)
    })
    rounds.push((1_000 * cpuMs) / some.length)
  }
  return { queries: QUERIES, cpuMicrosPerItem: median(rounds), heapBytesPerQuery }
}
