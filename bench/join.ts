import { DAY_MS, type ParsedItem } from '../src/model/index.ts'
import { type FeedArrival, type MatchSource, parseQuery, QueryEngine } from '../src/query/index.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { costOf, median, rounded } from './rounds.ts'
import { heldBytes } from './schedule-memory.ts'
import { wordMaker } from './store-items.ts'

export interface BenchJoinOptions {
  /** At least 5. */
  readonly rounds?: number
  /** Items in the window of 24 hours; default 100,000. */
  readonly items?: number
}

const COPIED = 0.1
const RECENT = 1_000
const WARM_UP_ITEMS = 3_000
const START = 1_700_000_000_000
const FEED = 'f'
const CLAUSES = [
  'JOIN LAST 24 HOURS ON ALL AS $w WITH TITLE SIMILAR $w.TITLE > 0.6',
  'JOIN LAST 24 HOURS ON ALL AS $w WITH LINK = $w.LINK',
  'DISTINCT BY SIMILAR > 0.8 LAST 24 HOURS',
]
const BARE: ParsedItem = {
  id: null,
  title: null,
  link: null,
  published: null,
  updated: null,
  authors: [],
  categories: [],
  summary: null,
  content: null,
  enclosures: [],
  language: null,
  commentsUrl: null,
  image: null,
  extensions: null,
}
const SOURCE: MatchSource = { url: 'https://example.org/', name: null, title: null, categories: [], language: null }

/**
 * Items per second of CPU time through a query feed with a join: each is compared with a full window of 24 hours, then
 * enters it, and one leaves. All rounds together renew the window once, so the bytes held afterwards show whether memory
 * is bounded by it. A tenth of the items repeats an earlier one with one word of the title changed.
 */
export async function benchJoin(options: BenchJoinOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 5)
  const size = options.items ?? 100_000
  // Compiles the code and settles the heap; nothing of it is counted.
  for (const clause of CLAUSES) await measured(clause, Math.min(size, WARM_UP_ITEMS), 1)
  const joins = []
  for (const clause of CLAUSES) joins.push(await measured(clause, size, rounds))
  return { bench: 'join', windowHours: 24, itemsInWindow: size, rounds, joins }
}

async function measured(clause: string, size: number, rounds: number) {
  const run = new Run(clause, size)
  for (let round = 0; round < rounds; round++) await run.round(Math.ceil(size / rounds))
  return run.figures()
}

class Run {
  private readonly clause: string
  private readonly engine = new QueryEngine()
  private readonly next: () => FeedArrival
  private readonly msPerItem: number[] = []
  private readonly bytesBefore: number
  private readonly bytesFull: number
  private items = 0
  private kept = 0

  constructor(clause: string, size: number) {
    this.clause = clause
    this.next = stream(size)
    const query = parseQuery(`RETURN ALL ${clause}`)
    if (!query.ok) throw new Error(query.errors[0]!.message)
    // The stream remembers some items of its own.
    for (let i = 0; i < RECENT; i++) this.next()
    this.bytesBefore = heldBytes()
    this.engine.set(FEED, query.value)
    for (let i = 0; i < size; i++) this.engine.remember({ ...this.next(), feeds: [FEED] })
    this.bytesFull = heldBytes()
  }

  async round(count: number): Promise<void> {
    const batch = 1_000
    let cpuMs = 0
    for (let done = 0; done < count; done += batch) {
      const items = Array.from({ length: Math.min(batch, count - done) }, this.next)
      const cost = await costOf(async () => {
        for (const item of items) this.kept += this.engine.process(item).length
      })
      cpuMs += cost.cpuMs
    }
    this.items += count
    this.msPerItem.push(cpuMs / count)
  }

  figures() {
    const held = heldBytes() - this.bytesBefore
    const full = this.bytesFull - this.bytesBefore
    const { remembered } = this.engine
    return {
      clause: this.clause,
      itemsPerSecond: rounded(1_000 / median(this.msPerItem)),
      keptShare: rounded(this.kept / this.items),
      remembered,
      megabytes: rounded(full / 1e6),
      megabytesAfterwards: rounded(held / 1e6),
      bytesPerRememberedItem: Math.round(held / Math.max(1, remembered)),
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
    const said =
      earlier === undefined
        ? { title: text(8), link: `https://example.org/${seq}`, summary: text(40) }
        : { ...earlier, title: earlier.title.replace(/\S+$/, 'again') }
    recent[recent.length < RECENT ? recent.length : Math.floor(random() * RECENT)] = said
    return { item: { ...BARE, ...said, seq, firstSeenAt: at, sortAt: at }, source: SOURCE }
  }
}
