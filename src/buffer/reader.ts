import type { DurationMs, InstantMs, ItemSeq } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Cursor, Missed, ReaderTerms } from './buffer.ts'

/** What an item buffer remembers of a reader. */
export interface StoredReader {
  readonly cursor: Cursor
  /** null: registered before readers had owners. */
  readonly owner: string | null
  readonly expiresAfterMs: DurationMs | null
  readonly seenAt: InstantMs
  /** The last new item that it has acknowledged; null: it never expires, and misses nothing. */
  readonly itemSeq: ItemSeq | null
}

/** A renewal is a write: only when so much of the time has passed. */
const RENEWED_AFTER = 1 / 3

/** What a clock that was set back has left in the future is as old as what is long past. */
export function isExpired(
  { seenAt, expiresAfterMs }: Pick<StoredReader, 'seenAt' | 'expiresAfterMs'>,
  now: InstantMs,
): boolean {
  return expiresAfterMs !== null && Math.abs(now - seenAt) >= expiresAfterMs
}

/** Whether a reader that lives should be noted as seen. */
export function isRenewalDue(
  { seenAt, expiresAfterMs }: Pick<StoredReader, 'seenAt' | 'expiresAfterMs'>,
  now: InstantMs,
): boolean {
  return expiresAfterMs !== null && Math.abs(now - seenAt) >= expiresAfterMs * RENEWED_AFTER
}

/** The reader, if it is there and has not expired. */
export function demandAlive<Reader extends StoredReader>(
  name: string,
  reader: Reader | undefined,
  now: InstantMs,
): Reader {
  if (reader === undefined) throw new Error(`No such reader of the item buffer: ${name}`)
  if (isExpired(reader, now)) throw new HeadwaterError('READER_EXPIRED', name)
  return reader
}

/** A reader belongs to one owner as long as it lives. */
export function demandFree(
  name: string,
  reader: StoredReader,
  { owner }: Pick<ReaderTerms, 'owner'>,
  now: InstantMs,
): void {
  if (reader.owner === null || reader.owner === owner || isExpired(reader, now)) return
  throw new HeadwaterError('READER_TAKEN', `${name} belongs to ${reader.owner}`)
}

/** The entries that are left, as far as one needs to know what a reader has missed. */
export interface EntriesLeft {
  /** null: there are none. */
  readonly oldest: Cursor | null
  /** Ever given. */
  readonly last: Cursor
  /** The last item before the first new one that is left; without one, the last item. */
  readonly itemsUpTo: ItemSeq
}

/**
 * Entries go that no living reader waits for; null: the reader finds all new items behind its cursor. Cursors may have gaps,
 * items have none, which shows the difference.
 */
export function missedBy({ cursor, itemSeq }: StoredReader, { oldest, last, itemsUpTo }: EntriesLeft): Missed | null {
  if (itemSeq === null) return null
  const goneUpTo = oldest === null ? last : oldest - 1
  return goneUpTo <= cursor || itemsUpTo <= itemSeq
    ? null
    : { kind: 'missed', after: itemSeq, upTo: itemsUpTo, cursor: goneUpTo }
}
