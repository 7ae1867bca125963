import type { InstantMs, SourceId } from '../../../model/index.ts'
import { cutoffsAt } from '../../rules/retention.ts'
import type { RetentionPolicy } from '../../store.ts'
import { slowestCursor } from '../buffer/reader-rows.ts'
import type { Connection } from '../database/connection.ts'
import { forgetDays } from '../items/intake.ts'
import { dropOrphans } from '../query-feeds/publications.ts'
import { forgetMarks, type MarkPosition } from '../users/reading.ts'
import {
  expiredItems,
  forgetRemovedItems,
  forgetSome,
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
  const total = { items: 0, observations: 0 }
  const cutoffs = cutoffsAt(policy, now)
  const ids = await read(() => connection.sql('SELECT id FROM source ORDER BY id').pluck().all() as SourceId[])
  for (const id of ids) {
    const removed = await pruneSource(access, id, policy, now)
    total.items += removed.items
    total.observations += removed.observations
  }
  while (await write(() => forgetSome(connection, cutoffs))) {}
  while ((await write(() => dropOrphans(connection))) > 0) {}
  for (let after: MarkPosition | null = { userId: 0, seq: 0 }; after !== null; ) {
    const from: MarkPosition = after
    after = await write(() => forgetMarks(connection, from))
  }
  return total
}

async function pruneSource(
  { connection, read, write, now: clockNow }: PruneAccess,
  id: SourceId,
  policy: RetentionPolicy,
  now: InstantMs,
): Promise<RemovedCounts> {
  const cutoffs = cutoffsAt(policy, now)
  const expired = await read(() => expiredItems(connection, id, policy, cutoffs))
  let items = 0
  for (let at = 0; at < expired.length; at += PRUNE_BATCH) {
    const some = expired.slice(at, at + PRUNE_BATCH)
    items += await write(() =>
      removeExpiredItems(connection, id, some, policy, { now, slowest: slowestCursor(connection, clockNow()) }),
    )
  }
  let observations = 0
  for (let more = true; more; ) {
    const count = await write(() => {
      forgetRemovedItems(connection, id, cutoffs)
      forgetDays(connection, id, cutoffs)
      return removeObservations(connection, id, cutoffs)
    })
    observations += count
    more = count > 0
  }
  return { items, observations }
}
