import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { InstantMs } from '../model/index.ts'
import type { PublishedFeed } from './published-feed.ts'

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

const gzipAsync = promisify(gzip)
/** Of a feed with 100 items: 6 % more bytes than by default, for half of the time. */
const GZIP_LEVEL = 3

export function renderedFeed(body: Buffer, lastModified: InstantMs, contentType: string, tag = ''): RenderedFeed {
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

/** Of everything that goes into a document. */
export function fingerprintOf(feed: PublishedFeed): string {
  const head = [feed.title, feed.description, feed.siteUrl, feed.categories, feed.links, feed.version]
  const hash = createHash('sha256').update(JSON.stringify(head))
  for (const { item, source, publicationSeq, score, related = [] } of feed.items) {
    const joined = related.map((other) => [other.item.seq, other.item.changedAt, other.source.title])
    hash.update(
      JSON.stringify([item.seq, item.key, item.contentHash, item.changedAt, source, publicationSeq, score, joined]),
    )
  }
  return hash.digest('base64')
}
