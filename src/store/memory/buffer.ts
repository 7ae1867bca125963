import type { Cursor, ItemBuffer, ReaderTerms, Registration } from '../../buffer/buffer.ts'
import type { Notifier } from '../../buffer/notifier.ts'
import {
  demandAlive,
  demandFree,
  type EntriesLeft,
  isExpired,
  isRenewalDue,
  missedBy,
  type StoredReader,
} from '../../buffer/reader.ts'
import { valueAt } from '../../model/entry-at.ts'
import type { InstantMs, ItemSeq } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { firstWithinLimit, withParts } from '../text-limit.ts'
import { itemsBefore, type MemoryTables, slowestCursor, trimBuffer } from './tables.ts'

/** Nobody else can change the world in memory: this only bounds how long a dead reader is waited for. */
const LOOK_EVERY_MS = 60_000

export interface MemoryBuffer extends ItemBuffer {
  /** The store has added entries, or taken some away. */
  changed(): void
  /** The store acknowledges together with what it writes. */
  moveTo(reader: string, cursor: Cursor): void
}

export function createMemoryBuffer(
  world: MemoryTables,
  clock: Clock,
  capacity: number,
  notifier: Notifier,
): MemoryBuffer {
  const alive = (name: string): StoredReader => {
    const reader = demandAlive(name, world.readers.get(name), clock.now())
    if (isRenewalDue(reader, clock.now())) world.readers.set(name, { ...reader, seenAt: clock.now() })
    return reader
  }
  const unread = (after: Cursor) => world.entries.filter(({ cursor }) => cursor > after)
  const backlog = () => {
    const slowest = slowestCursor(world, clock.now())
    return slowest === null ? 0 : unread(slowest).length
  }
  const trim = () => {
    trimBuffer(world, capacity, clock.now())
    notifier.notify('room')
  }
  const moveTo = (name: string, to: Cursor) => {
    const reader = alive(name)
    const cursor = Math.max(reader.cursor, Math.min(to, world.lastCursor))
    world.readers.set(name, { ...reader, cursor, seenAt: clock.now(), itemSeq: itemSeqAt(world, reader, cursor) })
    trim()
  }

  return {
    async register(name, terms) {
      return registerReader(world, name, terms, clock.now())
    },
    async unregister(reader) {
      world.readers.delete(reader)
      trim()
    },
    async renew(reader) {
      alive(reader)
    },
    async read(reader, max, { after = 0, parts = 'all' } = {}) {
      const entries = unread(Math.max(alive(reader).cursor, after))
        .slice(0, Math.max(0, max))
        .map(({ cursor, kind, seq }) => ({ cursor, kind, item: withParts(valueAt(world.items, seq), parts) }))
      return firstWithinLimit(entries, ({ item }) => item)
    },
    async acknowledge(reader, cursor) {
      moveTo(reader, cursor)
    },
    async state() {
      const readers = [...world.readers].map(([name, reader]) => ({
        name,
        owner: reader.owner,
        backlog: unread(reader.cursor).length,
        isExpired: isExpired(reader, clock.now()),
      }))
      readers.sort((a, b) => (a.name < b.name ? -1 : 1))
      return { backlog: backlog(), capacity, dropped: Object.fromEntries(world.dropped), readers }
    },
    async waitForRoom(signal) {
      while (!signal?.aborted && backlog() >= capacity) await notifier.wait('room', LOOK_EVERY_MS, { signal })
    },
    async waitForEntries(reader, signal) {
      while (!signal?.aborted && unread(alive(reader).cursor).length === 0) {
        await notifier.wait('entries', LOOK_EVERY_MS, { signal })
      }
    },
    async drop(reader, keep) {
      const waiting = unread(alive(reader).cursor)
      const dropped = waiting.slice(0, Math.max(0, waiting.length - Math.max(0, keep)))
      const last = dropped.at(-1)
      if (last === undefined) return 0
      world.dropped.set(reader, (world.dropped.get(reader) ?? 0) + dropped.length)
      moveTo(reader, last.cursor)
      return dropped.length
    },
    moveTo,
    changed() {
      notifier.notify('entries')
      notifier.notify('room')
    },
  }
}

function registerReader(world: MemoryTables, name: string, terms: ReaderTerms, now: InstantMs): Registration {
  const { from, owner, expiresAfterMs } = terms
  const known = world.readers.get(name)
  if (known !== undefined) demandFree(name, known, terms, now)
  const missed = known && missedBy(known, entriesLeft(world, known.cursor))
  const oldest = from === 'end' ? undefined : world.entries[0]
  const cursor = known?.cursor ?? (oldest === undefined ? world.lastCursor : oldest.cursor - 1)
  // What was missed is remembered until it is acknowledged, whatever the terms are by then.
  const itemSeq = missed ? missed.after : expiresAfterMs === null ? null : itemsBefore(world, cursor)
  world.readers.set(name, { cursor, owner, expiresAfterMs, seenAt: now, itemSeq })
  return missed ?? { kind: known === undefined ? 'new' : 'known' }
}

function entriesLeft(world: MemoryTables, after: Cursor): EntriesLeft {
  const oldest = world.entries[0]?.cursor ?? null
  return { oldest, last: world.lastCursor, itemsUpTo: itemsBefore(world, after) }
}

/** As long as it lacks something, its place is before that. */
function itemSeqAt(world: MemoryTables, reader: StoredReader, cursor: Cursor): ItemSeq | null {
  if (reader.itemSeq === null) return null
  const left = entriesLeft(world, cursor)
  return missedBy({ ...reader, cursor }, left) === null ? left.itemsUpTo : reader.itemSeq
}
