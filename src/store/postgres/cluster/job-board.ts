import { FORGET_JOB_AFTER_MS, JOB_ABANDONED_AFTER_MS, type JobBoard } from '../../../cluster/job-board.ts'
import type { Access } from '../database/sql.ts'

/** What was last posted counts, also where an older post comes late: what is over stays over. */
const POST = `WITH forgotten AS (
    DELETE FROM job WHERE posted_at < cluster_now_ms() - ${FORGET_JOB_AFTER_MS} AND id <> $1
  )
  INSERT INTO job AS j (id, user_id, is_over, document, posted_at) VALUES ($1, $2, $3, $4, cluster_now_ms())
  ON CONFLICT (id) DO UPDATE SET is_over = excluded.is_over, document = excluded.document, posted_at = excluded.posted_at
    WHERE NOT j.is_over`

const FIND = `SELECT document, posted_at, NOT is_over AND posted_at < cluster_now_ms() - ${JOB_ABANDONED_AFTER_MS} AS is_abandoned
  FROM job WHERE id = $1 AND user_id = $2 AND posted_at >= cluster_now_ms() - ${FORGET_JOB_AFTER_MS}`

interface Row {
  readonly document: string
  readonly posted_at: number
  readonly is_abandoned: boolean
}

/** For all processes over one database, by its clock. */
export function createPostgresJobBoard(access: Access): JobBoard {
  return {
    async post({ id, userId, isOver, document }) {
      await access.run(POST, [id, userId, isOver, JSON.stringify(document)])
    },
    async find(id, userId) {
      const row = await access.first<Row>(FIND, [id, userId])
      if (row === null) return null
      return {
        document: JSON.parse(row.document),
        postedAt: Math.floor(row.posted_at),
        isAbandoned: row.is_abandoned,
      }
    },
  }
}
