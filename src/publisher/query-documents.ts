import type { PublicationSeq, PublishedEntry, QueryFeed } from '../model/index.ts'
import type { Store } from '../store/store.ts'
import { type ArchiveRange, afterSuffix, archiveSuffix } from './addresses.ts'
import type { FeedLinks } from './published-feed.ts'

/*
 * A query feed is published as several documents (RFC 5005): the feed itself, which shows the last publications, and its
 * archive, which holds all of them in pieces of equal size, counted from the first publication. A piece is there once it
 * is full, and is named by its borders, so that nothing that is published later can enter it or move it to another place.
 * The feed overlaps with the newest pieces; from the one behind its window the chain leads back to the first.
 */

export interface QueryDocument {
  /** Newest publication first. */
  readonly entries: readonly PublishedEntry[]
  readonly links: FeedLinks
}

/** A document of the archive never has more; the feed has as many as its LIMIT says. */
const MOST_IN_ARCHIVE = 1_000
const USUAL_PIECE = 100
const MOST_ATTEMPTS = 5

type Publications = Pick<Store, 'publications' | 'publicationsAfter' | 'publicationState'>

/** At most the window, so that everything behind the last full piece is in the feed. */
function pieceSize(windowSize: number): number {
  return Math.max(1, Math.min(windowSize, USUAL_PIECE))
}

export async function currentDocument(
  store: Publications,
  feed: QueryFeed,
  windowSize: number,
): Promise<QueryDocument> {
  const size = pieceSize(windowSize)
  for (let attempt = 1; ; attempt++) {
    const newest = await store.publications(feed.id, { limit: windowSize + size + 1 })
    const { count, lastSeq } = await store.publicationState(feed.id)
    // Something was published in between: the places would not be those of the list.
    const isSettled = lastSeq === (newest[0]?.seq ?? 0)
    if (!isSettled && attempt < MOST_ATTEMPTS) continue
    // Published faster than it is read: the next version has the link to the archive.
    const older = isSettled ? pieceBehind(newest, count, windowSize, size) : null
    const oldest = older === null ? null : afterSuffix(0)
    const links = { self: '', isArchive: false, older, newer: null, oldest }
    return { entries: newest.slice(0, windowSize), links }
  }
}

/** The piece that holds the first publication behind the window. */
function pieceBehind(
  newest: readonly PublishedEntry[],
  count: number,
  windowSize: number,
  size: number,
): string | null {
  if (count <= windowSize) return null
  const last = Math.ceil((count - windowSize) / size) * size
  const seqOf = (index: number): PublicationSeq | undefined => (index === 0 ? 0 : newest[count - index]?.seq)
  const [from, to] = [seqOf(last - size), seqOf(last)]
  return from === undefined || to === undefined ? null : archiveSuffix({ from, to })
}

/** null: there is no such document (yet). */
export async function archiveDocument(
  store: Publications,
  feed: QueryFeed,
  windowSize: number,
  { from, to }: ArchiveRange,
): Promise<QueryDocument | null> {
  const { lastSeq } = await store.publicationState(feed.id)
  if (to > lastSeq) return null
  const found = await store.publicationsAfter(feed.id, { after: from, limit: MOST_IN_ARCHIVE + 1, withHistory: true })
  const entries = found.filter(({ seq }) => seq <= to).reverse()
  if (entries.length === 0 || entries.length > MOST_IN_ARCHIVE) return null
  const older = await pieceBefore(store, feed, windowSize, from)
  const self = archiveSuffix({ from, to })
  return { entries, links: { self, isArchive: true, older, newer: afterSuffix(to), oldest: afterSuffix(0) } }
}

async function pieceBefore(
  store: Publications,
  feed: QueryFeed,
  windowSize: number,
  to: PublicationSeq,
): Promise<string | null> {
  const size = pieceSize(windowSize)
  const before = await store.publications(feed.id, { limit: size + 1, before: to + 1 })
  return before.length === 0 ? null : archiveSuffix({ from: before[size]?.seq ?? 0, to })
}

/**
 * Where a link to what follows a piece leads: to the next one once that is full, before that to the feed. Such a link can
 * are in a piece from the beginning, and the piece need not be written again when the next one is there.
 */
export async function documentAfter(
  store: Publications,
  feed: QueryFeed,
  windowSize: number,
  after: PublicationSeq,
): Promise<string> {
  const size = pieceSize(windowSize)
  const next = await store.publicationsAfter(feed.id, { after, limit: size, withHistory: true })
  const last = next[size - 1]
  return last === undefined ? '' : archiveSuffix({ from: after, to: last.seq })
}
