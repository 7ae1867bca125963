import type { Sql } from './sql.ts'

type Counter = 'revision' | 'queries'

/** Within a transaction that holds the lock "settings". */
export async function nextRevision(sql: Sql, name: Counter = 'revision'): Promise<number> {
  const row = await sql.first<{ value: number }>(
    'UPDATE counter SET value = value + 1 WHERE name = $1 RETURNING value',
    [name],
  )
  if (row === null) throw new Error(`there is no counter ${name}`)
  return row.value
}

export async function readCounter(sql: Sql, name: Counter): Promise<number> {
  const row = await sql.first<{ value: number }>('SELECT value FROM counter WHERE name = $1', [name])
  return row?.value ?? 0
}

/** Adds to a number that is the sum of some rows, by whichever of them this connection keeps to. */
export async function addToTally(sql: Sql, name: 'items' | 'observations', amount: number): Promise<void> {
  if (amount === 0) return
  await sql.run(
    `INSERT INTO tally AS t (name, stripe, value) VALUES ($1, pg_backend_pid() % 16, $2)
     ON CONFLICT (name, stripe) DO UPDATE SET value = t.value + excluded.value`,
    [name, amount],
  )
}
