import type { Connection } from '../database/connection.ts'
import { translate } from '../database/failures.ts'
import type { RefreshResult } from '../items/refresh.ts'
import { indexSome, unindexedAtMost } from '../text-index/text-index.ts'
import { createFreshTexts } from './fresh-texts.ts'

export interface Indexer {
  /** After a commit: indexes a batch when enough waits, or after a pause what there is. */
  written(results: readonly RefreshResult[]): void
  /** Indexes all that waits by now, in slices; a search calls it first and is so exact at any time. */
  complete(): Promise<void>
  /** Ends the work; what waits is indexed after the next start. */
  stop(): void
}

// Large batches make few, large segments in the index: docs/decisions/0011-full-text.md.
const BATCH = 500
/** In one transaction, for which others wait: some 25 ms at full speed. */
const LARGEST_BATCH = 600
const PAUSE_MS = 1_000

/** In the background nobody waits for an answer; failures go to the watcher. */
export interface IndexerWatch {
  recordFailure(error: unknown): void
  succeeded(): void
}

export function createIndexer(connection: Connection, watch?: IndexerWatch): Indexer {
  const fresh = createFreshTexts()
  let waiting = unindexedAtMost(connection)
  let timer: NodeJS.Timeout | null = null

  const dataVersion = () => connection.sql('PRAGMA data_version').pluck().get()
  let knownVersion = dataVersion()
  /** After another process has written, what we remember may no longer be what is stored. */
  const forgetIfOthersWrote = () => {
    const version = dataVersion()
    if (version !== knownVersion) fresh.clear()
    knownVersion = version
  }
  const indexBatch = () =>
    connection.transaction(() => {
      forgetIfOthersWrote()
      return indexSome(connection, LARGEST_BATCH, fresh)
    })
  const remember = ({ added, changed }: RefreshResult) => {
    for (const { seq, item } of added) fresh.set(seq, item)
    for (const { seq, item } of changed) if (fresh.get(seq) !== undefined) fresh.set(seq, item)
    waiting += added.length + changed.length
  }
  const workOnce = () => {
    if (!connection.db.open) return
    const done = indexBatch()
    const all = done < LARGEST_BATCH
    if (all) fresh.clear()
    waiting = all ? 0 : Math.max(1, waiting - done)
  }
  /** After a failure (a full disk) the work waits for the next refresh or search. */
  const watched = (action: () => void) => {
    try {
      action()
      watch?.succeeded()
    } catch (error) {
      watch?.recordFailure(translate(connection.db.name, error))
    }
  }
  const workAfter = (pauseMs: number) => {
    if (waiting === 0 || (timer !== null && pauseMs > 0)) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      const before = waiting
      watched(workOnce)
      // After a failure the next refresh or search tries again; else the rest follows in the next turn.
      if (waiting < before) workAfter(0)
    }, pauseMs)
    timer.unref()
  }
  return {
    written(results) {
      for (const result of results) remember(result)
      // In a turn of its own: the commit has taken some of this one.
      workAfter(waiting >= BATCH ? 0 : PAUSE_MS)
    },
    async complete() {
      // Another process may have written what this one does not count.
      waiting = Math.max(waiting, unindexedAtMost(connection))
      // What comes meanwhile is the next search's: a busy crawl would never let this one begin.
      for (let remaining = waiting; remaining > 0 && waiting > 0 && connection.db.open; remaining -= LARGEST_BATCH) {
        workOnce()
        if (waiting > 0) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      fresh.clear()
    },
  }
}
