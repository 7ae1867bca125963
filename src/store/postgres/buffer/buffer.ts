import { createBell } from '../../../buffer/bell.ts'
import type { Cursor, ItemBuffer } from '../../../buffer/buffer.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Access, Sql } from '../database/sql.ts'
import { LAST_CURSOR, moveReader, readEntries, SLOWEST_CURSOR } from './buffer-rows.ts'

/** How often a waiting side looks whether another process has read or written. */
const LOOK_EVERY_MS = 250

export interface PostgresBuffer extends ItemBuffer {
  /** The store has committed entries, or taken some away. */
  changed(): void
}

export function createPostgresBuffer(options: {
  readonly access: () => Access
  readonly clock: Clock
  readonly capacity: number
}): PostgresBuffer {
  const { access, capacity } = options
  const room = createBell(options.clock)
  const entries = createBell(options.clock)
  const write = async <T>(action: (sql: Sql) => Promise<T>): Promise<T> => {
    const result = await access().transaction([], action)
    room.ring()
    return result
  }

  return {
    async register(reader, from) {
      const start =
        from === 'end' ? LAST_CURSOR : `coalesce((SELECT min(cursor) FROM buffer_entry) - 1, ${LAST_CURSOR})`
      const insert = `INSERT INTO buffer_reader (name, cursor) VALUES ($1, ${start}) ON CONFLICT DO NOTHING`
      await write((sql) => sql.run(insert, [reader]))
    },
    unregister: (reader) =>
      write(async (sql) => {
        await sql.run('DELETE FROM buffer_reader WHERE name = $1', [reader])
        await sql.run(
          `DELETE FROM buffer_entry WHERE cursor <= coalesce(${SLOWEST_CURSOR}, ${LAST_CURSOR} - $1::bigint)`,
          [capacity],
        )
      }),
    read: (reader, max, { after = 0, parts } = {}) =>
      access().snapshot(async (sql) => readEntries(sql, Math.max(await cursorOf(sql, reader), after), max, parts)),
    acknowledge: (reader, cursor) =>
      write(async (sql) => {
        await cursorOf(sql, reader)
        await moveReader(sql, reader, cursor)
      }),
    state: () =>
      access().snapshot(async (sql) => {
        const rows = await sql.rows<{ reader: string; entries: number }>('SELECT reader, entries FROM buffer_shed')
        const shed = Object.fromEntries(rows.map((row) => [row.reader, row.entries]))
        return { backlog: await backlog(sql), capacity, shed }
      }),
    async waitForRoom(signal) {
      while (!signal?.aborted && (await backlog(access(), capacity)) >= capacity) await room.wait(LOOK_EVERY_MS, signal)
    },
    async waitForEntries(reader, signal) {
      const isAny = async () => hasEntries(access(), await cursorOf(access(), reader))
      while (!signal?.aborted && !(await isAny())) await entries.wait(LOOK_EVERY_MS, signal)
    },
    shed: (reader, keep) => write((sql) => shedEntries(sql, reader, keep)),
    changed() {
      entries.ring()
      room.ring()
    },
  }
}

async function cursorOf(sql: Sql, reader: string): Promise<Cursor> {
  const row = await sql.first<{ cursor: Cursor }>('SELECT cursor FROM buffer_reader WHERE name = $1', [reader])
  if (row === null) throw new Error(`No such reader of the item buffer: ${reader}`)
  return row.cursor
}

/** Entries that the slowest reader has not acknowledged; counted no further than to `most`. */
async function backlog(sql: Sql, most: number | null = null): Promise<number> {
  const row = await sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM buffer_entry WHERE cursor > ${SLOWEST_CURSOR} LIMIT $1) AS counted`,
    [most],
  )
  return row?.count ?? 0
}

async function hasEntries(sql: Sql, after: Cursor): Promise<boolean> {
  return (await sql.first('SELECT 1 FROM buffer_entry WHERE cursor > $1 LIMIT 1', [after])) !== null
}

/** Gives up all but the newest, and counts them. */
async function shedEntries(sql: Sql, reader: string, keep: number): Promise<number> {
  const cursor = await cursorOf(sql, reader)
  const row = await sql.first<{ cursor: Cursor; count: number }>(
    `SELECT max(cursor) AS cursor, count(*) AS count FROM (
       SELECT cursor FROM buffer_entry WHERE cursor > $1 ORDER BY cursor DESC OFFSET $2) AS given`,
    [cursor, Math.max(0, keep)],
  )
  if (row === null || row.count === 0) return 0
  await sql.run(
    `INSERT INTO buffer_shed AS s (reader, entries) VALUES ($1, $2)
     ON CONFLICT (reader) DO UPDATE SET entries = s.entries + excluded.entries`,
    [reader, row.count],
  )
  await moveReader(sql, reader, row.cursor)
  return row.count
}
