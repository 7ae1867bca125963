import type { DueIcon, InstantMs } from '../../../model/index.ts'
import type { IconRecord, IconStore } from '../../icons.ts'
import { type IconRow, iconOf, pictureColumns } from '../../rows/icons.ts'
import { isInPart, type SourcePart } from '../../shards.ts'
import type { Access, Sql } from '../database/sql.ts'

export function iconVerbs(access: Access): IconStore {
  return {
    async wantIcons(ids, now) {
      await access.run(
        `INSERT INTO source_icon (source_id, due_at, attempts) SELECT id, $2, 0 FROM source WHERE id = ANY ($1::bigint[])
         ON CONFLICT (source_id) DO NOTHING`,
        [ids, now],
      )
    },
    async iconHashes(ids) {
      const rows = await access.rows<{ source_id: number; hash: string | null }>(
        'SELECT source_id, hash FROM source_icon WHERE source_id = ANY ($1::bigint[])',
        [ids],
      )
      return new Map(rows.map(({ source_id: id, hash }) => [id, hash]))
    },
    async icons(ids) {
      const rows = await access.rows<IconRow>(
        `SELECT source_id, type, hash, body FROM source_icon WHERE source_id = ANY ($1::bigint[]) AND body IS NOT NULL
         ORDER BY source_id`,
        [ids],
      )
      return rows.map(iconOf)
    },
    dueIcons: (now, { limit, part }) => dueIcons(access, now, limit, part),
    recordIcon: (record) => writeIcon(access, record),
  }
}

/** Where a part is asked for, so many are looked at for one that is of it. */
const LOOKED_AT_MOST = 5_000

async function dueIcons(sql: Sql, now: InstantMs, limit: number, part: SourcePart | undefined): Promise<DueIcon[]> {
  const rows = await sql.rows<{ source_id: number; attempts: number; url: string }>(
    `SELECT i.source_id, i.attempts, s.url FROM source_icon i JOIN source s ON s.id = i.source_id WHERE i.due_at <= $1
     ORDER BY i.due_at, i.source_id LIMIT $2`,
    [now, part === undefined ? Math.max(0, limit) : LOOKED_AT_MOST],
  )
  return rows
    .filter(({ url }) => isInPart(url, part))
    .slice(0, Math.max(0, limit))
    .map(({ source_id: sourceId, attempts }) => ({ sourceId, attempts }))
}

async function writeIcon(sql: Sql, record: IconRecord): Promise<boolean> {
  const { sourceId, at, dueAt, attempts, failure } = record
  const picture = pictureColumns(record)
  const more = picture === null ? '' : ', type = $6, hash = $7, body = $8'
  const written = await sql.run(
    `UPDATE source_icon SET looked_at = $2, due_at = $3, attempts = $4, failure = $5${more} WHERE source_id = $1`,
    [sourceId, at, dueAt, attempts, failure, ...(picture ?? [])],
  )
  return written > 0
}
