import type { IntakeStore } from '../../intake.ts'
import type { Sql } from '../database/sql.ts'

export function intakeVerbs(sql: Sql): IntakeStore {
  return {
    intake: (sourceId, { from, to }) =>
      sql.rows(
        `SELECT day, taken, repaired, refused FROM source_day WHERE source_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
        [sourceId, from, to],
      ),
    refusals: (day) =>
      sql.rows(
        'SELECT source_id AS "sourceId", refused FROM source_day WHERE day = $1 AND refused > 0 ORDER BY source_id',
        [day],
      ),
  }
}
