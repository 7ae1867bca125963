import type { DueIcon, InstantMs } from '../../../model/index.ts'
import type { IconRecord, IconStore } from '../../icons.ts'
import { type IconRow, iconOf, pictureColumns } from '../../rows/icons.ts'
import { isInPart, type SourcePart } from '../../shards.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

const THESE = 'source_id IN (SELECT value FROM json_each(?))'

export function iconVerbs({ connection, read, write }: DatabaseAccess): IconStore {
  const { sql } = connection
  return {
    wantIcons: (ids, now) =>
      write(
        () =>
          void sql(
            `INSERT OR IGNORE INTO source_icon (source_id, due_at, attempts)
             SELECT id, ?, 0 FROM source WHERE id IN (SELECT value FROM json_each(?))`,
          ).run(now, JSON.stringify(ids)),
      ),
    iconHashes: (ids) =>
      read(() => {
        const rows = sql(`SELECT source_id, hash FROM source_icon WHERE ${THESE}`).raw().all(JSON.stringify(ids))
        return new Map(rows as [number, string | null][])
      }),
    icons: (ids) =>
      read(() =>
        sql<IconRow>(
          `SELECT source_id, type, hash, body FROM source_icon WHERE ${THESE} AND body IS NOT NULL ORDER BY source_id`,
        )
          .all(JSON.stringify(ids))
          .map(iconOf),
      ),
    dueIcons: (now, { limit, part }) => read(() => dueIcons(connection, now, limit, part)),
    recordIcon: (record) => write(() => writeIcon(connection, record)),
  }
}

function dueIcons({ sql }: Connection, now: InstantMs, limit: number, part: SourcePart | undefined): DueIcon[] {
  const rows = sql<{ source_id: number; attempts: number; url: string }>(
    `SELECT i.source_id, i.attempts, s.url FROM source_icon i JOIN source s ON s.id = i.source_id WHERE i.due_at <= ?
     ORDER BY i.due_at, i.source_id`,
  )
  const due: DueIcon[] = []
  for (const { source_id: sourceId, attempts, url } of rows.iterate(now)) {
    if (due.length >= limit) break
    if (isInPart(url, part)) due.push({ sourceId, attempts })
  }
  return due
}

function writeIcon({ sql }: Connection, record: IconRecord): boolean {
  const { sourceId, at, dueAt, attempts, failure } = record
  const picture = pictureColumns(record)
  const more = picture === null ? '' : ', type = ?, hash = ?, body = ?'
  const change = sql(
    `UPDATE source_icon SET looked_at = ?, due_at = ?, attempts = ?, failure = ?${more} WHERE source_id = ?`,
  )
  return change.run(at, dueAt, attempts, failure, ...(picture ?? []), sourceId).changes > 0
}
