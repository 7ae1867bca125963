import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { QUERY_FEEDS, TOKEN } from './calm-data.ts'
import { roundToPrecision } from './rounds.ts'

/** How often each is requested over the whole run, in step with the crawl. */
export interface Load {
  readonly readers: number
  readonly users: number
  readonly pollsPerReader: number
  readonly pagesPerUser: number
  readonly searches: readonly string[]
  readonly previews: readonly string[]
  readonly backups: number
  /** OPML: the first is imported, the others are only tried. */
  readonly lists: readonly string[]
}

export interface KindFigures {
  readonly requests: number
  readonly failed: number
  readonly notModified: number
  readonly medianMs: number
  readonly mostMs: number
}

export type ClientFigures = Readonly<Record<string, KindFigures>>

export interface Clients {
  /** How much of the run is over, 0 to 1: so much of the load has been sent by then. */
  follow(share: number): void
  /** When everything is answered. */
  end(): Promise<ClientFigures>
}

const CLIENTS = 'calm-clients'

/** Readers and users in a process of their own, so that asking does not count as answering. */
export function startClients(url: string, load: Load): Clients {
  const main = fileURLToPath(import.meta.url.replace(/\/bench\/calm-clients\.ts$/, '/dist/bench/calm-clients.js'))
  const child = fork(main, [CLIENTS, url])
  // Too long for an argument.
  child.send(load)
  const ended = new Promise<ClientFigures>((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as ClientFigures))
    child.once('exit', (code) => reject(new Error(`the clients ended with ${code}`)))
  })
  ended.catch(() => {})
  return {
    follow: (share) => void child.send(share),
    async end() {
      child.send(1)
      const figures = await ended
      child.disconnect()
      return figures
    },
  }
}

type Ask = () => Promise<{ readonly status: number; readonly ms: number }>

class Kind {
  private started = 0
  private readonly under: Promise<void>[] = []
  private readonly times: number[] = []
  private failed = 0
  private notModified = 0

  constructor(
    private readonly total: number,
    private readonly ask: (index: number) => ReturnType<Ask>,
  ) {}

  follow(share: number): void {
    const target = share >= 1 ? this.total : Math.floor(share * this.total)
    while (this.started < target) this.under.push(this.one(this.started++))
  }

  async end(): Promise<KindFigures> {
    await Promise.all(this.under)
    const sorted = this.times.sort((a, b) => a - b)
    return {
      requests: sorted.length,
      failed: this.failed,
      notModified: this.notModified,
      medianMs: roundToPrecision(sorted[sorted.length >> 1] ?? 0),
      mostMs: roundToPrecision(sorted.at(-1) ?? 0),
    }
  }

  private async one(index: number): Promise<void> {
    const { status, ms } = await this.ask(index)
    this.times.push(ms)
    if (status === 304) this.notModified++
    else if (status !== 200 && status !== 202) this.failed++
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly ms: number
}

function fetched(url: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  const start = systemClock.monotonicMs()
  return new Promise((resolve) => {
    const done = (status: number, etag?: string) => resolve({ status, etag, ms: systemClock.monotonicMs() - start })
    const outgoing = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      const hash = createHash('md5')
      answer.on('data', (chunk: Buffer) => hash.update(chunk))
      answer.on('end', () => done(answer.statusCode ?? 0, answer.headers.etag))
      answer.on('error', () => done(0))
    })
    outgoing.on('error', () => done(0))
    outgoing.end(body)
  })
}

const API = { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'gzip' }

/** What users look at, in turn. */
const PAGES = [
  '/api/items?limit=50',
  '/api/items?limit=50&unread=true',
  '/api/items?limit=50&category=Live',
  '/api/overview?over=day',
  '/api/sources/table',
  '/api/items/unread',
  '/api/items?limit=50&feed=wanted1',
  '/api/queries',
  '/health',
  '/api/quality?scope=category:Live&over=week',
  '/api/quality/series?scope=feed:wanted1&over=week',
  '/api/opml',
  '/feeds.opml',
  '/metrics',
  '/api/sources?limit=100&sort=name',
]

const FEEDS = [
  'all',
  'category/Live',
  'category/Folder%201',
  ...Array.from({ length: QUERY_FEEDS }, (_, index) => `wanted${index}`),
]
const FORMATS = ['rss', 'atom', 'json']

function kindsOf(url: string, load: Load): Record<string, Kind> {
  const etags = new Map<number, string>()
  const poll = async (index: number) => {
    const reader = index % load.readers
    const feed = entryAt(FEEDS, reader % FEEDS.length)
    const known = etags.get(reader)
    const headers = { 'accept-encoding': 'gzip', ...(known === undefined ? {} : { 'if-none-match': known }) }
    const answer = await fetched(`${url}/feeds/${feed}.${FORMATS[reader % FORMATS.length]}`, headers)
    if (answer.etag !== undefined) etags.set(reader, answer.etag)
    return answer
  }
  const page = (index: number) => fetched(`${url}${PAGES[index % PAGES.length]}`, API)
  const search = (index: number) =>
    fetched(`${url}/api/items?limit=50&text=${encodeURIComponent(entryAt(load.searches, index))}`, API)
  const preview = (index: number) =>
    fetched(
      `${url}/api/queries/preview`,
      { ...API, 'content-type': 'application/json' },
      JSON.stringify({ text: load.previews[index], over: 'all', most: 1_000_000 }),
    )
  const importList = (index: number) =>
    fetched(
      `${url}/api/opml${index === 0 ? '' : '?dryRun=true'}`,
      { ...API, 'content-type': 'text/x-opml' },
      load.lists[index],
    )
  return {
    readers: new Kind(load.readers * load.pollsPerReader, poll),
    users: new Kind(load.users * load.pagesPerUser, page),
    searches: new Kind(load.searches.length, search),
    previews: new Kind(load.previews.length, preview),
    imports: new Kind(load.lists.length, importList),
    backups: new Kind(load.backups, () => fetched(`${url}/api/backup`, API)),
  }
}

function main(url: string): void {
  let kinds: [string, Kind][] = []
  process.on('message', async (share: number | Load) => {
    if (typeof share === 'object') {
      kinds = Object.entries(kindsOf(url, share))
      return
    }
    for (const [, kind] of kinds) kind.follow(share)
    if (share < 1) return
    const figures = await Promise.all(kinds.map(async ([name, kind]) => [name, await kind.end()]))
    process.send?.(Object.fromEntries(figures))
  })
  process.on('disconnect', () => agent.destroy())
}

if (process.argv[2] === CLIENTS) main(entryAt(process.argv, 3))
