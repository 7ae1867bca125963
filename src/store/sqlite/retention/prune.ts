import type { InstantMs, SourceId } from '../../../model/index.ts'
import { type Cutoffs, cutoffsAt } from '../../rules/retention.ts'
import type { RetentionPolicy } from '../../store.ts'
import { slowestCursor } from '../buffer/reader-rows.ts'
import type { Connection } from '../database/connection.ts'
import { forgetDays } from '../items/intake.ts'
import { dropOrphans } from '../query-feeds/publications.ts'
import { forgetMarks, type MarkPosition } from '../users/reading.ts'
import {
  type ExpiredItems,
  expiredItems,
  forgetRemovedItems,
  forgetSome,
  hasOldRows,
  PRUNE_BATCH,
  removeExpiredItems,
  removeObservations,
} from './retention.ts'

/** How the store runs its calls: each in a transaction of its own, between which others get their turn. */
interface PruneAccess {
  readonly connection: Connection
  readonly read: <T>(action: () => T) => Promise<T>
  readonly write: <T>(action: () => T) => Promise<T>
  /** Of the clock; what retention takes for the present may be behind it. */
  readonly now: () => InstantMs
}

export interface RemovedCounts {
  readonly items: number
  readonly observations: number
}

/** Tidies the whole archive in small steps. What a step leaves the next one, or the next round, removes. */
export async function pruneAll(access: PruneAccess, policy: RetentionPolicy, now: InstantMs): Promise<RemovedCounts> {
  const { connection, read, write } = access
  const cutoffs = cutoffsAt(policy, now)
  const ids = await read(() => connection.sql('SELECT id FROM source ORDER BY id').pluck().all() as SourceId[])
  const items = await pruneItems(access, ids, policy, now)
  let observations = 0
  for (const id of ids) observations += await forgetOldRows(access, id, cutoffs)
  while (await write(() => forgetSome(connection, cutoffs))) {}
  while ((await write(() => dropOrphans(connection))) > 0) {}
  for (let after: MarkPosition | null = { userId: 0, seq: 0 }; after !== null; ) {
    const from: MarkPosition = after
    after = await write(() => forgetMarks(connection, from))
  }
  return { items, observations }
}

/** Those of several sources together: each transaction makes the crawler write what it has, be it one refresh. */
async function pruneItems(
  { connection, read, write, now: clockNow }: PruneAccess,
  ids: readonly SourceId[],
  policy: RetentionPolicy,
  now: InstantMs,
): Promise<number> {
  const cutoffs = cutoffsAt(policy, now)
  let removed = 0
  let waiting: ExpiredItems[] = []
  const removeWaiting = async (most: number) => {
    while (waiting.length > 0 && countOf(waiting) >= most) {
      const [some, rest] = splitAt(waiting, PRUNE_BATCH)
      removed += await write(() =>
        removeExpiredItems(connection, some, policy, { now, slowest: slowestCursor(connection, clockNow()) }),
      )
      waiting = rest
    }
  }
  for (const sourceId of ids) {
    const seqs = await read(() => expiredItems(connection, sourceId, policy, cutoffs))
    if (seqs.length > 0) waiting.push({ sourceId, seqs })
    await removeWaiting(PRUNE_BATCH)
  }
  await removeWaiting(1)
  return removed
}

function countOf(expired: readonly ExpiredItems[]): number {
  return expired.reduce((sum, { seqs }) => sum + seqs.length, 0)
}

/** The first so many items, and the others. */
function splitAt(expired: readonly ExpiredItems[], count: number): [ExpiredItems[], ExpiredItems[]] {
  const [first, rest]: [ExpiredItems[], ExpiredItems[]] = [[], []]
  let room = count
  for (const { sourceId, seqs } of expired) {
    if (room > 0) first.push({ sourceId, seqs: seqs.slice(0, room) })
    if (seqs.length > room) rest.push({ sourceId, seqs: seqs.slice(room) })
    room = Math.max(0, room - seqs.length)
  }
  return [first, rest]
}

/** Returns how many observations went. Most sources have nothing that is old enough: they are only looked at. */
async function forgetOldRows(
  { connection, read, write }: PruneAccess,
  id: SourceId,
  cutoffs: Cutoffs,
): Promise<number> {
  let observations = 0
  while (await read(() => hasOldRows(connection, id, cutoffs))) {
    observations += await write(() => {
      forgetRemovedItems(connection, id, cutoffs)
      forgetDays(connection, id, cutoffs)
      return removeObservations(connection, id, cutoffs)
    })
  }
  return observations
}
