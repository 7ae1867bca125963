import type { InstantMs, ItemKey, OpenGap, ParsedFeed, ParseResult, Source } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import { type DedupResult, deduplicate, NO_GUID_HISTORY, prepare } from '../dedup/deduplicate.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from '../fetch/fetcher.ts'
import type { ReadDocument } from '../parse/read-document.ts'
import { firstOlderPage, nextOlderPage, type OlderPage } from './older-pages.ts'

/** Leave to send one request more than the refresh itself, as politeness and the budget have it. */
export interface PageTurns {
  /** Waits for a turn at the host and for the budget; false: not now. */
  enter(url: URL, signal: AbortSignal | undefined): Promise<boolean>
  /** The result, for learning how much a host bears. */
  recordAnswer(fetched: FetchOutcome): void
}

export interface RepairDeps {
  readonly store: Pick<Store, 'knownItems'>
  readonly fetcher: Fetcher
  readonly parse: ReadDocument
  readonly pages: PageTurns
  /** In one refresh; more are read at the next. */
  readonly mostPages: number
}

/** The feed as it was just read, with nothing known in it. */
export interface Gap {
  readonly source: Source
  readonly feed: ParsedFeed
  readonly dedup: DedupResult
  /** Where it was read. */
  readonly url: string
  readonly datesCredible: boolean
}

export interface RepairResult {
  /** Oldest first, all older than what the window shows. */
  readonly added: DedupResult['added']
  /** The gap is closed: the pages reached something that was known. */
  readonly closed: boolean
  readonly requests: number
  readonly bytes: number
  /** Where to read on at the next refresh; null: there is no more, or it is closed. */
  readonly rest: Pick<OpenGap, 'page' | 'since'> | null
}

const MOST_ITEMS = 5_000

/**
 * Reads back through the older pages of a feed until one shows something that was known before the refresh. Each page is
 * a request of its own: admitted by politeness, paid from the budget, and given up where either says no.
 */
export async function readOlderPages(
  gap: Gap,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: RepairDeps,
): Promise<RepairResult> {
  const walk = new Walk(gap, deps.mostPages)
  let page = firstOlderPage(gap.feed, gap.url)
  while (page !== null && !walk.isOver && walk.visit(page.url)) {
    const read = await readPage(page, gap.source, gap.url, request, deps)
    if (read.kind === 'later') return walk.result(page)
    walk.spend(read.bytes)
    // A site that does not know the page shows its front again.
    if (read.kind === 'end' || !walk.take(read.dedup)) return walk.result(null)
    page = nextOlderPage(page, read.feed)
  }
  return walk.result(walk.isFull ? page : null)
}

export type PageReading =
  /** Neither host nor budget had a turn. */
  | { readonly kind: 'later' }
  /** Nothing that could be read. */
  | { readonly kind: 'end'; readonly bytes: number }
  | { readonly kind: 'page'; readonly bytes: number; readonly feed: ParsedFeed; readonly dedup: DedupResult }

/** `url`: of the feed itself. */
export async function readPage(
  page: OlderPage,
  source: Source,
  url: string,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: RepairDeps,
): Promise<PageReading> {
  const read = await readDocumentAt(page.url, source, url, request, deps)
  if (read.kind !== 'document') return read
  const { bytes } = read
  const { format, feed, items } = read.parsed
  if (format === 'unknown' || items.length === 0) return { kind: 'end', bytes }
  const prepared = prepare(items, source.state.window)
  const dedup = deduplicate(prepared, await deps.store.knownItems(source.id, prepared.unsettled), NO_GUID_HISTORY)
  return { kind: 'page', bytes, feed, dedup }
}

type DocumentReading =
  | Exclude<PageReading, { readonly kind: 'page' }>
  | { readonly kind: 'document'; readonly bytes: number; readonly parsed: ParseResult }

/** Another document of a source, as politeness and the budget let it. `url`: of the source itself. */
export async function readDocumentAt(
  address: string,
  source: Source,
  url: string,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: Pick<RepairDeps, 'fetcher' | 'parse' | 'pages'>,
): Promise<DocumentReading> {
  if (!(await deps.pages.enter(new URL(address), request.signal))) return { kind: 'later' }
  const fetched = await deps.fetcher.fetch({ ...requestFor(source, url, address), ...request })
  deps.pages.recordAnswer(fetched)
  const { bytes } = fetched
  if (fetched.kind !== 'content' || request.signal?.aborted) return { kind: 'end', bytes }
  const { contentType, finalUrl } = fetched
  const options = { contentType, url: finalUrl, listing: source.listing ?? null, last: null }
  return { kind: 'document', bytes, parsed: deps.parse(fetched.body, options) }
}

/** What has been gathered so far, newest page first. */
class Walk {
  readonly #keys: Set<ItemKey>
  readonly #pages: DedupResult['added'][number][][] = []
  readonly #visited = new Set<string>()
  /** With credible dates: nothing older than the newest known item was missed. */
  readonly #since: InstantMs
  readonly #datesCredible: boolean
  #closed = false
  #requests = 0
  #bytes = 0
  #items = 0

  readonly #mostPages: number

  constructor({ source, dedup, datesCredible, url }: Gap, mostPages: number) {
    this.#mostPages = mostPages
    this.#keys = new Set(dedup.window.map(({ key }) => key))
    this.#visited.add(url)
    this.#datesCredible = datesCredible
    const { window, lastSuccessAt } = source.state
    const dates = datesCredible ? window.map(({ published }) => published ?? 0) : []
    // An item that was seen by then was published by then, whatever it says.
    this.#since = Math.max(0, ...dates.filter((date) => date <= (lastSuccessAt ?? date)))
  }

  get isOver(): boolean {
    return this.#closed || this.isFull
  }

  /** As much as one refresh may read. */
  get isFull(): boolean {
    return !this.#closed && (this.#requests >= this.#mostPages || this.#items >= MOST_ITEMS)
  }

  /** False for an address that was read already. */
  visit(url: string): boolean {
    if (this.#visited.has(url)) return false
    this.#visited.add(url)
    return true
  }

  spend(bytes: number): void {
    this.#requests++
    this.#bytes += bytes
  }

  /** False where the page shows nothing that was not seen in this walk. */
  take(dedup: DedupResult): boolean {
    const unseen = dedup.added.filter(({ key }) => !this.#keys.has(key))
    for (const { key } of unseen) this.#keys.add(key)
    const missed = dedup.knownAgain > 0 ? this.#beforeKnown(dedup, unseen) : unseen
    const fresh = missed.filter(({ item }) => (item.published ?? Number.POSITIVE_INFINITY) >= this.#since)
    this.#closed = dedup.knownAgain > 0 || (unseen.length > 0 && fresh.length === 0)
    this.#pages.push(fresh)
    this.#items += fresh.length
    return this.#closed || unseen.length > 0
  }

  /** `next`: where it stopped although there may be more. */
  result(next: OlderPage | null): RepairResult {
    const added = this.#pages.reverse().flat()
    if (added.every(({ item }) => item.published !== null)) {
      added.sort((a, b) => (a.item.published ?? 0) - (b.item.published ?? 0))
    }
    const rest = next === null || this.#closed ? null : { page: next, since: this.#since }
    return { added, closed: this.#closed, requests: this.#requests, bytes: this.#bytes, rest }
  }

  /**
   * The page that holds known items may go on into a past before the source was followed: that is not missing. Dates show
   * where it begins; without them, the place on a page that lists the newest first.
   */
  #beforeKnown(dedup: DedupResult, unseen: DedupResult['added'][number][]): DedupResult['added'][number][] {
    if (this.#since > 0) return unseen
    const newlyAdded = new Set(dedup.added.map(({ key }) => key))
    const known = dedup.window.filter(({ key }) => !newlyAdded.has(key))
    const dates = known.flatMap(({ published }) => published ?? [])
    if (this.#datesCredible && dates.length === known.length) {
      const newestKnown = Math.max(...dates)
      return unseen.filter(({ item }) => (item.published ?? Number.POSITIVE_INFINITY) >= newestKnown)
    }
    const firstKnown = dedup.window.findIndex(({ key }) => !newlyAdded.has(key))
    const before = new Set(dedup.window.slice(0, firstKnown).map(({ key }) => key))
    return unseen.filter(({ key }) => before.has(key))
  }
}

/** The secrets of a source are for its own site only. */
function requestFor(source: Source, url: string, address: string): FetchRequest {
  const { headers, basicAuth, userAgent, proxyUrl } = source
  const own = new URL(address).origin === new URL(url).origin
  return {
    url: address,
    headers: own ? headers : {},
    basicAuth: own ? basicAuth : null,
    userAgent,
    proxyUrl,
    etag: null,
    lastModified: null,
  }
}
