import type {
  DayIntake,
  Decision,
  DurationMs,
  InstantMs,
  Item,
  ItemKey,
  ItemSeq,
  Observation,
  ParsedItem,
  QualityScope,
  QualityTally,
  ShardLease,
  Source,
  SourceId,
  SourceSettings,
  SourceState,
  UserId,
} from '../model/index.ts'
import type { AccountStore } from './accounts.ts'
import type { Asker } from './askers.ts'
import type { AuditStore } from './audit.ts'
import type { HubStore } from './hub.ts'
import type { IconStore } from './icons.ts'
import type { IntakeStore } from './intake.ts'
import type { ItemHead, ItemPosition } from './item-heads.ts'
import type { ItemPageStore } from './item-pages.ts'
import type { ItemScope } from './item-scope.ts'
import type { MemberState, NamedState } from './node-state.ts'
import type { PushStore } from './pushes.ts'
import type { QueryFeedStore } from './query-feeds.ts'
import type { ReadingStore } from './reading.ts'
import type { RefreshRequest, SchedulingStore, StoredModel } from './scheduling.ts'
import type { SourcePart } from './shards.ts'
import type { SummaryStore } from './source-summaries.ts'
import type { WordNeeds } from './text/words-needed.ts'

export type { ItemScope } from './item-scope.ts'

export interface NewItem extends ParsedItem {
  readonly key: ItemKey
  readonly contentHash: string
  readonly firstSeenAt: InstantMs
  readonly sortAt: InstantMs
}

/** An edit: everything but identity (key and id), firstSeenAt and sortAt is replaced. */
export interface ChangedItem extends ParsedItem {
  readonly key: ItemKey
  readonly contentHash: string
  readonly changedAt: InstantMs
}

/** All that one refresh changes; written in one transaction or not at all. */
export interface RefreshRecord {
  readonly sourceId: SourceId
  readonly state: SourceState
  /** The source's new address after a confirmed permanent redirect; left alone if another source has it. */
  readonly movedTo: string | null
  /** null after a failure. */
  readonly observation: Observation | null
  /** Known items that go by another key from now on (the publisher rewrote its guids); done before the others. */
  readonly renamedItems: readonly { readonly from: ItemKey; readonly to: ItemKey }[]
  readonly newItems: readonly NewItem[]
  readonly changedItems: readonly ChangedItem[]
  /** Why it was made; absent: unknown. Stored with the observation. */
  readonly decision?: Decision
  /** What it adds to the counts of its day; null: nothing. A repetition adds nothing. */
  readonly intake: DayIntake | null
  /** What it adds to the sums of quality; absent: nothing. A repetition adds nothing. */
  readonly quality?: QualityTally
  /** Of the crawler that made it; absent: there is one crawler alone. A store of one process does not look at it. */
  readonly lease?: ShardLease
  /** The pages of its new items are to be fetched (rules/page-queue.ts); absent: they are not. */
  readonly fetchesPages?: true
}

/** What the scheduler keeps in memory of a source: small, because there may be a million of them. */
export interface ScheduleEntry {
  readonly id: SourceId
  readonly url: string
  readonly weight: number
  readonly intervalMs: DurationMs | null
  readonly minIntervalMs: DurationMs | null
  readonly maxIntervalMs: DurationMs | null
  readonly paused: boolean
  readonly status: SourceState['status']
  readonly failureCount: number
  readonly addedAt: InstantMs
  readonly lastCheckAt: InstantMs | null
  readonly lastSuccessAt: InstantMs | null
  readonly nextCheckAt: InstantMs | null
  /** What was learnt of it; null: nothing yet. */
  readonly model: StoredModel | null
}

export interface ScheduleChanges {
  /** Pass it to the next call. Only grows, perhaps by more than one: no change appears behind a revision that was returned. */
  readonly revision: number
  /** Sources added or whose settings changed since. */
  readonly changed: readonly ScheduleEntry[]
  /** Those that are gone, or have changed and are not of the part; also some that never were of it. */
  readonly removed: readonly SourceId[]
}

export interface SourceFilter {
  readonly category?: string
  /** Part of name, title or URL, case folded. */
  readonly text?: string
  readonly status?: SourceState['status']
  /** Those with one of these names, as users gave them. */
  readonly names?: readonly string[]
  /** For reading in pages, in the order of ids: only those after this one, at most `limit`. */
  readonly afterId?: SourceId
  readonly limit?: number
}

export interface ItemQuery {
  readonly scope: ItemScope
  /** Full text: words (all must occur), "phrases", -not. */
  readonly text?: string
  /** Bounds on sortAt: since inclusive, until exclusive. */
  readonly since?: InstantMs
  readonly until?: InstantMs
  readonly limit: number
  /** Continue after this item of the previous page. */
  readonly after?: { readonly sortAt: InstantMs; readonly seq: ItemSeq }
}

export interface RetentionPolicy {
  /** Items first seen longer ago go; null: kept for ever. */
  readonly maxAgeMs: DurationMs | null
  readonly maxItemsPerSource: number | null
  readonly maxObservationAgeMs: DurationMs | null
  /** Items in the window of a query feed without LIMIT; 100 if not said. */
  readonly feedWindow?: number
}

export interface StoreCounts {
  readonly sources: number
  readonly items: number
  readonly observations: number
}

/**
 * The archive and everything the node must remember, in the verbs of the domain. Every promise of a write resolves
 * only when the write is stored; nothing is acknowledged before.
 *
 * Numbers of items are dense, all others only grow: see the types, and docs/decisions/0080-store-rules.md. Names are in the
 * order of their code points. What is decided alike by every adapter is in src/store/rules.
 */
export interface Store
  extends QueryFeedStore,
    SchedulingStore,
    AccountStore,
    AuditStore,
    IconStore,
    HubStore,
    IntakeStore,
    ItemPageStore,
    PushStore,
    ReadingStore,
    SummaryStore {
  // Sources -----------------------------------------------------------------------------------------------------------
  /**
   * Adds what is not there yet (see sourceByUrl); one answer per entry, in order. One transaction. `by`: who adds them
   * (see sourceAdders); absent: the operator.
   */
  addSources(
    settings: readonly SourceSettings[],
    now: InstantMs,
    by?: UserId | null,
  ): Promise<readonly { readonly source: Source; readonly added: boolean }[]>
  source(id: SourceId): Promise<Source | null>
  /** Those of them that are there. */
  sourcesById(ids: readonly SourceId[]): Promise<ReadonlyMap<SourceId, Source>>
  /** The source that has this URL; where none has, the one that has moved away from it. */
  sourceByUrl(url: string): Promise<Source | null>
  /** Ordered by id. */
  sources(filter?: SourceFilter): Promise<readonly Source[]>
  /**
   * Returns the source as changed; null if there is none. Throws SOURCE_EXISTS if another source has the new URL.
   * Another URL is another document: etag, lastModified, bodyHash and movingTo are forgotten with it.
   */
  updateSource(id: SourceId, patch: Partial<SourceSettings>): Promise<Source | null>
  /** With its items, also in query feeds, and observations; false if there was none. */
  removeSource(id: SourceId): Promise<boolean>
  /** All categories in use with their number of sources, sorted; `News/Science` counts for `News` too. */
  categories(): Promise<readonly { readonly category: string; readonly sources: number }[]>

  // Scheduling --------------------------------------------------------------------------------------------------------
  /** What changed since a revision (0: everything), also by another process on the same data; of a part, or of all. */
  scheduleChanges(sinceRevision: number, part?: SourcePart): Promise<ScheduleChanges>
  /** Asks the crawler to refresh these soon. `by`: the requester, who pays for it; absent: the operator. */
  requestRefresh(ids: readonly SourceId[], now: InstantMs, by?: Asker): Promise<void>
  /** In the order of the requests; once for each requester. Those of sources outside the part stay for others to take. */
  takeRefreshRequests(part?: SourcePart): Promise<readonly RefreshRequest[]>
  /** What was saved under this name; its initial value if there is nothing that can be read. */
  state<Value>(state: NamedState<Value>): Promise<Value>
  saveState<Value>(state: NamedState<Value>, value: Value): Promise<void>
  /** What was saved under this name; where nothing was, the proposal, which is then saved: all who propose at once get the same. */
  agreeOnState<Value>(state: NamedState<Value>, proposal: Value): Promise<Value>
  /**
   * Reads, changes and saves in one: of those who change it at once, in whichever process, each sees what the one before has saved. The
   * same value again saves nothing, and what `change` throws changes nothing; it may be called again.
   */
  changeState<Value>(state: NamedState<Value>, change: (value: Value) => Value): Promise<Value>
  /** What every member has saved under this name, the newest first; where there is one member alone, its own at most. */
  states<Value>(state: NamedState<Value>): Promise<readonly MemberState<Value>[]>

  // Refreshing --------------------------------------------------------------------------------------------------------
  /** Which of these keys are archived (or were, and are remembered), with the hash of what is stored. */
  knownItems(sourceId: SourceId, keys: readonly ItemKey[]): Promise<ReadonlyMap<ItemKey, string>>
  /**
   * State, observation, new and changed items and their buffer entries in one transaction. Repeating a record changes
   * nothing: an item that is there is not stored or handed out again. The window of a source that was not modified stays
   * as it is. Does nothing if the source is gone. Throws LEASE_LOST, and writes nothing, if another has its lease by now.
   * Returns how many items were really new and changed.
   */
  recordRefresh(record: RefreshRecord): Promise<{ readonly added: number; readonly changed: number }>

  // Reading -----------------------------------------------------------------------------------------------------------
  /** Newest first by (sortAt, seq). A search may run beside, and is given up when the signal aborts. */
  items(query: ItemQuery, options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly Item[]>
  /** The same items, without what they say. */
  itemPositions(
    query: ItemQuery,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly ItemPosition[]>
  /**
   * The items stored last, last first. What is published is chosen by arrival, not by date: an item that is fetched late
   * would else never be among the newest of a busy feed, and its readers would never see it. Where items are very long, the
   * later ones come without summary and content.
   */
  arrivals(scope: ItemScope, limit: number): Promise<readonly Item[]>
  /** Likewise for a feed that mixes sources: none takes more than its share while others wait; see rules/mixed-window.ts. */
  mixedArrivals(scope: ItemScope, limit: number): Promise<readonly Item[]>
  itemsBySeq(seqs: readonly ItemSeq[]): Promise<readonly Item[]>
  /** Likewise of the first `looked` numbers alone, where items are very long; one at least. */
  firstBySeq(seqs: readonly ItemSeq[]): Promise<{ readonly items: readonly Item[]; readonly count: number }>
  /** As a list shows them, in the order asked for, without those that are gone. */
  itemHeads(seqs: readonly ItemSeq[]): Promise<readonly ItemHead[]>
  /** Numbers of all items after one that may hold the words, in the order of arrival; perhaps of some that do not. */
  seqsHolding(needed: WordNeeds, page: { readonly after: ItemSeq; readonly limit: number }): Promise<readonly ItemSeq[]>
  /** Those of them, in their order, that may hold the phrases which none can do without; perhaps some that do not. */
  holdingPhrases(seqs: readonly ItemSeq[], needed: WordNeeds): Promise<readonly ItemSeq[]>
  /** Newest first. */
  observations(
    sourceId: SourceId,
    options: { readonly since?: InstantMs; readonly limit: number },
  ): Promise<readonly Observation[]>
  counts(): Promise<StoreCounts>
  itemCount(sourceId: SourceId): Promise<number>
  /**
   * What the refreshes of the hours that begin in [since, until) add up to. Stored per hour, for sources as long as a week
   * is asked for, for the node as long as observations.
   */
  quality(scope: QualityScope, since: InstantMs, until: InstantMs): Promise<QualityTally>
  /** Likewise of several groups of sources, a sum for each. */
  qualities(
    groups: readonly (readonly SourceId[])[],
    since: InstantMs,
    until: InstantMs,
  ): Promise<readonly QualityTally[]>
  /** Of the node, since its data folder exists: only ever grows. */
  qualityEver(): Promise<QualityTally>

  // Housekeeping ------------------------------------------------------------------------------------------------------
  /**
   * Removes what the policy no longer keeps; never an item that a buffer reader has not acknowledged, that is still in its
   * source's window or in that of a query feed, or that a subscription has not delivered. It leaves all query feeds. A
   * removed item's key is remembered for a year, so that it does not come back as new.
   */
  prune(policy: RetentionPolicy, now: InstantMs): Promise<{ readonly items: number; readonly observations: number }>
  close(): Promise<void>
}
