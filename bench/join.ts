import { entryAt } from '../src/model/entry-at.ts'
import { BLANK_ITEM, DAY_MS } from '../src/model/index.ts'
import { type FeedArrival, type MatchSource, NO_SOURCE, parseQuery, QueryEngine } from '../src/query/index.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { measureCost, median, roundToPrecision } from './rounds.ts'
import { usedHeapBytes } from './schedule-memory.ts'
import { wordMaker } from './store-items.ts'

export interface BenchJoinOptions {
  /** At least 5. */
  readonly rounds?: number
  /** Items in the window of 24 hours, each number measured; default 50,000 and 100,000. */
  readonly items?: readonly number[]
}

const COPIED = 0.1
const RECENT = 1_000
const WARM_UP_ITEMS = 3_000
/** So many of the window's items are compared with it; the others only pass through it. */
const MOST_COMPARED = 10_000
const START = 1_700_000_000_000
const FEED = 'f'
const CLAUSES = [
  'JOIN LAST 24 HOURS ON ALL AS $w WITH TITLE SIMILAR $w.TITLE > 0.6',
  'JOIN LAST 24 HOURS ON ALL AS $w WITH ITEM SIMILAR $w.ITEM > 0.6',
  'JOIN LAST 24 HOURS ON ALL AS $w WITH LINK = $w.LINK',
  'DISTINCT BY SIMILAR > 0.8 LAST 24 HOURS',
]
const SOURCE: MatchSource = { ...NO_SOURCE, url: 'https://example.org/' }

/**
 * Items per second of CPU time through a query feed with a join: each is compared with a full window of 24 hours, then
 * enters it, and one leaves. The bytes in use when the window is full, when all of it was replaced once and when it was
 * replaced again, and bytes per item at two sizes, show whether memory is bounded by it. Items have eight words of title and forty of text; a tenth
 * repeats an earlier one with one word of the title changed.
 */
export async function benchJoin(options: BenchJoinOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 5)
  const sizes = options.items ?? [50_000, 100_000]
  const joins = []
  for (const clause of CLAUSES) {
    // Compiles the code and settles the heap; nothing of it is counted.
    await measured(clause, Math.min(...sizes, WARM_UP_ITEMS), 1)
    for (const size of sizes) joins.push(await measured(clause, size, rounds))
  }
  return { bench: 'join', windowHours: 24, rounds, joins }
}

async function measured(clause: string, size: number, rounds: number) {
  const run = new Run(clause, size)
  const compared = Math.min(size, MOST_COMPARED)
  for (let round = 0; round < rounds; round++) await run.round(Math.ceil(compared / rounds))
  run.pass(size - compared)
  const bytesRenewed = usedHeapBytes()
  run.pass(size)
  return run.figures(bytesRenewed)
}

class Run {
  private readonly clause: string
  private readonly size: number
  private readonly engine = new QueryEngine()
  private readonly next: () => FeedArrival
  private readonly msPerItem: number[] = []
  private readonly bytesBefore: number
  private readonly bytesFull: number
  private items = 0
  private matches = 0

  constructor(clause: string, size: number) {
    this.clause = clause
    this.size = size
    this.next = stream(size)
    const query = parseQuery(`RETURN ALL ${clause}`)
    if (!query.ok) throw new Error(entryAt(query.errors, 0).message)
    // The stream remembers some items of its own.
    for (let i = 0; i < RECENT; i++) this.next()
    this.bytesBefore = usedHeapBytes()
    this.engine.set(FEED, query.value)
    this.pass(size)
    this.bytesFull = usedHeapBytes()
  }

  /** Through the window, without being compared. */
  pass(count: number): void {
    for (let i = 0; i < count; i++) this.engine.remember({ ...this.next(), feeds: [FEED] })
  }

  async round(count: number): Promise<void> {
    const batch = 1_000
    let cpuMs = 0
    for (let done = 0; done < count; done += batch) {
      const items = Array.from({ length: Math.min(batch, count - done) }, this.next)
      const cost = await measureCost(async () => {
        for (const item of items) this.matches += this.engine.process(item).length
      })
      cpuMs += cost.cpuMs
    }
    this.items += count
    this.msPerItem.push(cpuMs / count)
  }

  figures(bytesRenewed: number) {
    const bytes = usedHeapBytes() - this.bytesBefore
    const megabytes = (bytes: number) => roundToPrecision((bytes - this.bytesBefore) / 1e6)
    const { remembered } = this.engine
    return {
      clause: this.clause,
      itemsInWindow: this.size,
      itemsPerSecond: roundToPrecision(1_000 / median(this.msPerItem)),
      keptShare: roundToPrecision(this.matches / this.items),
      remembered,
      megabytesWhenFull: megabytes(this.bytesFull),
      megabytesWhenRenewed: megabytes(bytesRenewed),
      megabytesWhenRenewedAgain: roundToPrecision(bytes / 1e6),
      bytesPerItem: Math.round(bytes / Math.max(1, remembered)),
    }
  }
}

/** As many items in 24 hours as the window is to hold. */
function stream(size: number): () => FeedArrival {
  const random = seededRandom(5)
  const word = wordMaker(random)
  const text = (words: number) => Array.from({ length: words }, word).join(' ')
  const recent: { readonly title: string; readonly link: string; readonly summary: string }[] = []
  let seq = 0
  return () => {
    seq += 1
    const at = START + Math.round((seq * DAY_MS) / size)
    const earlier = random() < COPIED ? recent[Math.floor(random() * recent.length)] : undefined
    const fields =
      earlier === undefined
        ? { title: text(8), link: `https://example.org/${seq}`, summary: text(40) }
        : { ...earlier, title: earlier.title.replace(/\S+$/, 'again') }
    recent[recent.length < RECENT ? recent.length : Math.floor(random() * RECENT)] = fields
    return { item: { ...BLANK_ITEM, ...fields, seq, firstSeenAt: at, sortAt: at }, source: SOURCE }
  }
}
