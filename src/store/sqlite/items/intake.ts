import type { DayIntake, SourceId } from '../../../model/index.ts'
import type { IntakeStore } from '../../intake.ts'
import type { Cutoffs } from '../../rules/retention.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'

export function intakeVerbs({ connection, read }: DatabaseAccess): IntakeStore {
  const { sql } = connection
  return {
    intake: (sourceId, { from, to }) =>
      read(
        () =>
          sql(
            'SELECT day, taken, repaired, refused FROM source_day WHERE source_id = ? AND day BETWEEN ? AND ? ORDER BY day',
          ).all(sourceId, from, to) as DayIntake[],
      ),
    refusals: (day) =>
      read(
        () =>
          sql(
            'SELECT source_id AS sourceId, refused FROM source_day WHERE day = ? AND refused > 0 ORDER BY source_id',
          ).all(day) as { sourceId: SourceId; refused: number }[],
      ),
  }
}

/** `addIntake` of src/store/rules/refreshes.ts, within the caller's transaction. */
export function writeIntake(
  { sql }: Connection,
  sourceId: SourceId,
  { day, taken, repaired, refused }: DayIntake,
): void {
  sql(
    `INSERT INTO source_day (source_id, day, taken, repaired, refused) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET taken = taken + excluded.taken, repaired = repaired + excluded.repaired,
       refused = refused + excluded.refused`,
  ).run(sourceId, day, taken, repaired, refused)
}

/** In a transaction. */
export function forgetDays({ sql }: Connection, sourceId: SourceId, { intakeBeforeDay }: Cutoffs): void {
  sql('DELETE FROM source_day WHERE source_id = ? AND day < ?').run(sourceId, intakeBeforeDay)
}
