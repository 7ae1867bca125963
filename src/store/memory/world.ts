import type { BufferEntry, Cursor } from '../../buffer/buffer.ts'
import type { InstantMs, Item, ItemKey, ItemSeq, Observation, Source, SourceId } from '../../model/index.ts'

/** A source with everything that goes when it goes. */
export interface SourceFile {
  source: Source
  revision: number
  readonly seqByKey: Map<ItemKey, ItemSeq>
  readonly removedItems: Map<ItemKey, { readonly contentHash: string; readonly removedAt: InstantMs }>
  readonly observations: Map<InstantMs, Observation>
}

/** All that the memory store remembers. */
export interface World {
  revision: number
  lastSourceId: SourceId
  lastSeq: ItemSeq
  lastCursor: Cursor
  readonly files: Map<SourceId, SourceFile>
  readonly idByUrl: Map<string, SourceId>
  readonly items: Map<ItemSeq, Item>
  readonly removedSources: { readonly id: SourceId; readonly revision: number; readonly removedAt: InstantMs }[]
  readonly requests: Map<SourceId, InstantMs>
  readonly nodeState: Map<string, string>
  /** In the order of cursors. The item is looked up when it is read, as it is then. */
  entries: { readonly cursor: Cursor; readonly kind: BufferEntry['kind']; readonly seq: ItemSeq }[]
  readonly readers: Map<string, Cursor>
  readonly shed: Map<string, number>
}

export function emptyWorld(): World {
  return {
    revision: 0,
    lastSourceId: 0,
    lastSeq: 0,
    lastCursor: 0,
    files: new Map(),
    idByUrl: new Map(),
    items: new Map(),
    removedSources: [],
    requests: new Map(),
    nodeState: new Map(),
    entries: [],
    readers: new Map(),
    shed: new Map(),
  }
}

export function slowestCursor(world: World): Cursor | null {
  return world.readers.size === 0 ? null : Math.min(...world.readers.values())
}

/** Drops what every reader has read; without a reader, all but the newest entries. */
export function trimBuffer(world: World, capacity: number): void {
  const upTo = slowestCursor(world) ?? world.lastCursor - capacity
  if ((world.entries[0]?.cursor ?? Number.POSITIVE_INFINITY) > upTo) return
  world.entries = world.entries.filter((entry) => entry.cursor > upTo)
}

export function dropItems(world: World, seqs: ReadonlySet<ItemSeq>): void {
  for (const seq of seqs) world.items.delete(seq)
  world.entries = world.entries.filter((entry) => !seqs.has(entry.seq))
}
