import type { ItemBuffer } from '../../buffer/buffer.ts'
import { createNotifier, type Notifier } from '../../buffer/notifier.ts'
import type { MemoryLeaseStore } from '../../cluster/memory/leases.ts'
import { valueAt } from '../../model/entry-at.ts'
import type { ShardLease, Source } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { DEFAULT_BUFFER_CAPACITY } from '../defaults.ts'
import { type ReportState, StateReader } from '../node-state.ts'
import { QUERY_READER } from '../query-feeds.ts'
import { leaseLost, partUnder } from '../rules/leases.ts'
import type { Store } from '../store.ts'
import { mayHold, phrasesOfAll } from '../text/words-needed.ts'
import { firstWithinLimit, labelsBeyondLimit } from '../text-limit.ts'
import { accountVerbs } from './accounts.ts'
import { auditVerbs } from './audit.ts'
import { createMemoryBuffer } from './buffer.ts'
import { hubVerbs } from './hub.ts'
import { iconVerbs } from './icons.ts'
import { intakeVerbs } from './intake.ts'
import { itemPageVerbs } from './item-pages.ts'
import { readArrivals, readHeads, readItems, readMixedArrivals, recordRefresh } from './items.ts'
import { pushVerbs } from './pushes.ts'
import { readQuality } from './quality.ts'
import { queryFeedVerbs } from './query-feeds.ts'
import { readingVerbs } from './reading.ts'
import { requestRefresh, takeRefreshRequests } from './refresh-requests.ts'
import { prune } from './retention.ts'
import { schedulingVerbs } from './scheduling.ts'
import { summaryVerbs } from './source-summaries.ts'
import {
  addSource,
  changeSource,
  dropSource,
  findByUrl,
  listCategories,
  listSources,
  scheduleChanges,
} from './sources.ts'
import { emptyWorld, trimBuffer } from './tables.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  readonly bufferCapacity?: number
  /** For tests: by how much numbers grow that a store need not give without gaps. */
  readonly step?: number
  readonly onUnreadableState?: ReportState
  /** Of the crawlers on this store; absent: there is one, and no lease is looked at. */
  readonly leases?: Pick<MemoryLeaseStore, 'isCurrent'>
}

export interface MemoryStore {
  readonly store: Store
  readonly buffer: ItemBuffer
  readonly notifier: Notifier
}

/** For tests and the lab, and the model that the SQLite store is compared with: plain and not fast. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock } = options
  const isCurrent = (lease: ShardLease) => options.leases?.isCurrent('crawler', lease.shard, lease.token) ?? true
  const capacity = options.bufferCapacity ?? DEFAULT_BUFFER_CAPACITY
  const world = emptyWorld(options.step)
  const notifier = createNotifier(clock)
  const states = new StateReader(options.onUnreadableState)
  const buffer = createMemoryBuffer(world, clock, capacity, notifier)
  const source = (id: number | undefined): Source | null =>
    id === undefined ? null : (world.files.get(id)?.source ?? null)

  const { forgetUser, ...reading } = readingVerbs(world, async () => (await accounts.users()).map(({ id }) => id))
  const accounts = accountVerbs(world, forgetUser)
  const queryFeeds = queryFeedVerbs(world, (cursor) => {
    if (world.readers.has(QUERY_READER)) buffer.moveTo(QUERY_READER, cursor)
  })

  const pushes = pushVerbs(world, isCurrent)

  const store: Store = {
    addSources: async (settings, now, by = null) => settings.map((one) => addSource(world, one, now, by)),
    source: async (id) => source(id),
    async sourcesById(ids) {
      const found = ids.map((id) => source(id)).filter((one) => one !== null)
      return new Map(found.map((one) => [one.id, one]))
    },
    sourceByUrl: async (url) => findByUrl(world, url),
    sources: async (filter = {}) => listSources(world, filter),
    updateSource: async (id, patch) => changeSource(world, id, patch),
    async removeSource(id) {
      const removed = dropSource(world, id, clock.now())
      buffer.changed()
      return removed
    },
    categories: async () => listCategories(world),

    scheduleChanges: async (since, part) => scheduleChanges(world, since, part),
    async requestRefresh(ids, now, by = null) {
      for (const id of ids) requestRefresh(world, id, now, by)
    },
    takeRefreshRequests: async (part) => takeRefreshRequests(world, partUnder(part, isCurrent)),
    state: async (state) => states.value(state, world.states.get(state.name) ?? null),
    async saveState(state, value) {
      world.states.set(state.name, state.write(value))
    },
    async agreeOnState(state, proposal) {
      const text = world.states.get(state.name) ?? state.write(proposal)
      world.states.set(state.name, text)
      return states.value(state, text)
    },
    async changeState(state, change) {
      const value = states.value(state, world.states.get(state.name) ?? null)
      const changed = change(value)
      if (changed !== value) world.states.set(state.name, state.write(changed))
      return changed
    },
    async states(state) {
      const text = world.states.get(state.name)
      return text === undefined ? [] : [{ value: states.value(state, text), isOwn: true }]
    },

    async knownItems(sourceId, keys) {
      const file = world.files.get(sourceId)
      const known = new Map<string, string>()
      if (file === undefined) return known
      for (const key of keys) {
        const seq = file.seqByKey.get(key)
        const item = seq === undefined ? file.removedItems.get(key) : valueAt(world.items, seq)
        if (item !== undefined) known.set(key, item.contentHash)
      }
      return known
    },
    async recordRefresh(record) {
      if (record.lease !== undefined && !isCurrent(record.lease)) throw leaseLost(record.lease)
      const result = recordRefresh(world, record)
      trimBuffer(world, capacity, clock.now())
      buffer.changed()
      return result
    },

    items: async (query) => readItems(world, query),
    itemPositions: async (query) =>
      readItems(world, query).map(({ seq, sourceId, sortAt }) => ({ seq, sourceId, sortAt })),
    itemHeads: async (seqs) => readHeads(world, seqs),
    arrivals: async (scope, limit) => labelsBeyondLimit(readArrivals(world, scope, limit)),
    mixedArrivals: async (scope, limit) => labelsBeyondLimit(readMixedArrivals(world, scope, limit)),
    seqsHolding: async (needed, { after, limit }) =>
      [...world.items.values()]
        .filter((item) => item.seq > after && mayHold(needed, item))
        .map(({ seq }) => seq)
        .slice(0, Math.max(0, limit)),
    holdingPhrases: async (seqs, needed) =>
      seqs.filter((seq) => {
        const item = world.items.get(seq)
        return item !== undefined && phrasesOfAll(needed).every((phrase) => mayHold(phrase, item))
      }),
    async firstBySeq(seqs) {
      const found = seqs.map((seq) => world.items.get(seq))
      const first = firstWithinLimit(found, (item) => item ?? { summary: null, content: null })
      return { items: first.filter((item) => item !== undefined), count: first.length }
    },
    itemsBySeq: async (seqs) => seqs.map((seq) => world.items.get(seq)).filter((item) => item !== undefined),
    async observations(sourceId, { since, limit }) {
      return [...(world.files.get(sourceId)?.observations.values() ?? [])]
        .filter(({ at }) => at >= (since ?? Number.NEGATIVE_INFINITY))
        .sort((a, b) => b.at - a.at)
        .slice(0, Math.max(0, limit))
    },
    async counts() {
      let observations = 0
      for (const file of world.files.values()) observations += file.observations.size
      return { sources: world.files.size, items: world.items.size, observations }
    },
    itemCount: async (sourceId) => world.files.get(sourceId)?.seqByKey.size ?? 0,
    quality: async (scope, since, until) => readQuality(world, scope, since, until),
    qualities: async (groups, since, until) =>
      groups.map((ids) => readQuality(world, { kind: 'sources', ids }, since, until)),
    qualityEver: async () => world.qualityEver,
    ...schedulingVerbs(world, isCurrent),
    ...queryFeeds,
    async changeQueries(...given) {
      const isDone = await queryFeeds.changeQueries(...given)
      notifier.notify('queries')
      return isDone
    },
    ...accounts,
    ...auditVerbs(world),
    ...intakeVerbs(world),
    ...itemPageVerbs(world, () => {
      trimBuffer(world, capacity, clock.now())
      buffer.changed()
    }),
    ...iconVerbs(world, isCurrent),
    ...pushes,
    ...hubVerbs(world),
    async recordPush(...given) {
      const verdict = await pushes.recordPush(...given)
      if (verdict === 'taken') notifier.notify('requests')
      return verdict
    },
    ...reading,
    ...summaryVerbs(world),
    prune: async (policy, now) => prune(world, policy, now, clock.now()),
    close: async () => {},
  }
  return { store, buffer, notifier }
}
