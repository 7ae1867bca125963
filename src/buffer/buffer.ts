import type { Item, ItemParts } from '../model/index.ts'

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
  /** Entries that the slowest reader has not acknowledged. */
  readonly backlog: number
  readonly capacity: number
  /** Entries dropped unread since the beginning, by reader. */
  readonly shed: Readonly<Record<string, number>>
}

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
 * Bounded: the writer asks `waitForRoom` before it makes more, so a slow reader slows the crawler. Nothing is dropped
 * unless somebody calls `shed`, and that is counted.
 */
export interface ItemBuffer {
  /** Makes a reader known, from the oldest entry kept (`start`) or from now on (`end`). Does nothing if it exists. */
  register(reader: string, from: 'start' | 'end'): Promise<void>
  unregister(reader: string): Promise<void>
  /** Entries after the reader's acknowledged cursor. Fewer where items are very long, but one if there is one. */
  read(reader: string, max: number, options?: ReadOptions): Promise<readonly BufferEntry[]>
  acknowledge(reader: string, cursor: Cursor): Promise<void>
  state(): Promise<BufferState>
  /** Resolves when the backlog is below capacity, or when the signal aborts. */
  waitForRoom(signal?: AbortSignal): Promise<void>
  /** Resolves when there may be entries after the reader's cursor, or when the signal aborts. */
  waitForEntries(reader: string, signal?: AbortSignal): Promise<void>
  /** Gives up all unread entries of a reader except the newest `keep`; returns how many, and counts them. */
  shed(reader: string, keep: number): Promise<number>
}
