import type { BufferEntry, Cursor } from '../../buffer/buffer.ts'
import { isExpired, type StoredReader } from '../../buffer/reader.ts'
import {
  type ApiToken,
  type DayIntake,
  type DeadLetter,
  type Decision,
  type FeedToken,
  type HubSubscription,
  type InstantMs,
  type Item,
  type ItemKey,
  type ItemPage,
  type ItemSeq,
  NO_COUNTS,
  type Observation,
  type Publication,
  type PublicationSeq,
  type PushSubscription,
  type QualityTally,
  type QueryFeed,
  type QueryFeedId,
  type Source,
  type SourceIcon,
  type SourceId,
  type Subscription,
  type UserId,
} from '../../model/index.ts'
import type { HubTopic } from '../hub.ts'
import type { StateName } from '../node-state.ts'
import { processedUpTo } from '../rules/catch-up.ts'
import type { MatchShare } from '../rules/selectivity.ts'
import type { Fetch, StoredModel } from '../scheduling.ts'

/** A source with everything that goes when it goes. */
export interface SourceFile {
  source: Source
  revision: number
  readonly seqByKey: Map<ItemKey, ItemSeq>
  readonly removedItems: Map<ItemKey, { readonly contentHash: string; readonly removedAt: InstantMs }>
  readonly observations: Map<InstantMs, Observation>
  readonly decisions: Map<InstantMs, Decision>
  readonly days: Map<number, DayIntake>
  model: StoredModel | null
}

/** What one refresh counted. */
export interface QualityRow {
  readonly hour: number
  readonly sourceId: SourceId
  readonly tally: QualityTally
}

/** A page with what was stored of it. */
export type StoredPage = Omit<ItemPage, 'bodyBytes'> & {
  readonly body: Uint8Array | null
  /** Its item waits for it until then. */
  readonly heldUntil: InstantMs | null
}

/** An icon that somebody wants. */
export interface StoredIcon {
  readonly dueAt: InstantMs
  readonly attempts: number
  readonly found: Omit<SourceIcon, 'sourceId'> | null
}

/** With what tells repetitions apart. */
export type StoredPush = PushSubscription & { readonly digests: readonly string[] }

/** All that the memory store remembers. */
export interface MemoryTables {
  /** By how much numbers grow that are only monotone: more than 1 shows who takes them for dense. */
  readonly step: number
  revision: number
  lastSourceId: SourceId
  lastSeq: ItemSeq
  lastCursor: Cursor
  readonly files: Map<SourceId, SourceFile>
  readonly idByUrl: Map<string, SourceId>
  readonly items: Map<ItemSeq, Item>
  /** Of items that link to one, where somebody wants it. */
  readonly pages: Map<ItemSeq, StoredPage>
  readonly pushes: Map<SourceId, StoredPush>
  readonly icons: Map<SourceId, StoredIcon>
  readonly removedSources: { readonly id: SourceId; readonly revision: number; readonly removedAt: InstantMs }[]
  /** By source and requester, as a number (rules/askers.ts). */
  readonly requests: Map<string, { readonly sourceId: SourceId; readonly by: UserId; readonly at: InstantMs }>
  readonly adders: Map<SourceId, UserId>
  readonly states: Map<StateName, string>
  readonly feedReads: Map<string, InstantMs>
  readonly fetches: Map<string, Fetch>
  quality: QualityRow[]
  nodeQuality: QualityRow[]
  qualityEver: QualityTally
  /** In the order of cursors. The item is looked up when it is read, as it is then. */
  entries: { readonly cursor: Cursor; readonly kind: BufferEntry['kind']; readonly seq: ItemSeq }[]
  readonly readers: Map<string, StoredReader>
  readonly dropped: Map<string, number>
  readonly apiTokens: Map<number, ApiToken>
  readonly queries: Queries
}

export interface HubTopicRow extends HubTopic {
  readonly hasChanged: boolean
  readonly edition: InstantMs
}

/** Query feeds and all that belongs to them; maps by id, in the order of ids. */
export interface Queries {
  readonly step: number
  revision: number
  lastFeedId: QueryFeedId
  lastPublication: PublicationSeq
  lastSubscription: number
  lastHubSubscription: number
  lastDeadLetter: number
  lastToken: number
  readonly feeds: Map<QueryFeedId, QueryFeed>
  readonly owners: Map<QueryFeedId, UserId>
  /** The item that each began to catch up after. */
  readonly begins: Map<QueryFeedId, ItemSeq>
  /** Likewise for what it asks now. */
  readonly asksAfter: Map<QueryFeedId, ItemSeq>
  readonly publications: Map<PublicationSeq, Publication>
  /** Of those whose items have one. */
  readonly origins: Map<PublicationSeq, string>
  /** By source. */
  readonly itemCounts: Map<SourceId, number>
  readonly matchShares: Map<QueryFeedId, Map<SourceId, MatchShare>>
  readonly subscriptions: Map<number, Subscription>
  readonly hubSubscriptions: Map<number, HubSubscription>
  /** By path. */
  readonly hubTopics: Map<string, HubTopicRow>
  readonly deadLetters: Map<number, DeadLetter>
  readonly tokens: Map<number, FeedToken>
}

export function emptyWorld(step = 1): MemoryTables {
  return {
    step,
    revision: 0,
    lastSourceId: 0,
    lastSeq: 0,
    lastCursor: 0,
    files: new Map(),
    idByUrl: new Map(),
    items: new Map(),
    pages: new Map(),
    pushes: new Map(),
    icons: new Map(),
    removedSources: [],
    requests: new Map(),
    adders: new Map(),
    states: new Map(),
    feedReads: new Map(),
    fetches: new Map(),
    quality: [],
    nodeQuality: [],
    qualityEver: { ...NO_COUNTS, delays: [] },
    entries: [],
    readers: new Map(),
    dropped: new Map(),
    apiTokens: new Map(),
    queries: emptyQueries(step),
  }
}

function emptyQueries(step: number): Queries {
  return {
    step,
    revision: 0,
    lastFeedId: 0,
    lastPublication: 0,
    lastSubscription: 0,
    lastHubSubscription: 0,
    lastDeadLetter: 0,
    lastToken: 0,
    feeds: new Map(),
    owners: new Map(),
    begins: new Map(),
    asksAfter: new Map(),
    publications: new Map(),
    origins: new Map(),
    itemCounts: new Map(),
    matchShares: new Map(),
    subscriptions: new Map(),
    hubSubscriptions: new Map(),
    hubTopics: new Map(),
    deadLetters: new Map(),
    tokens: new Map(),
  }
}

/** Of those that are waited for; null: there is none. */
export function slowestCursor(world: MemoryTables, now: InstantMs): Cursor | null {
  const alive = [...world.readers.values()].filter((reader) => !isExpired(reader, now))
  return alive.length === 0 ? null : Math.min(...alive.map(({ cursor }) => cursor))
}

/** The last item before the first new one behind a cursor. */
export function itemsBefore({ entries, lastSeq }: MemoryTables, cursor: Cursor): ItemSeq {
  const next = entries.find((entry) => entry.kind === 'new' && entry.cursor > cursor)
  return processedUpTo(next?.seq ?? null, lastSeq)
}

/** Drops what every reader has read; without a reader, all but the newest entries. */
export function trimBuffer(world: MemoryTables, capacity: number, now: InstantMs): void {
  const upTo = slowestCursor(world, now) ?? world.lastCursor - capacity * world.step
  if ((world.entries[0]?.cursor ?? Number.POSITIVE_INFINITY) > upTo) return
  world.entries = world.entries.filter((entry) => entry.cursor > upTo)
}

export function nextEntryCursor(world: MemoryTables): Cursor {
  world.lastCursor += world.step
  return world.lastCursor
}

export function dropItems(world: MemoryTables, seqs: ReadonlySet<ItemSeq>): void {
  for (const seq of seqs) {
    world.items.delete(seq)
    world.pages.delete(seq)
  }
  world.entries = world.entries.filter((entry) => !seqs.has(entry.seq))
  const { publications } = world.queries
  for (const [seq, { itemSeq }] of publications) if (seqs.has(itemSeq)) publications.delete(seq)
}
