import type { Connection } from './connection.ts'

type Counter = 'revision' | 'items' | 'observations' | 'indexed' | 'queries'

/** Stored instead of counted: counting a million rows takes a tenth of a second. */
export function addToCounter(connection: Connection, name: Counter, amount: number): void {
  if (amount !== 0) connection.sql('UPDATE counter SET value = value + ? WHERE name = ?').run(amount, name)
}

export function readCounter(connection: Connection, name: Counter): number {
  return connection.sql('SELECT value FROM counter WHERE name = ?').pluck().get(name) as number
}

export function nextRevision(connection: Connection): number {
  addToCounter(connection, 'revision', 1)
  return readCounter(connection, 'revision')
}

/** How many items a source has: counting them takes longer the more there are. */
export function addToSourceItems({ sql }: Connection, sourceId: number, by: number): void {
  if (by === 0) return
  sql(
    'INSERT INTO source_items (source_id, items) VALUES (?, ?) ON CONFLICT DO UPDATE SET items = items + excluded.items',
  ).run(sourceId, by)
}
