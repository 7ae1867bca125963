import { z } from 'zod'
import { listing } from './listings.ts'
import { operation } from './operation.ts'
import { reasonClause } from './reason-forms.ts'
import {
  byId,
  category,
  chosenMs,
  chosenWeight,
  cursor,
  duration,
  flag,
  instant,
  instantOrNull,
  limit,
  messageParams,
  moment,
  namedFields,
  nextCursor,
  status,
} from './shared.ts'
import { matchShare } from './source-share.ts'

/**
 * As shown in words; `paused` wins over the state, `flooding` and `saturated` over `active`. `saturated`: the last look found
 * nothing known, or two within a day lost items.
 */
export const condition = z.enum(['new', 'active', 'saturated', 'flooding', 'failing', 'retired', 'paused'])

export const sourceRow = z.object({
  id: z.int(),
  /** The user's name for it, else the feed's title, else the address. */
  name: z.string(),
  /** Without user and password. */
  url: z.string(),
  categories: z.array(z.string()),
  condition,
  weight: z.number(),
  items: z.int(),
  /** Items per hour as believed now; null: not known. */
  ratePerHour: z.number().nullable(),
  windowSize: z.int().nullable(),
  lastCheckAt: instantOrNull,
  nextCheckAt: instantOrNull,
  lastNewItemAt: instantOrNull,
  errorCode: z.string().nullable(),
})

type RowShape = typeof sourceRow.shape
type TableShape = { readonly [C in keyof RowShape]: z.ZodArray<RowShape[C]> }

export const SOURCE_COLUMNS = Object.keys(sourceRow.shape) as (keyof RowShape)[]

/** The same by column: an array of each, all as long as there are sources. */
export const sourceColumns = z.object(
  Object.fromEntries(SOURCE_COLUMNS.map((column) => [column, z.array(sourceRow.shape[column])])) as TableShape,
)

const loss = z.object({
  items: z.number(),
  atLeast: z.number(),
  atMost: z.number(),
  basis: z.enum(['dates', 'rate']),
})

/** `off`: whatever it shows; null: learnt from its past. */
const dailyAllowance = z.union([z.int().min(0).max(10_000_000), z.literal('off')]).nullable()

/** Whether the pages that its new items link to are fetched: once, or also later for what has changed. */
const pages = z.enum(['off', 'fetch', 'follow'])

/** Of today, in UTC; the first refresh does not count. */
export const sourceIntake = z.object({
  /** New items that are stored at most, of those that its window shows; null: all of them. */
  allowance: z.int().nullable(),
  taken: z.int(),
  /** Stored, of those on older pages. */
  repaired: z.int(),
  /** Not stored, because the allowance was used up; one that is refused twice counts twice. */
  refused: z.int(),
})

const settingsShape = {
  name: z.string().trim().min(1).max(500).nullable(),
  categories: z.array(category).max(100),
  weight: chosenWeight(1_000_000),
  intervalMs: chosenMs.nullable(),
  minIntervalMs: chosenMs.nullable(),
  maxIntervalMs: chosenMs.nullable(),
  headers: namedFields(200, z.string().max(8_000), 50),
  basicAuth: z.strictObject({ user: z.string().max(500), password: z.string().max(500) }).nullable(),
  userAgent: z.string().max(500).nullable(),
  proxyUrl: z.string().max(2_000).nullable(),
  paused: z.boolean(),
  dailyAllowance,
  pages,
  listing: listing.nullable().describe('Of a page without a feed; null: it is a feed or a sitemap'),
}

export const sourcePatch = z.strictObject({ url: z.string().min(1).max(4_000), ...settingsShape }).partial()
const sourceChoice = z.strictObject(settingsShape).partial()

export const sourceDetail = sourceRow.extend({
  siteUrl: z.string().nullable(),
  title: z.string().nullable(),
  ownName: z.string().nullable(),
  /** As its document declares them; `categories` are the folders that people put it in. */
  feedCategories: z.array(z.string()),
  format: z.string().nullable(),
  status,
  paused: z.boolean(),
  addedAt: instant,
  /** When its newest item was published, as far as is known; lastNewItemAt is when one was found. */
  newestItemAt: instantOrNull,
  intervalMs: duration.nullable(),
  minIntervalMs: duration.nullable(),
  maxIntervalMs: duration.nullable(),
  dailyAllowance,
  pages,
  /**
   * Pages of its items: those still to be fetched, those that are there, those given up, and what they take compressed. They go
   * with their items: after `keepForMs`, and when there are more than `keepItems`; null: no such limit.
   */
  pageSums: z.object({
    waiting: z.int(),
    fetched: z.int(),
    failed: z.int(),
    bodyBytes: z.int(),
    keepForMs: duration.nullable(),
    keepItems: z.int().nullable(),
  }),
  listing: listing.nullable(),
  intake: sourceIntake,
  /** Set while the last refresh showed more than could be stored; `until`: it is not refreshed before, null: it is. */
  refusal: z.object({ at: instant, items: z.int(), allowance: z.int(), until: instantOrNull }).nullable(),
  /** Secrets are not shown: names of headers, user of basic auth. */
  headers: z.array(z.string()),
  basicAuthUser: z.string().nullable(),
  userAgent: z.string().nullable(),
  proxyUrl: z.string().nullable(),
  lastSuccessAt: instantOrNull,
  nextCheckReason: z.string().nullable(),
  /** The same clause by clause, to be said in another language; empty where some of it has no known form. */
  nextCheckClauses: z.array(reasonClause),
  failureCount: z.int(),
  lastError: z
    .object({ code: z.string(), message: z.string(), hint: z.string(), params: messageParams, at: instant })
    .nullable(),
  /** How long answers of its host take, where that is long: slow hosts wait for each other; null: it is not slow. */
  slowHostMs: duration.nullable(),
  movingTo: z.object({ url: z.string(), confirmations: z.int() }).nullable(),
  datesCredible: z.boolean(),
  hints: z
    .object({
      ttlMs: duration.nullable(),
      updateIntervalMs: duration.nullable(),
      skipHours: z.array(z.int()),
      skipDays: z.array(z.int()),
      hubs: z.array(z.string()),
      notBefore: instantOrNull,
    })
    .nullable(),
  /** What deltas (RFC 3229) have spared; null: it never sent one. */
  deltas: z.object({ count: z.int(), savedBytes: z.number() }).nullable(),
  /** Its hub, where one is subscribed to. */
  push: z
    .object({
      kind: z.enum(['websub', 'rsscloud']),
      hub: z.string(),
      status: z.enum(['new', 'pending', 'active', 'lapsed']),
      leaseEndsAt: instantOrNull,
      pushedAt: instantOrNull,
      pushes: z.int(),
      refused: z.int(),
      repeated: z.int(),
      lastError: z.string().nullable(),
    })
    .nullable(),
  saturation: z
    .object({ at: instant, repaired: z.boolean(), repairedItems: z.int(), loss: loss.nullable() })
    .nullable(),
  /** How full the window is believed to be now: expected items since the last look, of windowSize. */
  window: z.object({ expectedItems: z.number(), size: z.int(), fullAt: instantOrNull }).nullable(),
  /** What the running strategy counts by: advaRSS's M, T and ToE; null: nothing. */
  counts: z.record(z.string(), z.number()).nullable(),
  /** Of the asking user, 0 to 1; 1 is usual. */
  trust: z.number(),
  /** What the scheduler counts it for: weight, times relevance to what is read and trusted. */
  importance: z.number(),
  subscribers: z.int(),
  /** By the asking user, by itself: not through a category or query feed. */
  isFollowed: z.boolean(),
  /** Query feeds that read it, with the share of its items they keep. */
  readBy: z.array(matchShare.extend({ feed: z.string(), title: z.string() })),
  feeds: z.object({ rss: z.string(), atom: z.string(), json: z.string() }),
})

export const refresh = z.object({
  at: instant,
  previousAt: instantOrNull,
  newItems: z.int(),
  windowSize: z.int().nullable(),
  overlap: z.enum(['some', 'none', 'first', 'repaired']),
  lostAtLeast: z.number(),
  loss: loss.nullable(),
  notModified: z.boolean(),
  bytes: z.number(),
  latencyMs: z.number(),
  /** Why it was made; null: not recorded. */
  decision: z
    .object({
      cause: z.enum(['new', 'asked', 'full', 'worth', 'time', 'signal', 'push', 'learning', 'spare']),
      price: z.number(),
      expected: z.number().nullable(),
    })
    .nullable(),
})

export const foundFeed = z.object({
  url: z.string(),
  title: z.string().nullable(),
  format: z.string(),
  siteUrl: z.string().nullable(),
  description: z.string().nullable(),
  /** What the address was read as, as `YouTube channel`; null: the feed is there itself, or its page names it. */
  rule: z.string().nullable(),
  /** Items in the document, and the newest of them. */
  itemCount: z.int(),
  items: z.array(z.object({ title: z.string().nullable(), link: z.string().nullable(), published: instantOrNull })),
  /** Of a source that has this address already. */
  sourceId: z.int().nullable(),
})

const TAG = 'Sources'
const choice = z.object({
  text: z.string().max(500).optional().describe('Part of name, title or address'),
  category: category.optional(),
  condition: condition.optional(),
})

export const sourceOperations = {
  sourceTable: operation('sourceTable', TAG, {
    method: 'GET',
    path: '/api/sources/table',
    right: 'read',
    summary: 'All sources in one compact answer, by column: an array of values for each, in the order of ids',
    query: choice,
    answer: z.object({ count: z.int(), columns: sourceColumns }),
  }),
  listSources: operation('listSources', TAG, {
    method: 'GET',
    path: '/api/sources',
    right: 'read',
    summary: 'Sources by filter, sorted, in pages',
    query: choice.extend({
      sort: z
        .enum([
          'id',
          'name',
          'url',
          'condition',
          'weight',
          'items',
          'ratePerHour',
          'lastCheckAt',
          'nextCheckAt',
          'lastNewItemAt',
        ])
        .default('id'),
      order: z.enum(['asc', 'desc']).default('asc'),
      limit: limit(100, 1_000),
      cursor: cursor.optional(),
    }),
    answer: z.object({ sources: z.array(sourceRow), total: z.int(), next: nextCursor }),
  }),
  discoverSource: operation('discoverSource', TAG, {
    method: 'POST',
    path: '/api/sources/discover',
    right: 'write',
    summary: 'Fetch an address and preview the feeds found there; nothing is saved',
    body: z.strictObject({ url: z.string().trim().min(1).max(4_000) }),
    answer: z.object({ feeds: z.array(foundFeed) }),
  }),
  addSource: operation('addSource', TAG, {
    method: 'POST',
    path: '/api/sources',
    right: 'write',
    summary: 'Follow a source. `discover`: find the feed behind the address first (default), else take it as it is',
    body: sourceChoice.extend({
      url: z.string().trim().min(1).max(4_000),
      discover: z.boolean().default(true),
    }),
    answer: z.object({ source: sourceDetail, added: z.boolean() }),
    status: 201,
  }),
  showSource: operation('showSource', TAG, {
    method: 'GET',
    path: '/api/sources/{id}',
    right: 'read',
    summary: 'All about a source: settings, state, hints, losses, errors, next check and its reason',
    params: byId,
    answer: sourceDetail,
  }),
  setSource: operation('setSource', TAG, {
    method: 'PATCH',
    path: '/api/sources/{id}',
    right: 'admin',
    summary: 'Change settings; what is not named stays',
    params: byId,
    body: sourcePatch,
    answer: sourceDetail,
  }),
  removeSource: operation('removeSource', TAG, {
    method: 'DELETE',
    path: '/api/sources/{id}',
    right: 'admin',
    summary: 'Stop following a source; its items go too',
    params: byId,
    audit: ({ params }) => [{ action: 'source-removed', subject: `source ${params.id}` }],
  }),
  refreshSource: operation('refreshSource', TAG, {
    method: 'POST',
    path: '/api/sources/{id}/refresh',
    right: 'write',
    summary: 'Refresh now, within politeness; watch /api/events for the result',
    params: byId,
    status: 202,
    answer: z.object({ askedAt: instant }),
  }),
  sourceRefreshes: operation('sourceRefreshes', TAG, {
    method: 'GET',
    path: '/api/sources/{id}/refreshes',
    right: 'read',
    summary: 'Its refreshes, newest first, with what each found and why it was made',
    params: byId,
    query: z.object({ since: moment.optional(), limit: limit(100, 2_000) }),
    answer: z.object({ refreshes: z.array(refresh) }),
  }),
  sourceModel: operation('sourceModel', TAG, {
    method: 'GET',
    path: '/api/sources/{id}/model',
    right: 'read',
    summary: 'What was learnt of it: items per hour for each hour of the week',
    params: byId,
    answer: z.object({
      /** null: nothing was learnt yet. */
      form: z.string().nullable(),
      learntAt: instantOrNull,
      ratePerHour: z.number().nullable(),
      windowSize: z.int().nullable(),
      /** 7 days from Monday, 24 hours each, UTC; null where the model is not known. */
      week: z.array(z.array(z.number()).length(24)).length(7).nullable(),
      /** Items seen in each hour of the week, from dated items: what was learnt from. */
      seen: z.array(z.array(z.number()).length(24)).length(7),
    }),
  }),
  trustSource: operation('trustSource', TAG, {
    method: 'PUT',
    path: '/api/sources/{id}/trust',
    right: 'write',
    summary: 'The own trust in a source, 0 to 1; weighs what the scheduler does for it',
    params: byId,
    body: z.strictObject({ trust: z.number().min(0).max(1) }),
    answer: z.object({ trust: z.number() }),
  }),
  listCategories: operation('listCategories', TAG, {
    method: 'GET',
    path: '/api/categories',
    right: 'read',
    summary: 'Categories with their number of sources, subfolders counted',
    answer: z.object({ categories: z.array(z.object({ category: z.string(), sources: z.int() })) }),
  }),
  renameCategory: operation('renameCategory', TAG, {
    method: 'POST',
    path: '/api/categories/rename',
    right: 'admin',
    summary: 'Rename a category with its subfolders; into one that is there: both become one',
    body: z.strictObject({ from: category, to: category.nullable().describe('null: its sources leave it') }),
    answer: z.object({ sources: z.int() }),
  }),
  exportOpml: operation('exportOpml', 'OPML', {
    method: 'GET',
    path: '/api/opml',
    right: 'read',
    summary: 'All sources as OPML, without passwords',
    query: z.object({ category: category.optional() }),
    rawAnswer: { mediaType: 'text/x-opml', description: 'OPML 2.0' },
  }),
  importOpml: operation('importOpml', 'OPML', {
    method: 'POST',
    path: '/api/opml',
    right: 'write',
    summary:
      'Follow all feeds of a list (OPML, FOAF, plain addresses), or take over the articles of another reader; goes on as a job',
    query: z.object({ category: category.optional(), dryRun: flag.optional() }),
    rawBody: { mediaType: 'text/x-opml', description: 'The list, at most 32 MiB' },
    answer: z.object({ job: z.lazy(() => job) }),
    status: 202,
  }),
}

/** Something that takes a while: watch it at /api/jobs/{id} or as `job` events of /api/events. */
export const job = z.object({
  id: z.string(),
  kind: z.enum(['import', 'lab', 'backup']),
  state: z.enum(['running', 'done', 'failed']),
  done: z.number(),
  total: z.number().nullable(),
  startedAt: instant,
  endedAt: instantOrNull,
  /** Of an import: { added, known, bad, stored, marked }; of the lab: see labResult. */
  result: z.unknown().nullable(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
})
