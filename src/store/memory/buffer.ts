import { createBell } from '../../buffer/bell.ts'
import type { Cursor, ItemBuffer } from '../../buffer/buffer.ts'
import { valueAt } from '../../model/entry-at.ts'
import type { Clock } from '../../runtime/clock.ts'
import { firstInRoom, withParts } from '../text-room.ts'
import { slowestCursor, trimBuffer, type World } from './world.ts'

/** Nobody else can change the world in memory: this only bounds how long a lost wake-up could last. */
const LOOK_EVERY_MS = 60_000

export interface MemoryBuffer extends ItemBuffer {
  /** The store has added entries, or taken some away. */
  changed(): void
  /** The store acknowledges together with what it writes. */
  moveTo(reader: string, cursor: Cursor): void
}

export function createMemoryBuffer(world: World, clock: Clock, capacity: number): MemoryBuffer {
  const room = createBell(clock)
  const entries = createBell(clock)

  const cursorOf = (reader: string): Cursor => {
    const cursor = world.readers.get(reader)
    if (cursor === undefined) throw new Error(`No such reader of the item buffer: ${reader}`)
    return cursor
  }
  const unread = (after: Cursor) => world.entries.filter(({ cursor }) => cursor > after)
  const backlog = () => {
    const slowest = slowestCursor(world)
    return slowest === null ? 0 : unread(slowest).length
  }
  const moveTo = (reader: string, cursor: Cursor) => {
    world.readers.set(reader, Math.max(cursorOf(reader), Math.min(cursor, world.lastCursor)))
    trimBuffer(world, capacity)
    room.ring()
  }

  return {
    async register(reader, from) {
      if (world.readers.has(reader)) return
      const oldest = world.entries[0]
      world.readers.set(reader, from === 'end' || oldest === undefined ? world.lastCursor : oldest.cursor - 1)
    },
    async unregister(reader) {
      world.readers.delete(reader)
      trimBuffer(world, capacity)
      room.ring()
    },
    async read(reader, max, { after = 0, parts = 'all' } = {}) {
      const entries = unread(Math.max(cursorOf(reader), after))
        .slice(0, Math.max(0, max))
        .map(({ cursor, kind, seq }) => ({ cursor, kind, item: withParts(valueAt(world.items, seq), parts) }))
      return firstInRoom(entries, ({ item }) => item)
    },
    async acknowledge(reader, cursor) {
      moveTo(reader, cursor)
    },
    async state() {
      return { backlog: backlog(), capacity, shed: Object.fromEntries(world.shed) }
    },
    async waitForRoom(signal) {
      while (!signal?.aborted && backlog() >= capacity) await room.wait(LOOK_EVERY_MS, signal)
    },
    async waitForEntries(reader, signal) {
      while (!signal?.aborted && unread(cursorOf(reader)).length === 0) await entries.wait(LOOK_EVERY_MS, signal)
    },
    async shed(reader, keep) {
      const waiting = unread(cursorOf(reader))
      const given = waiting.slice(0, Math.max(0, waiting.length - Math.max(0, keep)))
      const last = given.at(-1)
      if (last === undefined || given.length === 0) return 0
      world.shed.set(reader, (world.shed.get(reader) ?? 0) + given.length)
      moveTo(reader, last.cursor)
      return given.length
    },
    moveTo,
    changed() {
      entries.ring()
      room.ring()
    },
  }
}
