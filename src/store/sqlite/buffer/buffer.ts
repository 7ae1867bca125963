import type { ItemBuffer } from '../../../buffer/buffer.ts'
import type { Notifier } from '../../../buffer/notifier.ts'
import { demandAlive, type StoredReader } from '../../../buffer/reader.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Connection } from '../database/connection.ts'
import { translateErrors } from '../database/failures.ts'
import { countDropped, countEntries, dropUpTo, hasEntries, lastCursor, readEntries } from './buffer-rows.ts'
import {
  findReader,
  listReaders,
  moveReader,
  needsRenewal,
  slowestCursor,
  writeReader,
  writeSeen,
} from './reader-rows.ts'

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
  readonly notifier: Notifier
}): SqliteBuffer {
  const { connection, clock, capacity, notifier } = options
  const { sql } = connection

  const alive = (reader: string): StoredReader => demandAlive(reader, findReader(connection, reader), clock.now())
  const slowest = () => slowestCursor(connection, clock.now())
  const backlog = () => {
    const from = slowest()
    return from === null ? 0 : countEntries(connection, from, lastCursor(connection))
  }
  /** Read before every refresh, and it changes only with what is written: cached until then. */
  let roomSeen = false
  const hasRoom = () => {
    roomSeen ||= looksForRoom()
    return roomSeen
  }
  const looksForRoom = () => {
    // Cursors may have gaps (removed sources), so the difference is an upper bound; it is far cheaper than counting.
    const from = slowest()
    return from === null || lastCursor(connection) - from < capacity || backlog() < capacity
  }
  /** Drops what every reader has read; without a reader, all but the newest entries. */
  const trim = () => dropUpTo(connection, slowest() ?? lastCursor(connection) - capacity)
  const read = async <T>(action: () => T): Promise<T> => translateErrors(connection.db.name, action)
  const write = async <T>(action: () => T): Promise<T> => {
    const result = translateErrors(connection.db.name, () => connection.transaction(action))
    roomSeen = false
    notifier.notify('room')
    return result
  }
  /** One that never expires costs no write. */
  const renew = (reader: string) =>
    translateErrors(connection.db.name, () => {
      if (!needsRenewal(connection, reader, clock.now())) return
      connection.transaction(() => {
        alive(reader)
        writeSeen(connection, reader, clock.now())
      })
    })
  const readAs = async <T>(reader: string, action: () => T): Promise<T> => {
    renew(reader)
    return read(action)
  }

  return {
    register: (reader, terms) => write(() => writeReader(connection, reader, terms, clock.now())),
    unregister: (reader) =>
      write(() => {
        sql('DELETE FROM buffer_reader WHERE name = ?').run(reader)
        trim()
      }),
    renew: async (reader) => renew(reader),
    read: (reader, max, { after = 0, parts } = {}) =>
      readAs(reader, () => readEntries(connection, Math.max(alive(reader).cursor, after), max, parts)),
    acknowledge: (reader, cursor) =>
      write(() => {
        alive(reader)
        moveReader(connection, reader, cursor, clock.now())
      }),
    state: () =>
      read(() => {
        const dropped = sql<[string, number]>('SELECT reader, entries FROM buffer_shed').raw().all()
        const readers = listReaders(connection, clock.now())
        return { backlog: backlog(), capacity, dropped: Object.fromEntries(dropped), readers }
      }),
    async waitForRoom(signal) {
      for (;;) {
        const after = notifier.count('room')
        if (signal?.aborted || (await read(hasRoom))) return
        await notifier.wait('room', LOOK_EVERY_MS, { signal, after })
      }
    },
    async waitForEntries(reader, signal) {
      for (;;) {
        const after = notifier.count('entries')
        if (signal?.aborted || (await readAs(reader, () => hasEntries(connection, alive(reader).cursor)))) return
        await notifier.wait('entries', LOOK_EVERY_MS, { signal, after })
      }
    },
    drop: (reader, keep) =>
      write(() => {
        const dropped = countDropped(connection, reader, alive(reader).cursor, keep)
        if (dropped.count > 0) moveReader(connection, reader, dropped.upTo, clock.now())
        return dropped.count
      }),
    changed() {
      roomSeen = false
      notifier.notify('entries')
      notifier.notify('room')
    },
  }
}
