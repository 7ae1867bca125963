import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Caller, LimitedThing } from '../access/index.ts'
import type {
  DurationMs,
  InstantMs,
  ItemSeq,
  Listing,
  QualityWish,
  QueryFeedId,
  Source,
  SourceId,
  SourceSettings,
  SubscriptionOutput,
  UserId,
} from '../model/index.ts'
import type { FeedAddress } from '../publisher/addresses.ts'
import type { OwnRule } from '../sources/meant/index.ts'
import type { StoredModel } from '../store/scheduling.ts'
import type { clusterView } from './operations/cluster.ts'
import type { letterBox } from './operations/letters.ts'
import type { listingPreview, listingSuggestion } from './operations/listings.ts'
import type { movingOperations } from './operations/moving.ts'
import type { networkView } from './operations/network.ts'
import type { budgetState, labResult, settingForm, settingMistake } from './operations/node.ts'
import type { done, queryError, queryForm } from './operations/queries.ts'
import type { itemRule } from './operations/rules.ts'
import type { ruleTrial, siteRule } from './operations/site-rules.ts'
import type { foundFeed, sourceIntake } from './operations/sources.ts'
import type { RefusedCall } from './refused-calls.ts'

/** What the API needs of the node beyond its store; app/ makes it. */
export interface ApiServices {
  readonly queries: QueryService
  readonly outputs: OutputService
  readonly webPush: WebPushService
  readonly sources: SourceService
  readonly listings: ListingService
  readonly addressRules: AddressRuleService
  readonly moving: MovingService
  readonly rules: RuleService
  readonly siteRules: SiteRuleService
  readonly limits: LimitService
  readonly letters: LetterService
  readonly models: ModelReader
  readonly importance: () => Promise<ImportanceMap>
  readonly shares: ShareService
  readonly wishes: WishService
  /** How long the host of an address takes, where it is slow; null: it is not. */
  readonly slowHostMs: (url: string) => Promise<DurationMs | null>
  /** What the running strategy counts by for this source: advaRSS's M, T and ToE; null: nothing. */
  readonly counts: (source: Source) => Promise<Readonly<Record<string, number>> | null>
  /** Somebody reads what this feed shows, though not through it; what is read counts when the budget is spent. */
  readonly noteRead: (address: FeedAddress) => void
  readonly budget: BudgetService
  readonly settings: SettingsService
  /** How the processes on the same data stand. */
  readonly cluster: () => Promise<ClusterView>
  readonly network: NetworkService
  /** The hub of this node. */
  readonly hub: {
    /** Where subscribers send their requests; null: it has none. */
    readonly url: string | null
    refused(): readonly RefusedCall[]
  }
  readonly backups: BackupService
  /** Ends the node and starts it again with what waits for that; null: the operator has to. */
  readonly restart: (() => void) | null
  /** null: this node has none. */
  readonly lab: Lab | null
}

/** How far wished qualities are met; null: not computed yet. */
export interface WishService {
  ofUser(id: UserId): Promise<WishFigures | null>
  ofFeed(id: QueryFeedId): Promise<WishFigures | null>
}

export interface WishFigures {
  readonly wish: QualityWish
  readonly neededPerDay: number | null
  readonly givenPerDay: number
  readonly lackingPerDay: number
  readonly at: InstantMs
}

/** Which share of a source a query feed keeps, within what it lies if it was counted, and whether its form says it. */
export interface SourceShare {
  readonly feedId: QueryFeedId
  readonly sourceId: SourceId
  readonly share: number
  readonly atLeast: number
  readonly atMost: number
  readonly isByForm: boolean
}

export interface ShareService {
  /** `everything`: feeds that keep all of every source; they are in no pair. */
  read(): Promise<{ readonly everything: ReadonlySet<QueryFeedId>; readonly pairs: readonly SourceShare[] }>
  ofFeed(feedId: QueryFeedId): Promise<readonly SourceShare[]>
  ofSource(source: Source): Promise<readonly SourceShare[]>
}

/** How much sources matter to the scheduler beside their weight; one that is missing is as `others`. */
export interface ImportanceMap {
  readonly of: ReadonlyMap<SourceId, Importance>
  readonly others: Importance
}

export interface Importance {
  readonly relevance: number
  readonly subscribers: number
}

export type QueryMistake = z.infer<typeof queryError>
export type QueryDone = z.infer<typeof done>

/** Where a feed gets its items from. */
export interface FeedOrigin {
  readonly kind: 'feed' | 'source' | 'category' | 'all' | 'url'
  readonly name: string
  readonly isJoin: boolean
}

export interface QueryPreview {
  readonly items: number
  readonly isComplete: boolean
  readonly feeds: readonly {
    readonly name: string | null
    readonly matches: number
    readonly bySource: readonly { readonly sourceId: SourceId; readonly matches: number }[]
    readonly byDay: readonly { readonly day: InstantMs; readonly matches: number }[]
    readonly newest: readonly ItemSeq[]
  }[]
}

export interface QueryService {
  check(
    text: string,
    replace: boolean,
    by: Caller,
  ): Promise<{
    readonly statements: number
    readonly errors: readonly QueryMistake[]
    readonly canonical: string | null
    /** null: the text does not make one feed, or is wrong. */
    readonly form: z.input<typeof queryForm> | null
  }>
  /**
   * All statements or none. Throws QUERY_INVALID, also for what the caller may not see; RIGHT_MISSING for what they may not
   * change. New feeds are theirs.
   */
  apply(
    text: string,
    options: {
      readonly replace: boolean
      readonly backFill: string
      /** New feeds are private whatever they read; absent: only those that read something hidden. */
      readonly isPrivate?: boolean
      readonly by: Caller
    },
  ): Promise<readonly QueryDone[]>
  preview(
    text: string,
    options: { readonly over: string; readonly newest: number; readonly most: number; readonly by: Caller },
  ): Promise<QueryPreview>
  /** What each query feed reads. */
  origins(): Promise<ReadonlyMap<string, readonly FeedOrigin[]>>
  words(): { readonly fields: readonly string[]; readonly keywords: readonly string[] }
}

export interface OutputService {
  /**
   * Whether an output could be served for a user: throws what delivery would fail with for good, and FILE_TAKEN for a file
   * that is written for another. null: a feed that is nobody's.
   */
  check(output: SubscriptionOutput, ownerId: UserId | null): Promise<void>
}

/** Notifications in browsers. */
export interface WebPushService {
  /** By which push services know this node. */
  publicKey(): Promise<string>
}

export type SourceDraft = Partial<SourceSettings> & { readonly url: string }

export interface SourceService {
  /** By the rules of this user. */
  discover(url: string, by: UserId): Promise<readonly Omit<z.infer<typeof foundFeed>, 'sourceId'>[]>
  /** Throws LIMIT_REACHED, INTERVAL_TOO_SHORT. */
  add(
    settings: SourceDraft,
    options: { readonly discover: boolean; readonly by: UserId; readonly isAdmin: boolean },
  ): Promise<{ readonly source: Source; readonly added: boolean }>
  /** The address as sources have it; throws FETCH_BAD_URL. */
  normalUrl(url: string): string
  /** null: there is none. Throws SOURCE_EXISTS. */
  change(id: SourceId, patch: Partial<SourceSettings>, by: UserId): Promise<Source | null>
  /** What was done today with its new items. */
  intake(source: Source): Promise<z.infer<typeof sourceIntake>>
  /** How long its items are archived, and at most how many of them; null: no limit. Pages go with their items. */
  retention(): { readonly keepForMs: DurationMs | null; readonly keepItems: number | null }
  import(
    list: Uint8Array,
    options: ImportOptions,
    onProgress: (done: number, total: number) => void,
  ): Promise<ImportResult>
}

/** Rules for reading pages of sites. `try` and `add` throw SITE_RULE_INVALID and PAGE_NOT_STORED. */
export interface SiteRuleService {
  list(): Promise<readonly z.input<typeof siteRule>[]>
  try(rule: unknown, seqs: readonly ItemSeq[]): Promise<readonly z.input<typeof ruleTrial>[]>
  /** Throws SITE_RULE_FAILS where it is not right on one of the pages. */
  add(rule: unknown, seqs: readonly ItemSeq[]): Promise<readonly z.input<typeof ruleTrial>[]>
  /** Throws SITE_RULE_NOT_FOUND. */
  remove(name: string): Promise<void>
}

/** Pages without a feed; both fetch the address as a source would be, and throw what that fails with. */
export interface ListingService {
  /** Lists on a page, likeliest first. Throws LISTING_NOT_HTML. */
  suggest(url: string): Promise<{
    readonly url: string
    readonly title: string | null
    readonly suggestions: z.infer<typeof listingSuggestion>[]
  }>
  /** Throws SELECTOR_INVALID, SELECTOR_TOO_COSTLY, LISTING_EMPTY, LISTING_NOT_HTML. */
  preview(url: string, listing: Listing): Promise<z.infer<typeof listingPreview>>
}

export interface ImportOptions {
  readonly category: string | null
  readonly dryRun: boolean
  /** Sources that are there already join the folders of the list; else they stay where they are. */
  readonly mayRefile: boolean
  readonly by: UserId
}

export interface ImportResult {
  readonly added: number
  readonly known: number
  readonly bad: readonly string[]
  /** Articles of another reader: those that were not archived, and those that are read or starred now and were not. */
  readonly stored: number
  readonly marked: number
}

/** A source whose items come as letters, with the address that only its owner is shown. */
export interface LetterBox extends z.infer<typeof letterBox> {
  /** null: the operator, so the node owner. */
  readonly ownerId: UserId | null
}

/** Sources whose items come as letters. All but the first two throw SOURCE_NOT_FOUND. */
export interface LetterService {
  /** Throws LIMIT_REACHED, and USAGE for senders that are none. */
  add(
    source: { readonly name: string; readonly categories: readonly string[]; readonly senders: readonly string[] },
    by: UserId,
  ): Promise<LetterBox>
  list(): Promise<readonly LetterBox[]>
  find(id: SourceId): Promise<LetterBox | null>
  allow(id: SourceId, senders: readonly string[]): Promise<LetterBox>
  /** With another address. */
  renew(id: SourceId): Promise<LetterBox>
  /** Without an address; its items stay. */
  revoke(id: SourceId): Promise<LetterBox>
}

/** Rules from addresses to feeds: each user has their own, and those that are for all. */
export interface AddressRuleService {
  /** Of this user, and those for all. */
  list(userId: UserId): Promise<readonly (OwnRule & { readonly isForAll: boolean })[]>
  /** null: for all. One of the same name is replaced. Throws ADDRESS_RULE_INVALID. */
  add(rule: OwnRule, userId: UserId | null): Promise<void>
  /** null: of those for all. Throws ADDRESS_RULE_NOT_FOUND. */
  remove(name: string, userId: UserId | null): Promise<void>
  /** All of a user who goes. */
  removeAllOf(userId: UserId): Promise<void>
}

export type RuleView = z.infer<typeof itemRule>
type RuleDraft = Pick<RuleView, 'place' | 'words' | 'action' | 'tag'>

/** Rules without a query; each user has their own. */
export interface RuleService {
  list(userId: UserId): Promise<readonly RuleView[]>
  /** Also applied to what is there. Throws RULE_INVALID, SOURCE_NOT_FOUND, FEED_NOT_FOUND, and what a tag's query is refused with. */
  add(rule: RuleDraft, by: Caller): Promise<{ readonly rule: RuleView; readonly applied: number }>
  /** Throws RULE_NOT_FOUND. */
  remove(id: number, by: Caller): Promise<void>
  /** All of a user who goes. */
  removeAllOf(userId: UserId): Promise<void>
}

export type LiveListView = z.infer<(typeof movingOperations)['addLiveList']['answer']>

/** What goes to other readers, and lists of others that are followed. */
export interface MovingService {
  exportItems(
    userId: UserId,
    choice: { readonly starredOnly: boolean; readonly since: InstantMs },
  ): AsyncIterable<string>
  lists(): Promise<readonly LiveListView[]>
  /** Throws FETCH_BAD_URL, LIST_EXISTS. */
  addList(url: string, category: string | null): Promise<LiveListView>
  /** Throws LIST_NOT_FOUND. */
  removeList(url: string): Promise<void>
}

/** How much a member may have. */
export interface LimitService {
  /** Makes a change that adds so many of a kind, one after the other. Throws LIMIT_REACHED. */
  within<T>(userId: UserId, kind: LimitedThing, more: number, change: () => Promise<T>): Promise<T>
}

/** What stored models say; null where they were written by another strategy, or say nothing of rates. */
export interface ModelReader {
  ratePerHour(model: StoredModel | null): number | null
  /** 7 days from Monday, 24 hours each, UTC. */
  week(model: StoredModel | null): number[][] | null
  expected(model: StoredModel | null, from: InstantMs, to: InstantMs): number | null
  /** When so many items will have come; null: never, or unknown. */
  reaches(model: StoredModel | null, from: InstantMs, items: number): InstantMs | null
}

export type BudgetState = z.infer<typeof budgetState>

export type ClusterView = z.infer<typeof clusterView>

export type NetworkView = z.infer<typeof networkView>

/** Other nodes: src/app/network. */
export interface NetworkService {
  show(): Promise<NetworkView>
  /**
   * Of addresses of nodes, or of pages and feeds of theirs; returns what the nodes are known by. Throws FETCH_BAD_URL,
   * NETWORK_TOO_MANY; what a single node says wrong is shown with it.
   */
  join(
    urls: readonly string[],
    terms: { readonly alpha?: number; readonly radius?: number },
  ): Promise<readonly string[]>
  leave(url: string): Promise<void>
  /** Throws NETWORK_NOT_PROPOSED. */
  apply(feeds: readonly string[]): Promise<{ readonly followed: readonly string[]; readonly paused: readonly string[] }>
  /** `print`: refused where its key has another one. Throws why it cannot be trusted. */
  trust(
    url: string,
    print: string | null,
  ): Promise<{ readonly node: string; readonly url: string; readonly fingerprint: string }>
  revoke(node: string): Promise<void>
  /** Returns the fingerprint of the new key. */
  rotate(): Promise<string>
}

export interface BudgetPatch {
  readonly budget?: string
  readonly quality?: string | null
  readonly strategy?: string
  readonly estimator?: string
  readonly minIntervalMs?: number
  readonly maxIntervalMs?: number
}

export interface BudgetService {
  show(): Promise<BudgetState>
  set(patch: BudgetPatch): Promise<void>
}

export interface ShownSetting {
  readonly name: string
  readonly value: unknown
  readonly stored?: unknown
  readonly from: 'flag' | 'environment' | 'file' | 'default'
  readonly description: string
  readonly isFixed: boolean
  /** Why, in words; null: it is not. */
  readonly fixedBecause: string | null
  readonly needsRestart: boolean
  readonly form: SettingForm
}

/** How it is edited. */
export type SettingForm = z.infer<typeof settingForm>

export type SettingMistake = z.infer<typeof settingMistake>

export interface SettingsService {
  list(): Promise<readonly ShownSetting[]>
  /** What is wrong with values before they are set, each by itself; then whether they fit each other. */
  check(patch: Readonly<Record<string, unknown>>): readonly SettingMistake[]
  /** null: back to the default. Throws USAGE or SETTING_FIXED, and then changes nothing. */
  set(patch: Readonly<Record<string, unknown>>): Promise<{ readonly needsRestart: boolean }>
}

export interface BackupService {
  /** Of one moment; the file is removed when the stream ends. */
  read(): Promise<{ readonly stream: Readable; readonly bytes: number }>
  /** Checked and saved for the next start. Throws BACKUP_INVALID, and BACKUP_ELSEWHERE as `read` does. */
  take(file: Readable): Promise<{ readonly sources: number; readonly items: number }>
}

export interface LabRequest {
  readonly strategies: readonly string[]
  readonly requestsPerMinute: readonly number[]
  readonly over: 'day' | 'week' | 'month'
}

export type LabResult = z.infer<typeof labResult>

export interface Lab {
  run(request: LabRequest, onProgress: (done: number, total: number) => void): Promise<LabResult>
}
