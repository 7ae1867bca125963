import type { Item, ItemSeq } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ItemPosition } from '../item-heads.ts'
import type { ItemQuery, RefreshRecord, Store } from '../store.ts'
import { currentPart } from './cluster/current-part.ts'
import { groupCommit } from './database/group-commit.ts'
import type { Access, Sql } from './database/sql.ts'
import { lastStored, readMixedArrivals } from './items/arrivals.ts'
import { intakeVerbs } from './items/intake.ts'
import { itemPageVerbs } from './items/item-pages.ts'
import { firstOf, headsOf, itemsInRoom, itemsOf, readObservations, readPlaces } from './items/items.ts'
import { type RefreshResult, readKnownItems, writeRefreshes } from './items/refresh.ts'
import { readQualities, readQuality, readQualityEver } from './quality/quality.ts'
import { hubVerbs } from './query-feeds/hub.ts'
import { queryFeedVerbs } from './query-feeds/query-feed-verbs.ts'
import { pruneAll } from './retention/prune.ts'
import type { Indexer } from './search/indexer.ts'
import { readHoldingPhrases, readSeqsHolding, searchSeqs } from './search/search.ts'
import { dropSource } from './sources/drop-source.ts'
import { iconVerbs } from './sources/icons.ts'
import { pushVerbs } from './sources/pushes.ts'
import { readFeedReads, readFetches, writeFeedReads, writeFetches } from './sources/readers.ts'
import {
  readDecisions,
  readModels,
  readScheduleChanges,
  takeRefreshRequests,
  writeModels,
  writeRefreshRequests,
} from './sources/schedule.ts'
import { summaryVerbs } from './sources/source-summaries.ts'
import {
  addSource,
  changeSource,
  findSource,
  findSourceByUrl,
  findSources,
  listCategories,
  listSources,
} from './sources/sources.ts'
import type { MemberStates } from './sources/states.ts'
import { accountVerbs } from './users/accounts.ts'
import { auditVerbs } from './users/audit.ts'
import { readingVerbs } from './users/reading.ts'

export interface StoreParts {
  readonly access: Access
  readonly clock: Clock
  readonly capacity: number
  readonly indexer: Indexer
  readonly states: MemberStates
  readonly end: () => Promise<void>
}

export function createPostgresStore({ access, clock, capacity, indexer, states, end }: StoreParts): Store {
  const refreshes = groupCommit<RefreshRecord, RefreshResult>(async (records) => {
    const results = await writeRefreshes(access, records, { capacity, now: clock.now() })
    if (results.some((one) => !(one instanceof Error) && one.added + one.changed > 0)) {
      indexer.written()
      access.bufferChanged()
    }
    return results
  })
  return {
    ...sourceVerbs(access, clock),
    ...scheduleVerbs(access, states),
    ...itemVerbs(access, indexer),
    knownItems: (sourceId, keys) => readKnownItems(access, sourceId, keys),
    recordRefresh: (record) => refreshes.submit(record),
    ...queryFeedVerbs(access),
    ...accountVerbs(access),
    ...auditVerbs(access),
    ...intakeVerbs(access),
    ...itemPageVerbs(access, indexer),
    ...iconVerbs(access),
    ...pushVerbs(access),
    ...hubVerbs(access),
    ...readingVerbs(access),
    ...summaryVerbs(access),
    quality: (scope, since, until) => access.snapshot((sql) => readQuality(sql, scope, since, until)),
    qualities: (groups, since, until) => access.snapshot((sql) => readQualities(sql, groups, since, until)),
    qualityEver: () => access.snapshot((sql) => readQualityEver(sql)),
    prune: (policy, now) => pruneAll(access, policy, now),
    async close() {
      await refreshes.drain()
      await indexer.stop()
      await end()
    },
  }
}

type SourceVerbs = Pick<
  Store,
  'addSources' | 'source' | 'sourcesById' | 'sourceByUrl' | 'sources' | 'updateSource' | 'removeSource' | 'categories'
>

function sourceVerbs(access: Access, clock: Clock): SourceVerbs {
  const { vault } = access
  return {
    addSources: (settings, now, by = null) =>
      access.transaction(['settings'], async (sql) => {
        const answers: Awaited<ReturnType<typeof addSource>>[] = []
        for (const one of settings) answers.push(await addSource(sql, vault, one, now, by))
        return answers
      }),
    source: (id) => findSource(access, vault, id),
    sourcesById: (ids) => findSources(access, vault, ids),
    sourceByUrl: (url) => findSourceByUrl(access, vault, url),
    sources: (filter = {}) => listSources(access, vault, filter),
    updateSource: (id, patch) => access.transaction(['settings'], (sql) => changeSource(sql, vault, id, patch)),
    async removeSource(id) {
      const removed = await access.transaction(['settings', 'publications', 'words'], (sql) =>
        dropSource(sql, id, clock.now()),
      )
      access.bufferChanged()
      return removed
    },
    categories: () => listCategories(access),
  }
}

type ScheduleVerbs = Pick<
  Store,
  | 'scheduleChanges'
  | 'requestRefresh'
  | 'takeRefreshRequests'
  | 'state'
  | 'saveState'
  | 'agreeOnState'
  | 'changeState'
  | 'states'
  | 'saveModels'
  | 'models'
  | 'decisions'
  | 'recordFeedReads'
  | 'feedReads'
  | 'recordFetches'
  | 'fetches'
>

function scheduleVerbs(access: Access, states: MemberStates): ScheduleVerbs {
  return {
    scheduleChanges: (since, part) => access.snapshot((sql) => readScheduleChanges(sql, since, part)),
    requestRefresh: (ids, now, by) => writeRefreshRequests(access, ids, now, by),
    takeRefreshRequests: (part) => takeRefreshRequests(access, part),
    state: (state) => states.read(access, state),
    saveState: (state, value) => states.write(access, state, value),
    agreeOnState: (state, proposal) => states.agreeOn(access, state, proposal),
    changeState: (state, change) => access.transaction(['settings'], (sql) => states.change(sql, state, change)),
    states: (state) => states.readAll(access, state),
    saveModels: (models, { also, part } = {}) => {
      const isAnnounced = models.some(({ relearntAt }) => relearntAt !== null)
      return access.transaction(isAnnounced ? ['settings'] : [], async (sql) => {
        await writeModels(sql, models, await currentPart(sql, part))
        if (also !== undefined) await states.write(sql, also.state, also.value)
      })
    },
    models: (sourceIds) => readModels(access, sourceIds),
    decisions: (sourceId, limit) => readDecisions(access, sourceId, limit),
    recordFeedReads: (reads) => writeFeedReads(access, reads),
    feedReads: () => readFeedReads(access),
    recordFetches: (fetches, forgetBefore) => access.transaction([], (sql) => writeFetches(sql, fetches, forgetBefore)),
    fetches: () => readFetches(access),
  }
}

type ItemVerbs = Pick<
  Store,
  | 'items'
  | 'itemPositions'
  | 'itemHeads'
  | 'arrivals'
  | 'mixedArrivals'
  | 'itemsBySeq'
  | 'firstBySeq'
  | 'seqsHolding'
  | 'holdingPhrases'
  | 'observations'
  | 'counts'
  | 'itemCount'
>

function itemVerbs(access: Access, indexer: Indexer): ItemVerbs {
  /** In one moment; where something is searched for, after all that is stored by now was indexed. */
  const found = async <T>(
    query: ItemQuery,
    watch: { readonly signal?: AbortSignal | undefined },
    taken: (sql: Sql, seqs: readonly ItemSeq[]) => Promise<T>,
  ): Promise<T> => {
    const { text } = query
    if (text === undefined || text.trim() === '') {
      return access.snapshot(async (sql) =>
        taken(
          sql,
          (await readPlaces(sql, query)).map(({ seq }) => seq),
        ),
      )
    }
    await indexer.complete()
    return access.snapshot(async (sql) => taken(sql, await searchSeqs(sql, { ...query, text }, watch.signal)))
  }
  const items = (sql: Sql, seqs: readonly ItemSeq[]): Promise<Item[]> => itemsOf(sql, seqs)
  const places = (sql: Sql, seqs: readonly ItemSeq[]): Promise<ItemPosition[]> =>
    sql.rows(
      `SELECT i.seq, i.source_id AS "sourceId", i.sort_at AS "sortAt"
       FROM unnest($1::bigint[]) WITH ORDINALITY AS u (seq, place) JOIN item i ON i.seq = u.seq ORDER BY u.place`,
      [seqs],
    )
  return {
    items: (query, watch = {}) => found(query, watch, items),
    itemPositions: (query, watch = {}) => found(query, watch, places),
    itemHeads: (seqs) => headsOf(access, seqs),
    arrivals: (scope, limit) =>
      access.snapshot(async (sql) =>
        itemsInRoom(
          sql,
          (await lastStored(sql, scope, limit)).map(({ seq }) => seq),
        ),
      ),
    mixedArrivals: (scope, limit) => access.snapshot((sql) => readMixedArrivals(sql, scope, limit)),
    itemsBySeq: (seqs) => itemsOf(access, seqs),
    firstBySeq: (seqs) => firstOf(access, seqs),
    async seqsHolding(needed, page) {
      await indexer.complete()
      return readSeqsHolding(access, needed, page)
    },
    holdingPhrases: (seqs, needed) => access.snapshot((sql) => readHoldingPhrases(sql, seqs, needed)),
    observations: (sourceId, query) => readObservations(access, sourceId, query),
    async counts() {
      const row = await access.first<{ sources: number; items: number; observations: number }>(
        `SELECT (SELECT count(*) FROM source) AS sources,
           (SELECT coalesce(sum(value), 0) FROM tally WHERE name = 'items') AS items,
           (SELECT coalesce(sum(value), 0) FROM tally WHERE name = 'observations') AS observations`,
      )
      return row ?? { sources: 0, items: 0, observations: 0 }
    },
    async itemCount(sourceId) {
      const row = await access.first<{ items: number }>('SELECT items FROM source_items WHERE source_id = $1', [
        sourceId,
      ])
      return row?.items ?? 0
    },
  }
}
