import type { ItemBuffer } from '../../../buffer/buffer.ts'
import type { Notifier } from '../../../buffer/notifier.ts'
import { demandAlive, isRenewalDue } from '../../../buffer/reader.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { slowestCursor } from '../database/slowest-cursor.ts'
import type { Access, Sql } from '../database/sql.ts'
import { countDropped, hasEntries, LAST_CURSOR, readEntries } from './buffer-rows.ts'
import { aliveReader, findReader, listReaders, moveReader, writeReader, writeSeen } from './reader-rows.ts'

/** How often a waiting side looks whether another process has read or written: what a lost notification costs. */
const LOOK_EVERY_MS = 1_000

export function createPostgresBuffer(options: {
  readonly access: Access
  readonly clock: Clock
  readonly capacity: number
  readonly notifier: Notifier
}): ItemBuffer {
  const { access, clock, capacity, notifier } = options
  const now = () => clock.now()
  const write = async <T>(action: (sql: Sql) => Promise<T>): Promise<T> => {
    const result = await access.transaction([], action)
    notifier.notify('room')
    return result
  }
  /** One that never expires costs no write. */
  const renew = async (reader: string): Promise<void> => {
    if (!isRenewalDue(await aliveReader(access, reader, now()), now())) return
    await access.transaction([], async (sql) => {
      demandAlive(reader, (await findReader(sql, reader, 'FOR UPDATE')) ?? undefined, now())
      await writeSeen(sql, reader, now())
    })
  }

  return {
    register: (reader, terms) => write((sql) => writeReader(sql, reader, terms, now())),
    unregister: (reader) =>
      write(async (sql) => {
        await sql.run('DELETE FROM buffer_reader WHERE name = $1', [reader])
        await sql.run(
          `DELETE FROM buffer_entry WHERE cursor <= coalesce(${slowestCursor('$1')}, ${LAST_CURSOR} - $2::bigint)`,
          [now(), capacity],
        )
      }),
    renew,
    async read(reader, max, { after = 0, parts } = {}) {
      await renew(reader)
      return access.snapshot(async (sql) =>
        readEntries(sql, Math.max((await aliveReader(sql, reader, now())).cursor, after), max, parts),
      )
    },
    acknowledge: (reader, cursor) =>
      write(async (sql) => {
        await aliveReader(sql, reader, now())
        await moveReader(sql, reader, cursor, now())
      }),
    state: () =>
      access.snapshot(async (sql) => {
        const rows = await sql.rows<{ reader: string; entries: number }>('SELECT reader, entries FROM buffer_dropped')
        const dropped = Object.fromEntries(rows.map((row) => [row.reader, row.entries]))
        return { backlog: await backlog(sql, now()), capacity, dropped, readers: await listReaders(sql, now()) }
      }),
    async waitForRoom(signal) {
      for (;;) {
        const after = notifier.count('room')
        if (signal?.aborted || (await backlog(access, now(), capacity)) < capacity) return
        await notifier.wait('room', LOOK_EVERY_MS, { signal, after })
      }
    },
    async waitForEntries(reader, signal) {
      for (;;) {
        const after = notifier.count('entries')
        if (signal?.aborted) return
        await renew(reader)
        if (await hasEntries(access, (await aliveReader(access, reader, now())).cursor)) return
        await notifier.wait('entries', LOOK_EVERY_MS, { signal, after })
      }
    },
    drop: (reader, keep) =>
      write(async (sql) => {
        const { cursor } = await aliveReader(sql, reader, now())
        const { count, upTo } = await countDropped(sql, reader, cursor, keep)
        if (count > 0) await moveReader(sql, reader, upTo, now())
        return count
      }),
  }
}

/** Entries that the slowest living reader has not acknowledged; counted no further than to `most`. */
async function backlog(sql: Sql, now: number, most: number | null = null): Promise<number> {
  const row = await sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM buffer_entry WHERE cursor > ${slowestCursor('$1')} LIMIT $2) AS counted`,
    [now, most],
  )
  return row?.count ?? 0
}
