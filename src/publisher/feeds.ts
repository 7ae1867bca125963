import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DurationMs, InstantMs, PublicationSeq, QueryFeed, QueryFeedId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { giveWay } from '../runtime/event-loop-turns.ts'
import type { Store } from '../store/store.ts'
import { archiveSuffix, type FeedAddress, feedPath, type QueryFeedAddress } from './addresses.ts'
import { type AssemblerStore, createAssembler } from './assemble.ts'
import { createByteCache } from './byte-cache.ts'
import { deltaSince, knownVersion, versionOf, versionTag } from './delta.ts'
import { renderAtom } from './formats/atom.ts'
import { renderJsonFeed } from './formats/json-feed.ts'
import { renderRss } from './formats/rss.ts'
import { HUB_PATH } from './hub/topic.ts'
import type { ImageAddress } from './images/image-address.ts'
import { modifiedAfter, modifiedForAll } from './last-modified.ts'
import type { FeedOrder } from './order.ts'
import { presentItems } from './present.ts'
import { createPresentCache } from './present-cache.ts'
import { FEED_FORMATS, type FeedFormatName, type PublishedFeed } from './published-feed.ts'
import { documentAfter } from './query-documents.ts'
import { createSourceLabels } from './source-labels.ts'

/** A feed as served. */
export interface RenderedFeed {
  readonly body: Buffer
  /** Compressed when first asked for. */
  readonly gzip: () => Promise<Buffer>
  /** Strong, with quotes; `gzipEtag` for the compressed form, which is another representation (RFC 9110 §8.8.3.3). */
  readonly etag: string
  readonly gzipEtag: string
  /** Whole seconds. */
  readonly lastModified: InstantMs
  readonly contentType: string
}

/** Who asks for a published feed: an address, or the /64 of one, and what the program calls itself. */
export interface FeedFetcher {
  readonly address: string
  readonly userAgent: string
}

export interface FeedService {
  readonly baseUrl: string
  /** Where news of its feeds can be subscribed to; null: nowhere. */
  readonly hubUrl: string | null
  /** Where pictures of items are loaded from; null: from their own sites. */
  readonly imageAddress: ImageAddress | null
  /** null: no such source, category, query feed or document of its archive. */
  /** `by`: who asks from outside; absent: the node itself. */
  get(address: FeedAddress, format: FeedFormatName, by?: FeedFetcher): Promise<RenderedFeed | null>
  /**
   * What of a query feed is new or changed for a reader with one of these ETags, under the ETag of the whole; null where
   * that cannot be known.
   */
  delta(address: QueryFeedAddress, format: FeedFormatName, ifNoneMatch: string): Promise<RenderedFeed | null>
  /** The rest of the address of the document that follows a place in a query feed's archive; null: no such feed. */
  documentAfter(name: string, seq: PublicationSeq): Promise<string | null>
  /** What these feeds show may have changed. */
  markStale(addresses: Iterable<FeedAddress>): void
  /** Items in these query feeds were edited; new publications are noticed without. */
  markQueryFeedsStale(ids: Iterable<QueryFeedId>): void
  /** Nobody knows what has changed. */
  markAllStale(): void
}

export interface FeedServiceOptions {
  readonly store: AssemblerStore & Pick<Store, 'sourcesById' | 'scheduleChanges'>
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** How readers reach this node, as `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** Items in a feed. */
  readonly limit?: number
  /** ORDER BY of a query feed; null: as it was published. */
  readonly orderOf?: (feed: QueryFeed) => FeedOrder | null
  /** FULLTEXT of a query feed. */
  readonly isWhole?: (feed: QueryFeed) => boolean
  readonly maxCacheBytes?: number
  /** How soon a renamed, moved or removed source shows. */
  readonly settingsCheckMs?: DurationMs
  /** How soon everything else shows that nobody reports, such as a feed's new title or removed old items. */
  readonly maxAgeMs?: DurationMs
  /** Other processes serve the same feeds: all must give them the same dates. */
  readonly isShared?: boolean
  /** Where pictures of items are loaded from; null: from their own sites. */
  readonly imageAddress?: ImageAddress | null
  /** Under which this node passes items on; null: it does not say which way they came. */
  readonly nodeId?: string | null
  /** Feeds name this node as their hub. */
  readonly hasHub?: boolean
}

const RENDER: Record<FeedFormatName, (feed: PublishedFeed, present: typeof presentItems) => string> = {
  rss: renderRss,
  atom: renderAtom,
  json: renderJsonFeed,
}

const CONTENT_TYPE: Record<FeedFormatName, string> = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

interface Rendered {
  readonly feed: RenderedFeed
  readonly updatedAt: InstantMs
  /** Of everything that went into it. */
  readonly fingerprint: string
}

interface CacheEntry extends Rendered {
  readonly checkedMs: DurationMs
  readonly settingsRevision: number
  readonly publicationState: string
  stale: boolean
}

/** A rendering under way; a request that comes meanwhile waits for it, unless it may miss what has changed since it began. */
interface Rendering {
  readonly result: Promise<Rendered | null>
  readonly settingsRevision: number
  readonly publicationState: string
  stale: boolean
}

export function createFeedService(options: FeedServiceOptions): FeedService {
  const { store, clock, limit = 100, maxCacheBytes = 64 * 1024 * 1024, orderOf = () => null } = options
  const { isWhole = () => false, imageAddress = null } = options
  const { settingsCheckMs = 1_000, maxAgeMs = 60_000, isShared = false } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const cache = createByteCache<CacheEntry>(maxCacheBytes)
  const keepsWritten = maxCacheBytes >= SMALL_CACHE_BYTES
  const maxBytes = (keepsWritten ? 0.75 : 0.25) * maxCacheBytes
  const presentCached = createPresentCache({ keepsWritten, maxBytes, imageAddress, nodeId: options.nodeId ?? null })
  const renderings = new Map<string, Rendering>()
  const labels = createSourceLabels(store)
  const hubUrl = options.hasHub ? baseUrl + HUB_PATH : null
  const assemble = createAssembler({ store, labels, baseUrl, limit, orderOf, isWhole, hubUrl })
  const edits = new Map<QueryFeedId, number>()
  /** Of all documents: what was rendered in another is stale. */
  let generation = 0
  let settings = { revision: 0, checkedMs: Number.NEGATIVE_INFINITY }

  return {
    baseUrl,
    hubUrl,
    imageAddress,
    get,
    delta,
    documentAfter: after,
    markStale,
    markQueryFeedsStale,
    markAllStale,
  }

  async function get(address: FeedAddress, format: FeedFormatName): Promise<RenderedFeed | null> {
    const entry = await current(address, format)
    if (entry === null || !isShared) return entry?.feed ?? null
    return { ...entry.feed, lastModified: modifiedForAll(entry.updatedAt, clock.now()) }
  }

  async function current(address: FeedAddress, format: FeedFormatName): Promise<Rendered | null> {
    await checkSettings()
    const state = address.kind === 'query' ? await stateOf(address) : ''
    if (state === null) return null
    const publicationState = `${generation} ${state}`
    const key = keyOf(address, format)
    const isFresh = (entry: CacheEntry | Rendering | undefined) =>
      entry !== undefined &&
      !entry.stale &&
      entry.settingsRevision === settings.revision &&
      entry.publicationState === publicationState
    const entry = cache.get(key)
    if (entry && isFresh(entry)) {
      if (clock.monotonicMs() - entry.checkedMs < maxAgeMs) return entry
      labels.forget()
    }
    const underWay = renderings.get(key)
    if (underWay && isFresh(underWay)) return underWay.result
    return startRendering(key, address, format, publicationState)
  }

  async function delta(address: QueryFeedAddress, format: FeedFormatName, ifNoneMatch: string) {
    const known = knownVersion(ifNoneMatch)
    if (known === null) return null
    const whole = await get(address, format)
    const feed = whole && (await assemble(address))
    const changes = feed && deltaSince(feed, known)
    if (whole === null || feed === null || changes === null) return null
    const part = renderedFeed(write(changes, format), whole.lastModified, whole.contentType)
    // Something may have come between the two: the ETag must not promise more than the entries hold.
    return part && whole.etag.includes(versionTag(versionOf(feed)))
      ? { ...part, etag: whole.etag, gzipEtag: whole.gzipEtag }
      : null
  }

  async function after(name: string, seq: PublicationSeq): Promise<string | null> {
    const feed = await store.queryFeed(name)
    return feed && documentAfter(store, feed, feed.limit ?? limit, seq)
  }

  /** Everything that distinguishes one state of a query feed from the next; null: there is no such feed. */
  async function stateOf(address: QueryFeedAddress): Promise<string | null> {
    const feed = await store.queryFeed(address.name)
    if (feed === null) return null
    const own = [feed.id, feed.version, feed.title, feed.limit, feed.text, edits.get(feed.id) ?? 0]
    const { count, lastSeq } = await store.publicationState(feed.id)
    return JSON.stringify(address.archive === undefined ? [...own, count, lastSeq] : own)
  }

  function markQueryFeedsStale(ids: Iterable<QueryFeedId>): void {
    for (const id of ids) edits.set(id, (edits.get(id) ?? 0) + 1)
  }

  function markAllStale(): void {
    generation++
    labels.forget()
  }

  function markStale(addresses: Iterable<FeedAddress>): void {
    for (const address of addresses) {
      if (address.kind === 'source') labels.forget(address.sourceId)
      for (const format of FEED_FORMATS) {
        const key = keyOf(address, format)
        for (const entry of [cache.get(key), renderings.get(key)]) if (entry) entry.stale = true
      }
    }
  }

  /** Settings may be changed by another process on the same data, so the store is read, at most once a second. */
  async function checkSettings(): Promise<void> {
    const checkedMs = clock.monotonicMs()
    if (checkedMs - settings.checkedMs < settingsCheckMs) return
    settings = { ...settings, checkedMs }
    // The first time only the number is wanted, not all sources that there are.
    const { revision } = await store.scheduleChanges(settings.revision || Number.MAX_SAFE_INTEGER)
    if (revision === settings.revision) return
    settings = { revision, checkedMs }
    labels.forget()
  }

  function startRendering(
    key: string,
    address: FeedAddress,
    format: FeedFormatName,
    publicationState: string,
  ): Promise<Rendered | null> {
    const checkedMs = clock.monotonicMs()
    const settingsRevision = settings.revision
    const result = render(address, format, cache.get(key)).then((rendered) => {
      const isLatest = renderings.get(key) === rendering
      if (isLatest) renderings.delete(key)
      if (rendered === null) cache.delete(key)
      else if (isLatest) {
        const entry = { ...rendered, checkedMs, settingsRevision, publicationState, stale: rendering.stale }
        cache.set(key, entry, rendered.feed.body.length * 1.5)
      }
      return rendered
    })
    const rendering: Rendering = { result, settingsRevision, publicationState, stale: false }
    renderings.set(key, rendering)
    result.catch(() => renderings.get(key) === rendering && renderings.delete(key))
    return result
  }

  async function render(
    address: FeedAddress,
    format: FeedFormatName,
    before: CacheEntry | undefined,
  ): Promise<Rendered | null> {
    const feed = await assemble(address)
    if (feed === null) return null
    const fingerprint = fingerprintOf(feed)
    const { updatedAt } = feed
    if (before?.fingerprint === fingerprint) return { feed: before.feed, fingerprint, updatedAt }
    await presentAll(feed)
    const lastModified = modifiedAfter(updatedAt, before?.feed.lastModified, clock.now())
    const tag = address.kind === 'query' ? versionTag(versionOf(feed)) : ''
    return { feed: renderedFeed(write(feed, format), lastModified, CONTENT_TYPE[format], tag), fingerprint, updatedAt }
  }

  /** Most of a rendering, done before it, with others in between: a hundred items take some 40 ms. */
  async function presentAll({ items }: PublishedFeed): Promise<void> {
    for (const item of items) {
      presentCached(item)
      const later = giveWay()
      if (later !== undefined) await later
    }
  }

  function write(feed: PublishedFeed, format: FeedFormatName): Buffer {
    return Buffer.from(RENDER[format](feed, (items) => presentItems(items, presentCached)))
  }
}

/** A heap of 96 MB has 6 MB for caches, and none to spare for written entries while feeds of 15 MiB come. */
const SMALL_CACHE_BYTES = 16 * 1024 ** 2

const gzipAsync = promisify(gzip)
/** Of a feed with 100 items: 6 % more bytes than by default, for half of the time. */
const GZIP_LEVEL = 3

function renderedFeed(body: Buffer, lastModified: InstantMs, contentType: string, tag = ''): RenderedFeed {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27) + tag
  let compressed: Promise<Buffer> | null = null
  return {
    body,
    gzip: () => (compressed ??= gzipAsync(body, { level: GZIP_LEVEL })),
    etag: `"${hash}"`,
    gzipEtag: `"${hash}-gzip"`,
    lastModified,
    contentType,
  }
}

function fingerprintOf(feed: PublishedFeed): string {
  const head = [feed.title, feed.description, feed.siteUrl, feed.categories, feed.links, feed.version, feed.hubUrl]
  const hash = createHash('sha256').update(JSON.stringify(head))
  for (const { item, source, publicationSeq, score, related = [], isWhole } of feed.items) {
    const joined = related.map((other) => [other.item.seq, other.item.changedAt, other.source.title])
    hash.update(
      JSON.stringify([
        item.seq,
        item.key,
        item.contentHash,
        item.changedAt,
        source,
        publicationSeq,
        score,
        joined,
        isWhole,
      ]),
    )
  }
  return hash.digest('base64')
}

function keyOf(address: FeedAddress, format: FeedFormatName): string {
  const suffix = address.kind === 'query' && address.archive ? archiveSuffix(address.archive) : ''
  return `${feedPath(address)}.${format}${suffix}`
}
