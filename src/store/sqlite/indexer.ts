import Database from 'better-sqlite3'
import type { Connection } from './connection.ts'
import { indexSome } from './text-index.ts'

export interface Indexer {
  /** There may be work: in batches while there is much of it, after a pause for the rest. */
  nudge(): void
  /** Indexes all that waits; a search calls it first and is so exact at any time. */
  complete(): void
  /** Ends the work; what waits is indexed after the next start. */
  stop(): void
}

// Large batches make few, large segments in the index: 1,000 items at a time cost a third of 20 at a time. See
// docs/decisions/full-text.md.
const BATCH = 1_000
const PAUSE_MS = 1_000

export function createIndexer(connection: Connection): Indexer {
  let timer: NodeJS.Timeout | null = null
  const waiting = () => connection.sql('SELECT count(*) FROM unindexed').pluck().get() as number

  const complete = () => {
    while (connection.db.open && indexSome(connection, BATCH) === BATCH);
  }
  const stop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  /** In the background nobody could be told of a failure (a full disk); the work waits, and a search will say it. */
  const quietly = (action: () => void) => {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error
    }
  }
  const nudge = () => {
    quietly(() => {
      if (waiting() >= BATCH) indexSome(connection, BATCH)
    })
    if (timer !== null) return
    timer = setTimeout(() => {
      timer = null
      quietly(complete)
    }, PAUSE_MS)
    timer.unref()
  }
  return { nudge, complete, stop }
}
