import { NUMBERED } from '../../transfer/tables.ts'
import type { TransferRow } from '../../transfer/transfer.ts'
import type { Sql } from '../database/sql.ts'

/** What is numbered under a lock, and so in a row of its own; the others have a sequence. */
const POSITIONS: Readonly<Record<string, { readonly table: string; readonly column: string }>> = {
  item: { table: 'log_position', column: 'seq' },
  buffer_entry: { table: 'log_position', column: 'cursor' },
  publication: { table: 'publication_position', column: 'seq' },
}

export async function readLastNumbers(sql: Sql): Promise<TransferRow[]> {
  const rows: TransferRow[] = []
  for (const name of NUMBERED) {
    const position = POSITIONS[name]
    const row = await sql.first<{ value: number }>(
      position === undefined
        ? `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS value FROM ${name}_id_seq`
        : `SELECT ${position.column} AS value FROM ${position.table}`,
    )
    rows.push([name, row?.value ?? 0])
  }
  return rows
}

export async function writeLastNumbers(sql: Sql, rows: readonly TransferRow[]): Promise<void> {
  for (const [name, value] of rows) {
    const position = POSITIONS[String(name)]
    if (position !== undefined) await sql.run(`UPDATE ${position.table} SET ${position.column} = $1`, [value])
    else {
      const sequence = NUMBERED.find((one) => one === name)
      await sql.run(`SELECT setval('${sequence}_id_seq', greatest($1::bigint, 1), $1::bigint > 0)`, [value])
    }
  }
}
