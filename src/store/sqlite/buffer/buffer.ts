import { createBell } from '../../../buffer/bell.ts'
import type { Cursor, ItemBuffer } from '../../../buffer/buffer.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Connection } from '../database/connection.ts'
import { translated } from '../database/failures.ts'
import {
  countEntries,
  dropUpTo,
  hasEntries,
  lastCursor,
  moveReader,
  readEntries,
  shedEntries,
  slowestCursor,
} from './buffer-rows.ts'

/** How often a waiting side looks whether another process has read or written. */
const LOOK_EVERY_MS = 250

export interface SqliteBuffer extends ItemBuffer {
  /** The store has committed entries, or taken some away. */
  changed(): void
}

export function createSqliteBuffer(options: {
  readonly connection: Connection
  readonly clock: Clock
  readonly capacity: number
}): SqliteBuffer {
  const { connection, capacity } = options
  const { sql } = connection
  const room = createBell(options.clock)
  const entries = createBell(options.clock)

  const cursorOf = (reader: string): Cursor => {
    const cursor = sql('SELECT cursor FROM buffer_reader WHERE name = ?').pluck().get(reader)
    if (cursor === undefined) throw new Error(`No such reader of the item buffer: ${reader}`)
    return cursor as Cursor
  }
  const backlog = () => {
    const from = slowestCursor(connection)
    return from === null ? 0 : countEntries(connection, from, lastCursor(connection))
  }
  /** Asked before every refresh, and the answer changes only with what is written: kept until then. */
  let roomSeen = false
  const hasRoom = () => {
    roomSeen ||= looksForRoom()
    return roomSeen
  }
  const looksForRoom = () => {
    // Cursors may have gaps (removed sources), so the difference is an upper bound; it is far cheaper than counting.
    const from = slowestCursor(connection)
    return from === null || lastCursor(connection) - from < capacity || backlog() < capacity
  }
  /** Drops what every reader has read; without a reader, all but the newest entries. */
  const trim = () => dropUpTo(connection, slowestCursor(connection) ?? lastCursor(connection) - capacity)
  const read = async <T>(action: () => T): Promise<T> => translated(connection.db.name, action)
  const write = async <T>(action: () => T): Promise<T> => {
    const result = translated(connection.db.name, () => connection.transaction(action))
    roomSeen = false
    room.ring()
    return result
  }

  return {
    register: (reader, from) =>
      write(() => {
        const oldest = sql('SELECT min(cursor) FROM buffer_entry').pluck().get() as Cursor | null
        const start = from === 'end' || oldest === null ? lastCursor(connection) : oldest - 1
        sql('INSERT OR IGNORE INTO buffer_reader (name, cursor) VALUES (?, ?)').run(reader, start)
      }),
    unregister: (reader) =>
      write(() => {
        sql('DELETE FROM buffer_reader WHERE name = ?').run(reader)
        trim()
      }),
    read: (reader, max, { after = 0, parts } = {}) =>
      read(() => readEntries(connection, Math.max(cursorOf(reader), after), max, parts)),
    acknowledge: (reader, cursor) =>
      write(() => {
        cursorOf(reader)
        moveReader(connection, reader, cursor)
      }),
    state: () =>
      read(() => {
        const shed = sql('SELECT reader, entries FROM buffer_shed').raw().all() as [string, number][]
        return { backlog: backlog(), capacity, shed: Object.fromEntries(shed) }
      }),
    async waitForRoom(signal) {
      while (!signal?.aborted && !(await read(hasRoom))) await room.wait(LOOK_EVERY_MS, signal)
    },
    async waitForEntries(reader, signal) {
      const any = () => hasEntries(connection, cursorOf(reader))
      while (!signal?.aborted && !(await read(any))) await entries.wait(LOOK_EVERY_MS, signal)
    },
    shed: (reader, keep) =>
      write(() => {
        const given = shedEntries(connection, reader, cursorOf(reader), keep)
        if (given.count > 0) moveReader(connection, reader, given.upTo)
        return given.count
      }),
    changed() {
      roomSeen = false
      entries.ring()
      room.ring()
    },
  }
}
