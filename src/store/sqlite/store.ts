import type { Notifier } from '../../buffer/notifier.ts'
import type { ItemSeq, QualityTally } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import { type ReportState, StateReader } from '../node-state.ts'
import type { ItemQuery, RefreshRecord, Store } from '../store.ts'
import { trimUnread } from './buffer/reader-rows.ts'
import type { Connection } from './database/connection.ts'
import { readCounter } from './database/counters.ts'
import { translate, translateErrors } from './database/failures.ts'
import { groupCommit } from './database/group-commit.ts'
import { lastStoredItems } from './items/arrivals.ts'
import { intakeVerbs } from './items/intake.ts'
import { itemPageVerbs } from './items/item-pages.ts'
import {
  firstWithinMemory,
  headsOf,
  itemsOf,
  itemsWithinLimit,
  newestPositions,
  positionsOf,
  readObservations,
  readSeqs,
} from './items/items.ts'
import { readMixedArrivals } from './items/mixed-arrivals.ts'
import { type RefreshResult, type RefreshSums, readKnownItems, writeRefresh, writeSums } from './items/refresh.ts'
import { readCategoryQuality } from './quality/category-quality.ts'
import { QualityWriter, readQuality, readQualityEver } from './quality/quality.ts'
import { hubVerbs } from './query-feeds/hub.ts'
import { queryFeedVerbs } from './query-feeds/query-feed-verbs.ts'
import { pruneAll } from './retention/prune.ts'
import { createIndexer, type IndexerWatch } from './search/indexer.ts'
import { createSearches } from './search/searches.ts'
import { iconVerbs } from './sources/icons.ts'
import { pushVerbs } from './sources/pushes.ts'
import {
  hasRefreshRequests,
  readDecisions,
  readFeedReads,
  readFetches,
  readModels,
  readScheduleChanges,
  readState,
  takeRefreshRequests,
  writeFeedReads,
  writeFetches,
  writeModels,
  writeRefreshRequests,
  writeState,
} from './sources/schedule.ts'
import { summaryVerbs } from './sources/source-summaries.ts'
import {
  addSource,
  changeSource,
  dropOldItems,
  dropSource,
  findSource,
  findSourceByUrl,
  findSources,
  listCategories,
  listSources,
} from './sources/source-table.ts'
import { readHoldingPhrases, readSeqsHolding } from './text-index/holding.ts'
import { writeBlock } from './text-index/phrase-blocks.ts'
import { accountVerbs } from './users/accounts.ts'
import { auditVerbs } from './users/audit.ts'
import { readingVerbs } from './users/reading.ts'

export function createSqliteStore(options: {
  readonly connection: Connection
  readonly clock: Clock
  readonly capacity: number
  /** Called after entries of the buffer were added or taken away. */
  readonly bufferChanged: () => void
  readonly notifier: Notifier
  /** Gets the progress and failures of background work. */
  readonly background?: IndexerWatch
  readonly onUnreadableState?: ReportState
  /** For who serves others meanwhile: searches run in a thread of their own, and chains of calls give way. */
  readonly hasThreads?: boolean
}): Store {
  const { connection, clock } = options
  const { sql } = connection
  const path = connection.db.name
  const indexer = createIndexer(connection, options.background)
  const quality = new QualityWriter(connection)
  const states = new StateReader(options.onUnreadableState)
  let sums: RefreshSums = { items: 0, observations: 0 }
  const refreshes = groupCommit<RefreshRecord, RefreshResult>({
    write: (record) => writeRefresh(connection, quality, sums, record),
    transaction: (action) =>
      connection.transaction(() => {
        quality.begin()
        sums = { items: 0, observations: 0 }
        const result = action()
        quality.end()
        writeSums(connection, sums)
        trimUnread(connection, options.capacity, clock.now())
        return result
      }),
    translate: (error) => translate(path, error),
    committed: (results) => {
      options.bufferChanged()
      indexer.written(results)
    },
  })

  // SQLite works in the calling thread: see docs/decisions/0012-writer-thread.md, and 0062-calm.md for who gives way. Reads
  // are of one moment because nothing else runs meanwhile; another process may write between two statements, so reads of
  // several statements are in a transaction as well.
  const turn = options.hasThreads === true ? giveWay : () => undefined
  const read = async <T>(action: () => T): Promise<T> => {
    const later = turn()
    if (later !== undefined) await later
    return translateErrors(path, action)
  }
  const write = async <T>(action: () => T): Promise<T> => {
    const later = turn()
    if (later !== undefined) await later
    refreshes.flush()
    return translateErrors(path, () => connection.transaction(action))
  }
  const snapshot = <T>(action: () => T): Promise<T> => read(() => connection.snapshot(action))
  const searches =
    options.hasThreads === true
      ? createSearches(
          path,
          (query) => connection.snapshot(() => readSeqs(connection, query)),
          // A filter that cannot be stored, as on a full disk, is made again some day.
          (block) => void write(() => writeBlock(connection, block)).catch(() => {}),
        )
      : null
  const indexed = () =>
    indexer.complete().catch((error: unknown) => {
      throw translate(path, error)
    })
  /** In one moment where nothing is searched for. */
  const found = async <T>(
    query: ItemQuery,
    watch: { readonly signal?: AbortSignal | undefined },
    read: (seqs: readonly ItemSeq[]) => T,
  ): Promise<T> => {
    if (query.text !== undefined) {
      await indexed()
      if (searches !== null) {
        const seqs = await searches.ask({ ...query }, watch)
        return snapshot(() => read(seqs))
      }
    }
    return snapshot(() => read(readSeqs(connection, query)))
  }
  const { bufferChanged, notifier } = options
  const access = { connection, read, write, snapshot, bufferChanged, notifier, now: () => clock.now() }
  const pushes = pushVerbs(access)

  return {
    addSources: (settings, now, by = null) => write(() => settings.map((one) => addSource(connection, one, now, by))),
    source: (id) => read(() => findSource(connection, id)),
    sourcesById: (ids) => snapshot(() => findSources(connection, ids)),
    sourceByUrl: (url) => read(() => findSourceByUrl(connection, url)),
    sources: (filter = {}) => read(() => listSources(connection, filter)),
    updateSource: (id, patch) => write(() => changeSource(connection, id, patch)),
    async removeSource(id) {
      while ((await write(() => dropOldItems(connection, id))) > 0) {}
      const removed = await write(() => dropSource(connection, id, clock.now()))
      options.bufferChanged()
      return removed
    },
    categories: () => read(() => listCategories(connection)),

    scheduleChanges: (since, part) => snapshot(() => readScheduleChanges(connection, since, part)),
    requestRefresh: (ids, now, by) => write(() => writeRefreshRequests(connection, ids, now, by)),
    async takeRefreshRequests(part) {
      if (!translateErrors(path, () => hasRefreshRequests(connection))) return []
      return write(() => takeRefreshRequests(connection, part))
    },
    state: async (state) => states.value(state, await read(() => readState(connection, state.name))),
    saveState: (state, value) => write(() => writeState(connection, state.name, state.write(value))),
    agreeOnState: (state, proposal) =>
      write(() => {
        const text = readState(connection, state.name)
        if (text === null) writeState(connection, state.name, state.write(proposal))
        return states.value(state, text ?? state.write(proposal))
      }),
    changeState: (state, change) =>
      write(() => {
        const value = states.value(state, readState(connection, state.name))
        const changed = change(value)
        if (changed !== value) writeState(connection, state.name, state.write(changed))
        return changed
      }),
    async states(state) {
      const text = await read(() => readState(connection, state.name))
      return text === null ? [] : [{ value: states.value(state, text), isOwn: true }]
    },

    saveModels: (models, { also, part } = {}) =>
      write(() => {
        writeModels(connection, models, part)
        if (also !== undefined) writeState(connection, also.state.name, also.state.write(also.value))
      }),
    models: (sourceIds) => snapshot(() => readModels(connection, sourceIds)),
    decisions: (sourceId, limit) => read(() => readDecisions(connection, sourceId, limit)),
    recordFeedReads: (reads) => write(() => writeFeedReads(connection, reads)),
    feedReads: () => read(() => readFeedReads(connection)),
    recordFetches: (fetches, forgetBefore) => write(() => writeFetches(connection, fetches, forgetBefore)),
    fetches: () => read(() => readFetches(connection)),

    knownItems: (sourceId, keys) => read(() => readKnownItems(connection, sourceId, keys)),
    async recordRefresh(record) {
      const { added, changed } = await refreshes.submit(record)
      return { added: added.length, changed: changed.length }
    },

    items: (query, watch = {}) => found(query, watch, (seqs) => itemsOf(connection, seqs)),
    itemPositions: (query, watch = {}) =>
      query.scope.kind === 'all' && query.text === undefined
        ? snapshot(() => newestPositions(connection, query))
        : found(query, watch, (seqs) => positionsOf(connection, seqs)),
    itemHeads: (seqs) => snapshot(() => headsOf(connection, seqs)),
    async seqsHolding(needed, page) {
      await indexed()
      return snapshot(() => readSeqsHolding(connection, needed, page))
    },
    holdingPhrases: (seqs, needed) => snapshot(() => readHoldingPhrases(connection, seqs, needed)),
    arrivals: (scope, limit) => snapshot(() => itemsWithinLimit(connection, lastStoredItems(connection, scope, limit))),
    mixedArrivals: (scope, limit) => snapshot(() => readMixedArrivals(connection, scope, limit)),
    itemsBySeq: (seqs) => snapshot(() => itemsOf(connection, seqs)),
    firstBySeq: (seqs) => snapshot(() => firstWithinMemory(connection, seqs)),
    observations: (sourceId, query) => read(() => readObservations(connection, sourceId, query)),
    counts: () =>
      snapshot(() => ({
        sources: sql('SELECT count(*) FROM source').pluck().get() as number,
        items: readCounter(connection, 'items'),
        observations: readCounter(connection, 'observations'),
      })),
    quality: (scope, since, until) =>
      scope.kind === 'category'
        ? readCategoryQuality(access, scope.category, since, until)
        : snapshot(() => readQuality(connection, scope, since, until)),
    async qualities(groups, since, until) {
      const sums: QualityTally[] = []
      // One after the other: there may be many, and others get their turn in between.
      for (const ids of groups) {
        sums.push(await snapshot(() => readQuality(connection, { kind: 'sources', ids }, since, until)))
      }
      return sums
    },
    qualityEver: () => snapshot(() => readQualityEver(connection)),
    itemCount: (sourceId) =>
      read(() => (sql('SELECT items FROM source_items WHERE source_id = ?').pluck().get(sourceId) ?? 0) as number),

    ...queryFeedVerbs(access),
    ...accountVerbs(access),
    ...auditVerbs(access),
    ...intakeVerbs(access),
    ...itemPageVerbs({
      ...access,
      trim: () => trimUnread(connection, options.capacity, clock.now()),
      indexed: (changed) => indexer.written([{ added: [], changed }]),
    }),
    ...iconVerbs(access),
    ...pushes,
    ...hubVerbs(access),
    async recordPush(...given) {
      const verdict = await pushes.recordPush(...given)
      if (verdict === 'taken') notifier.notify('requests')
      return verdict
    },
    ...readingVerbs(access),
    ...summaryVerbs(access),

    prune: (policy, now) => pruneAll(access, policy, now),
    async close() {
      if (!connection.db.open) return
      refreshes.flush()
      indexer.stop()
      await searches?.close()
      translateErrors(path, () => connection.close())
    },
  }
}
