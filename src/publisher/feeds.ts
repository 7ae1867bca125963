import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DurationMs, InstantMs, SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import { type FeedAddress, feedPath } from './addresses.ts'
import { createByteCache } from './byte-cache.ts'
import { renderAtom } from './formats/atom.ts'
import { renderJsonFeed } from './formats/json-feed.ts'
import { renderRss } from './formats/rss.ts'
import { type PresentedItem, presentItem, presentItems } from './present.ts'
import { FEED_FORMATS, type FeedFormatName, type PublishedFeed, type PublishedItem } from './published-feed.ts'
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

export interface FeedService {
  readonly baseUrl: string
  /** null: no such source or category. */
  get(address: FeedAddress, format: FeedFormatName): Promise<RenderedFeed | null>
  /** What these feeds show may have changed. */
  markStale(addresses: Iterable<FeedAddress>): void
}

export interface FeedServiceOptions {
  readonly store: Pick<Store, 'arrivals' | 'source' | 'categories' | 'scheduleChanges'>
  readonly clock: Pick<Clock, 'now'>
  /** How readers reach this node, as `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** Items in a feed. */
  readonly limit?: number
  readonly maxCacheBytes?: number
  /** How soon a renamed, moved or removed source shows. */
  readonly settingsCheckMs?: DurationMs
  /** How soon everything else shows that nobody reports, such as a feed's new title or removed old items. */
  readonly maxAgeMs?: DurationMs
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

interface CacheEntry {
  readonly feed: RenderedFeed
  /** Of everything that went into it. */
  readonly fingerprint: string
  readonly checkedAt: InstantMs
  readonly settingsRevision: number
  stale: boolean
}

/** A rendering under way; whoever comes meanwhile waits for it, unless it may miss what has changed since it began. */
interface Rendering {
  readonly result: Promise<RenderedFeed | null>
  readonly settingsRevision: number
  stale: boolean
}

export function createFeedService(options: FeedServiceOptions): FeedService {
  const { store, clock, limit = 100, maxCacheBytes = 64 * 1024 * 1024 } = options
  const { settingsCheckMs = 1_000, maxAgeMs = 60_000 } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const cache = createByteCache<CacheEntry>(maxCacheBytes)
  const presented = createByteCache<PresentedItem>(maxCacheBytes / 4)
  const renderings = new Map<string, Rendering>()
  const labels = createSourceLabels(store)
  let settings = { revision: 0, checkedAt: Number.NEGATIVE_INFINITY }

  return { baseUrl, get, markStale }

  async function get(address: FeedAddress, format: FeedFormatName): Promise<RenderedFeed | null> {
    await checkSettings()
    const key = `${feedPath(address)}.${format}`
    const entry = cache.get(key)
    if (entry && !entry.stale && entry.settingsRevision === settings.revision) {
      if (clock.now() - entry.checkedAt < maxAgeMs) return entry.feed
      labels.forget()
    }
    const underWay = renderings.get(key)
    if (underWay && !underWay.stale && underWay.settingsRevision === settings.revision) return underWay.result
    return startRendering(key, address, format)
  }

  function markStale(addresses: Iterable<FeedAddress>): void {
    for (const address of addresses) {
      if (address.kind === 'source') labels.forget(address.sourceId)
      for (const format of FEED_FORMATS) {
        const key = `${feedPath(address)}.${format}`
        for (const held of [cache.get(key), renderings.get(key)]) if (held) held.stale = true
      }
    }
  }

  /** Settings may be changed by another process on the same data, so the store is asked, at most once a second. */
  async function checkSettings(): Promise<void> {
    const now = clock.now()
    if (now - settings.checkedAt < settingsCheckMs) return
    settings = { ...settings, checkedAt: now }
    const { revision } = await store.scheduleChanges(settings.revision)
    if (revision === settings.revision) return
    settings = { revision, checkedAt: now }
    labels.forget()
  }

  function startRendering(key: string, address: FeedAddress, format: FeedFormatName): Promise<RenderedFeed | null> {
    const checkedAt = clock.now()
    const settingsRevision = settings.revision
    const result = render(address, format, cache.get(key)).then((rendered) => {
      const isLatest = renderings.get(key) === rendering
      if (isLatest) renderings.delete(key)
      if (rendered === null) cache.delete(key)
      else if (isLatest) {
        const entry = { ...rendered, checkedAt, settingsRevision, stale: rendering.stale }
        cache.set(key, entry, rendered.feed.body.length * 1.5)
      }
      return rendered?.feed ?? null
    })
    const rendering: Rendering = { result, settingsRevision, stale: false }
    renderings.set(key, rendering)
    result.catch(() => renderings.get(key) === rendering && renderings.delete(key))
    return result
  }

  async function render(address: FeedAddress, format: FeedFormatName, before: CacheEntry | undefined) {
    const feed = await assemble(address)
    if (feed === null) return null
    const fingerprint = fingerprintOf(feed)
    if (before?.fingerprint === fingerprint) return { feed: before.feed, fingerprint }
    const body = Buffer.from(RENDER[format](feed, (items) => presentItems(items, presentCached)))
    const lastModified = modifiedAfter(feed.updatedAt, before?.feed.lastModified)
    return { feed: renderedFeed(body, lastModified, CONTENT_TYPE[format]), fingerprint }
  }

  /** Seconds are all that HTTP dates have: a second version within one must still look newer than the first. */
  function modifiedAfter(updatedAt: InstantMs, before = Number.NEGATIVE_INFINITY): InstantMs {
    const second = Math.floor(updatedAt / 1_000) * 1_000
    const now = Math.floor(clock.now() / 1_000) * 1_000
    return Math.min(Math.max(second, before + 1_000), Math.max(now, second))
  }

  async function assemble(address: FeedAddress): Promise<PublishedFeed | null> {
    const head = await headOf(address)
    if (head === null) return null
    const items = [...(await store.arrivals(address, limit))].sort((a, b) => b.sortAt - a.sortAt || b.seq - a.seq)
    const found = await labels.labels(items.map((item) => item.sourceId))
    const published = items.flatMap((item) => {
      const source = found.get(item.sourceId)
      return source ? [{ item, source }] : []
    })
    const updatedAt = items.reduce((newest, item) => Math.max(newest, item.firstSeenAt, item.changedAt), 0)
    return { ...head, url: `${baseUrl}${feedPath(address)}`, items: published, updatedAt }
  }

  async function headOf(address: FeedAddress) {
    const siteUrl = `${baseUrl}/`
    if (address.kind === 'all') return { title: 'Everything', description: 'All items of all sources', siteUrl }
    if (address.kind === 'source') return headOfSource(address.sourceId, siteUrl)
    const { category } = address
    if (!(await store.categories()).some((known) => known.category === category)) return null
    return { title: category, description: `All items of the sources in ${category}`, siteUrl }
  }

  async function headOfSource(sourceId: SourceId, fallbackUrl: string) {
    const label = (await labels.labels([sourceId])).get(sourceId)
    if (label === undefined) return null
    return { title: label.title, description: `Items from ${label.url}`, siteUrl: label.siteUrl ?? fallbackUrl }
  }

  /** Sanitising is most of the work, and an item stands in several feeds and formats. */
  function presentCached(published: PublishedItem): PresentedItem {
    const { item, source } = published
    const key = [item.seq, item.contentHash, item.changedAt, source.url, source.siteUrl].join(' ')
    const held = presented.get(key)
    if (held) return held.source === source ? held : { ...held, source }
    const fresh = presentItem(published)
    const length = (fresh.contentHtml?.length ?? 0) + (fresh.summaryHtml?.length ?? 0)
    presented.set(key, fresh, 2 * length + 1_000)
    return fresh
  }
}

const gzipAsync = promisify(gzip)

function renderedFeed(body: Buffer, lastModified: InstantMs, contentType: string): RenderedFeed {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  let compressed: Promise<Buffer> | null = null
  return {
    body,
    gzip: () => (compressed ??= gzipAsync(body)),
    etag: `"${hash}"`,
    gzipEtag: `"${hash}-gzip"`,
    lastModified,
    contentType,
  }
}

function fingerprintOf(feed: PublishedFeed): string {
  const hash = createHash('sha256').update(JSON.stringify([feed.title, feed.description, feed.siteUrl]))
  for (const { item, source } of feed.items) {
    hash.update(JSON.stringify([item.seq, item.key, item.contentHash, item.changedAt, source]))
  }
  return hash.digest('base64')
}
