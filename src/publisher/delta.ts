import { type InstantMs, MINUTE_MS, type PublicationSeq } from '../model/index.ts'
import type { PublishedFeed } from './published-feed.ts'

/*
 * Deltas (RFC 3229 with the instance manipulation `feed`): who shows the ETag of the version it has gets the entries that
 * are new or changed since. The ETag says itself how far its version went, so that nothing has to be remembered here.
 */

export interface FeedVersion {
  /** Of the query. */
  readonly version: number
  readonly lastSeq: PublicationSeq
  readonly updatedAt: InstantMs
}

/** A change is dated by when its refresh began, and may be stored after later ones: so much is looked back. */
const LOOK_BACK_MS = 2 * MINUTE_MS

export function versionOf({ items, updatedAt, version = 0 }: PublishedFeed): FeedVersion {
  const lastSeq = items.reduce((last, { publicationSeq = 0 }) => Math.max(last, publicationSeq), 0)
  return { version, lastSeq, updatedAt: Math.max(0, Math.trunc(updatedAt)) }
}

/** Behind the hash of the content in an ETag. */
export function versionTag({ version, lastSeq, updatedAt }: FeedVersion): string {
  return [version, lastSeq, updatedAt].map((value) => `.${value.toString(36)}`).join('')
}

/** The newest version among the ETags of If-None-Match; null if none is ours. */
export function knownVersion(ifNoneMatch: string): FeedVersion | null {
  let newest: FeedVersion | null = null
  for (const [, version, lastSeq, updatedAt] of ifNoneMatch.matchAll(VERSION_TAG)) {
    if (version === undefined || lastSeq === undefined || updatedAt === undefined) continue
    const one = { version: readNumber(version), lastSeq: readNumber(lastSeq), updatedAt: readNumber(updatedAt) }
    if (newest === null || newest.lastSeq < one.lastSeq) newest = one
  }
  return newest
}

const VERSION_TAG = /"[\w-]+\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})(?:-gzip)?"/g

function readNumber(text: string): number {
  return Number.parseInt(text, 36)
}

/** Only what is new or changed; null where that cannot be known, or something may have fallen out unseen. */
export function deltaSince(feed: PublishedFeed, known: FeedVersion): PublishedFeed | null {
  const now = versionOf(feed)
  if (known.version !== now.version || known.lastSeq > now.lastSeq) return null
  const isKnown = ({ publicationSeq = 0 }: PublishedFeed['items'][number]) => publicationSeq <= known.lastSeq
  if (!feed.items.some(isKnown)) return null
  const since = known.updatedAt - LOOK_BACK_MS
  const items = feed.items.filter(
    (published) =>
      !isKnown(published) ||
      (published.item.changedAt > published.item.firstSeenAt && published.item.changedAt >= since),
  )
  return { ...feed, items }
}
