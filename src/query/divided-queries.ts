import type { Cursor, ItemBuffer } from '../buffer/buffer.ts'
import { type InstantMs, SECOND_MS } from '../model/index.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { type PublishRecord, QUERY_READER } from '../store/query-feeds.ts'
import type { QueryShards } from '../store/query-shards.ts'
import type { ShardLeases } from '../store/shard-leases.ts'
import { FeedDivision } from './feed-division.ts'
import { nextShards, type ShardGroup } from './next-shards.ts'
import { type QueryDeps, runQueries } from './query-pipeline.ts'

export interface DividedQueryDeps extends Omit<QueryDeps, 'buffer' | 'reader'> {
  readonly buffer: Pick<ItemBuffer, 'read'>
  readonly queryShards: QueryShards
  readonly leases: ShardLeases
}

/** How soon entries are seen that no notification tells of. */
const LOOK_EVERY_MS = SECOND_MS

/** What a pass goes by is no longer so: another begins. */
class PassOver extends Error {}

/**
 * Follows the item buffer with those queries whose shards are this process's by leases, as `runQueries` does with all. It does
 * so in passes, each for some shards that stand at one place; a pass ends when shards come or go, feeds were divided anew, or
 * the place of the next shards is reached. What a pass has in memory is a function of the archive, so that the next one, here or
 * elsewhere, begins where the last one has published.
 */
export async function runDividedQueries(deps: DividedQueryDeps, signal: AbortSignal): Promise<void> {
  const { leases } = deps
  let stop = new AbortController()
  let pass: Promise<unknown> = Promise.resolve()
  const listeners = [
    leases.onChange(() => stop.abort()),
    leases.onLeave(async () => {
      stop.abort()
      await pass
    }),
  ]
  const division = new FeedDivision(deps.store, deps.queryShards, leases.shards)
  try {
    while (!signal.aborted) {
      stop = new AbortController()
      const running = runPass(deps, division, AbortSignal.any([signal, stop.signal]))
      pass = running.catch(() => {})
      await running
    }
  } finally {
    for (const leaveAlone of listeners) leaveAlone()
  }
}

async function runPass(deps: DividedQueryDeps, division: FeedDivision, signal: AbortSignal): Promise<void> {
  const { leases, notifier, queryShards, lookEveryMs = 500 } = deps
  const noticed = notifier.count('queries')
  // Before its place is read: who had a shard before cannot move it any more.
  const tokens = leases.current()
  const divided = tokens.size === 0 ? null : await division.settle()
  const group = divided && nextShards(tokens, await queryShards.places())
  if (divided === null || group === null) {
    return notifier.wait('queries', lookEveryMs, { signal, after: noticed })
  }
  try {
    await runQueries(passDeps(deps, division, group, divided.number), signal)
  } catch (error) {
    if (error instanceof PassOver) return
    if (!(error instanceof HeadwaterError) || error.code !== 'LEASE_LOST') throw error
    // Who has the shard now is known with the next look at the leases.
    await deps.clock.sleep(lookEveryMs, signal)
  }
}

/** Store and buffer as the pass sees them: its feeds, its place, and its right to publish. */
function passDeps(deps: DividedQueryDeps, division: FeedDivision, group: ShardGroup, number: number): QueryDeps {
  const { store, buffer, notifier, queryShards, clock } = deps
  const part = { division: number, tokens: group.tokens }
  let { cursor } = group
  let noticed = notifier.count('entries')
  const publish = async (record: PublishRecord) => {
    const result = await queryShards.publish(record, part)
    cursor = Math.max(cursor, record.cursor)
    return result
  }
  return {
    ...deps,
    store: {
      ...store,
      async queryFeeds() {
        const { feeds, shards, number: present } = await division.settle()
        if (present !== number) throw new PassOver()
        return feeds.filter(({ id }) => group.tokens.has(shards.get(id) ?? NO_SHARD))
      },
      async processedUpTo() {
        const [shard = NO_SHARD] = group.tokens.keys()
        const place = (await queryShards.places()).get(shard)
        if (place === undefined) throw new PassOver()
        return place.itemSeq
      },
      publish,
      publishCatchUp: (record) => queryShards.publishCatchUp(record, part),
    },
    buffer: {
      // It is the store's concern who reads, and up to where all have come.
      register: async () => ({ kind: 'known' }),
      unregister: async () => {},
      acknowledge: async () => {},
      async read(_reader, most) {
        noticed = notifier.count('entries')
        const entries = await buffer.read(QUERY_READER, most, { after: cursor })
        const { upTo } = group
        if (upTo === null) return entries
        const before = entries.filter((entry) => entry.cursor <= upTo)
        if (before.length > 0) return before
        // Nothing is left in between.
        await publish(nothingUpTo(upTo, clock.now()))
        throw new PassOver()
      },
      // Others may be further back: whether there are entries for them says nothing.
      waitForEntries: (_reader, signal) =>
        notifier.wait('entries', LOOK_EVERY_MS, { after: noticed, ...(signal && { signal }) }),
    },
  }
}

const NO_SHARD = -1

function nothingUpTo(cursor: Cursor, at: InstantMs): PublishRecord {
  return { cursor, publications: [], itemCounts: new Map(), matches: [], at }
}
