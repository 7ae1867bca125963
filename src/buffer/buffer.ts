import type { DurationMs, Item, ItemParts, ItemSeq } from '../model/index.ts'

/**
 * Grows with each entry, perhaps with gaps; never reused, also not after a crash. 0 is before the first. Entries become visible in
 * the order of their cursors, those of new items in the order of their numbers: who goes on after a cursor misses none.
 */
export type Cursor = number

export interface BufferEntry {
  readonly cursor: Cursor
  /** `changed`: an edit of an item that was already handed out as `new`. */
  readonly kind: 'new' | 'changed'
  readonly item: Item
}

export interface BufferState {
  /** Entries that the slowest living reader has not acknowledged. */
  readonly backlog: number
  readonly capacity: number
  /** Entries dropped unread on request since the beginning, by reader. */
  readonly dropped: Readonly<Record<string, number>>
  /** By name. */
  readonly readers: readonly ReaderState[]
}

export interface ReaderState {
  readonly name: string
  /** null: registered before readers had owners. */
  readonly owner: string | null
  /** Entries that it has not acknowledged, as far as they are still there. */
  readonly backlog: number
  readonly isExpired: boolean
}

/** Who reads, and for how long it is waited for. */
export interface ReaderTerms {
  /** For a new one: from the oldest entry that is there (`start`), or from now on (`end`). */
  readonly from: 'start' | 'end'
  /** Whose reader it is: a process that runs for long, under the same name after a restart. */
  readonly owner: string
  /** It is not waited for once it has done nothing for so long; null: it is always waited for. */
  readonly expiresAfterMs: DurationMs | null
}

/**
 * Of a reader that comes back after it has expired: entries that it has not read may be gone. New items are all in the
 * archive, and are to be read there; edits that were missed are not repeated.
 */
export interface Missed {
  readonly kind: 'missed'
  /** What may be missing: items after this one, up to that one. */
  readonly after: ItemSeq
  readonly upTo: ItemSeq
  /** To acknowledge when they are read; until then every registration says the same again. */
  readonly cursor: Cursor
}

export type Registration = { readonly kind: 'new' } | { readonly kind: 'known' } | Missed

/** Of the node that is one process: it goes on where it was, however long it was away. */
export const NODE_READER = { owner: 'node', expiresAfterMs: null } as const satisfies Omit<ReaderTerms, 'from'>

export interface ReadOptions {
  /** Read on from there before acknowledging. */
  readonly after?: Cursor
  /** Default: `all`. */
  readonly parts?: ItemParts
}

/**
 * What joins two layers (thesis 1.5): one side appends, the other reads from its cursor and acknowledges; either can
 * stop and go on later. At least once: an entry read but not acknowledged is read again.
 *
 * Bounded: the writer asks `waitForRoom` before it makes more, so a slow reader slows the crawler. A reader that has expired
 * is not waited for, and its unread entries go with those that the others have read. Otherwise nothing is dropped unless
 * somebody calls `drop`, and that is counted.
 *
 * Reading, waiting and acknowledging renew a reader. Once it has expired they fail with READER_EXPIRED until it is
 * registered again, which returns what it may have missed.
 */
export interface ItemBuffer {
  /**
   * Makes a reader known. One that is known keeps its cursor, and has these terms from now on. Throws READER_TAKEN while it
   * belongs to another owner and has not expired.
   */
  register(reader: string, terms: ReaderTerms): Promise<Registration>
  unregister(reader: string): Promise<void>
  /** For a reader that works for long without reading. */
  renew(reader: string): Promise<void>
  /** Entries after the reader's acknowledged cursor. Fewer where items are very long, but one if there is one. */
  read(reader: string, max: number, options?: ReadOptions): Promise<readonly BufferEntry[]>
  acknowledge(reader: string, cursor: Cursor): Promise<void>
  state(): Promise<BufferState>
  /** Resolves when the backlog is below capacity, or when the signal aborts. */
  waitForRoom(signal?: AbortSignal): Promise<void>
  /** Resolves when there may be entries after the reader's cursor, or when the signal aborts. */
  waitForEntries(reader: string, signal?: AbortSignal): Promise<void>
  /** Gives up all unread entries of a reader except the newest `keep`; returns how many, and counts them. */
  drop(reader: string, keep: number): Promise<number>
}
