import { z } from 'zod'
import { besidePolling } from '../beside-polling.ts'
import { operation } from './operation.ts'
import { chosenMs, duration, feedUrls, instant, namedFields, period, phraseParts } from './shared.ts'
import { job, sourceRow } from './sources.ts'

const measure = z.object({ value: z.number(), estimated: z.boolean() }).nullable()

/** As in src/quality/live.ts. */
const measures = z.object({
  completeness: measure,
  freshness: measure,
  delay: z.object({ meanMs: duration, medianMs: duration, p95Ms: duration, estimated: z.boolean() }).nullable(),
  items: z.number(),
  lost: z.object({ items: z.number(), atLeast: z.number(), atMost: z.number(), estimated: z.boolean() }),
  repairedItems: z.number(),
  saturatedRefreshes: z.number(),
  requests: z.number(),
  failedRequests: z.number(),
  bytes: z.number(),
  usefulShare: z.number().nullable(),
})

export const qualityPoint = measures.extend({ from: instant, to: instant })

export const budgetState = z.object({
  requests: z.number(),
  perMs: duration,
  requestsPerMinute: z.number(),
  /** A wished quality for which the least budget is looked for; null: the budget is as given. */
  wish: z.object({ meanDelayMs: duration.nullable(), completeness: z.number().nullable() }).nullable(),
  strategy: z.string(),
  estimator: z.string(),
  strategies: z.array(z.string()),
  estimators: z.array(z.string()),
  minIntervalMs: duration,
  maxIntervalMs: duration,
  /** τ as last saved; null: no strategy with a price has run yet. */
  price: z.number().nullable(),
  /** Requests of the last whole hour, per minute. */
  spentPerMinute: z.number(),
})

/** What must be seen until it is over. */
const alarm = z.object({
  code: z.string(),
  /** `error`: something that the node is for does not happen; `warning`: it soon will not. */
  severity: z.enum(['error', 'warning']),
  since: instant,
  summary: z.string(),
  /** What to do. */
  hint: z.string(),
  /** What exactly; null for all but admins, as it may name files. */
  detail: z.string().nullable(),
})

const readiness = z.object({
  /** `degraded`: an alarm of an error is raised, but feeds are served; `unready`: they are not. */
  status: z.enum(['ok', 'degraded', 'unready']),
  version: z.string(),
  /** Another instant means that the node was started again. */
  startedAt: instant,
  alarms: z.array(alarm),
  /** Parts of the node that work in the background. */
  layers: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['running', 'failing', 'ended']),
      /** Since the process began. */
      failures: z.int(),
      lastError: z.string().nullable(),
      /** When it is started again; null: it runs, or has ended. */
      retryAt: instant.nullable(),
    }),
  ),
  /** What was found when the database was last looked through; `unchecked`: it has not been yet. */
  database: z.object({
    verdict: z.enum(['ok', 'damaged', 'unchecked']),
    checkedAt: instant.nullable(),
    tookMs: duration.nullable(),
  }),
  sources: z.int().nullable(),
  items: z.int().nullable(),
  observations: z.int().nullable(),
  buffer: z.object({ backlog: z.int(), capacity: z.int(), shed: z.record(z.string(), z.int()) }).nullable(),
})

export const overview = z.object({
  at: instant,
  over: period,
  counts: z.object({
    sources: z.int(),
    items: z.int(),
    observations: z.int(),
    queryFeeds: z.int(),
    conditions: z.record(z.string(), z.int()),
  }),
  quality: measures,
  /** The same step by step, oldest first: by the hour (day over a week), finer where the node remembers it. */
  series: z.array(qualityPoint),
  itemsPerHour: z.number(),
  budget: budgetState,
  /** Where somebody has simulated it; null: nobody has. */
  besidePolling: besidePolling.nullable(),
  /** Sources in trouble: failing, retired, flooding or saturated; the worst first, at most 20. */
  trouble: z.array(sourceRow),
  /** Most wanted by queries, readers and trust, at most 10. */
  wanted: z.array(z.object({ source: sourceRow, importance: z.number(), subscribers: z.int() })),
  /** Sources of this node like those, that the asking user does not read yet, at most 10 (SCC07 1.1). */
  suggested: z.array(
    z.object({
      source: sourceRow,
      /** Names of wanted sources that it is like. */
      becauseOf: z.array(z.string()),
      /** The same people get both, the same query feeds keep items of both, they share a category. */
      reasons: z.array(z.enum(['readers', 'queries', 'categories'])),
    }),
  ),
  buffer: z.object({ entries: z.number(), capacity: z.number() }).nullable(),
  /** Errors first. */
  alarms: z.array(alarm),
})

/** How a setting is edited. Units of numbers are in words; null: it has none. */
export const settingForm = z.object({
  group: z.enum(['budget', 'checking', 'publishing', 'storage', 'people', 'mail', 'node']),
  title: z.string(),
  kind: z.enum([
    'budget',
    'quality',
    'strategy',
    'estimator',
    'duration',
    'bytes',
    'number',
    'share',
    'boolean',
    'choice',
    'words',
    'text',
  ]),
  unit: z.string().nullable(),
  choices: z.array(z.string()).nullable(),
})

export const settingMistake = z.object({ name: z.string().nullable(), message: z.string(), phrase: phraseParts })

const settingValues = namedFields(
  100,
  z.union([
    z.string().max(2_000),
    z.number().min(-1e15).max(1e15),
    z.boolean(),
    z.null(),
    z.array(z.string().max(200)).max(100),
  ]),
  100,
)

const TAG = 'Node'

export const nodeOperations = {
  health: operation('health', TAG, {
    method: 'GET',
    path: '/api/health',
    right: 'public',
    summary: 'Whether the node can serve and does its work: alarms and layers. 503 where it cannot read its archive',
    answer: readiness,
  }),
  overview: operation('overview', TAG, {
    method: 'GET',
    path: '/api/overview',
    right: 'read',
    summary: 'Whether the node is complete, fresh and on budget, at a glance',
    query: z.object({ over: period.default('day') }),
    answer: overview,
  }),
  qualityReport: operation('qualityReport', 'Quality', {
    method: 'GET',
    path: '/api/quality',
    right: 'read',
    summary: 'Quality of node, source:ID, category:PATH or feed:NAME over the last hour, day or week',
    query: z.object({ scope: z.string().min(1).max(600).default('node'), over: z.string().max(20).default('day') }),
    answer: measures.extend({ scope: z.string(), over: z.string(), from: z.iso.datetime(), to: z.iso.datetime() }),
  }),
  qualitySeries: operation('qualitySeries', 'Quality', {
    method: 'GET',
    path: '/api/quality/series',
    right: 'read',
    summary: 'Quality of node, source:ID, category:PATH or feed:NAME, step by step, oldest first',
    query: z.object({ scope: z.string().min(1).max(600).default('node'), over: period.default('day') }),
    answer: z.object({ scope: z.string(), over: period, stepMs: duration, points: z.array(qualityPoint) }),
  }),
  showBudget: operation('showBudget', TAG, {
    method: 'GET',
    path: '/api/budget',
    right: 'read',
    summary: 'Budget, strategy, price and what is spent',
    answer: budgetState,
  }),
  setBudget: operation('setBudget', TAG, {
    method: 'PATCH',
    path: '/api/budget',
    right: 'admin',
    summary: 'Change budget, wished quality or strategy. Saved in the settings; the node uses them at once',
    body: z
      .strictObject({
        budget: z.string().max(50).describe('60/min, 5000/day'),
        quality: z.string().max(100).nullable().describe('delay<15min, completeness>0.999; null: none'),
        strategy: z.string().max(100),
        estimator: z.string().max(100),
        minIntervalMs: chosenMs,
        maxIntervalMs: chosenMs,
      })
      .partial(),
    answer: budgetState,
    audit: ({ body }) => [{ action: 'settings-changed', subject: Object.keys(body).join(', ') }],
  }),
  listFeeds: operation('listFeeds', 'Feeds', {
    method: 'GET',
    path: '/api/feeds',
    right: 'read',
    summary: 'Published feeds other than query feeds and single sources: everything, and the categories',
    answer: z.object({
      feeds: z.array(
        z.object({
          feed: z.string().describe('Path without format, as /feeds/all'),
          title: z.string(),
          isPrivate: z.boolean(),
          urls: feedUrls,
        }),
      ),
      /** Whether feeds of single sources are private unless said otherwise. */
      sourcesArePrivate: z.boolean(),
    }),
  }),
  setFeedAccess: operation('setFeedAccess', 'Feeds', {
    method: 'PUT',
    path: '/api/feeds/access',
    right: 'admin',
    summary: 'Make a published feed public or private; private ones need a token of scope feed or read, or a session',
    body: z.strictObject({
      feed: z
        .string()
        .regex(
          /^\/feeds\/(all|source\/\*|source\/\d+|category\/.+)$/,
          'as /feeds/all, /feeds/source/3, /feeds/source/*',
        )
        .max(1_000),
      isPrivate: z.boolean(),
    }),
    audit: ({ body: { feed, isPrivate } }) => [
      { action: 'feed-access-changed', subject: `${isPrivate ? 'private' : 'public'}: ${feed}` },
    ],
  }),
  listSettings: operation('listSettings', 'Settings', {
    method: 'GET',
    path: '/api/settings',
    right: 'admin',
    summary: 'All settings: value, where it comes from, and whether it can be set here',
    answer: z.object({
      settings: z.array(
        z.object({
          name: z.string(),
          value: z.unknown(),
          /** What is stored for the next start, where it differs from what runs. */
          stored: z.unknown().optional(),
          from: z.enum(['flag', 'environment', 'file', 'default']),
          description: z.string(),
          /** Given as flag or in the environment, or secret: not to be set here. */
          isFixed: z.boolean(),
          fixedBecause: z.string().nullable(),
          needsRestart: z.boolean(),
          form: settingForm,
        }),
      ),
    }),
  }),
  checkSettings: operation('checkSettings', 'Settings', {
    method: 'POST',
    path: '/api/settings/check',
    right: 'admin',
    summary: 'What is wrong with settings before they are stored; nothing is changed',
    body: settingValues,
    answer: z.object({
      /** `name` null: they do not fit each other. */
      errors: z.array(settingMistake),
    }),
  }),
  setSettings: operation('setSettings', 'Settings', {
    method: 'PATCH',
    path: '/api/settings',
    right: 'admin',
    summary: 'Keep settings in headwater.json; null: back to the default',
    body: settingValues,
    answer: z.object({ needsRestart: z.boolean() }),
    audit: ({ body }) => [{ action: 'settings-changed', subject: Object.keys(body).join(', ') }],
  }),
  backup: operation('backup', 'Settings', {
    method: 'GET',
    path: '/api/backup',
    right: 'admin',
    summary: 'The whole node in one file, of one moment, while it runs',
    rawAnswer: { mediaType: 'application/vnd.sqlite3', description: 'A SQLite database' },
    audit: () => [{ action: 'backup', subject: '' }],
  }),
  restore: operation('restore', 'Settings', {
    method: 'POST',
    path: '/api/restore',
    right: 'admin',
    summary: 'Restore a backup: the node starts again with it, and the present data is kept beside it',
    rawBody: { mediaType: 'application/octet-stream', description: 'A file of GET /api/backup' },
    answer: z.object({
      sources: z.int(),
      items: z.int(),
      /** The node starts again by itself, at once; false: restart it by hand. */
      restarts: z.boolean(),
      /** Of the node that took it: GET /api/health reports another one as soon as the restored node is there. */
      startedAt: instant,
    }),
    status: 202,
    audit: (_heard, { sources, items }) => [{ action: 'restore', subject: `${sources} sources, ${items} items` }],
  }),
  events: operation('events', TAG, {
    method: 'GET',
    path: '/api/events',
    right: 'read',
    summary:
      'Server-sent events: `refresh` {sourceId, at, newItems, error}, `items` {count, sourceIds} at most once a second, `job` (one of your own), `queries` {}, `alarms` {}',
    rawAnswer: { mediaType: 'text/event-stream', description: 'Never ends' },
  }),
  showJob: operation('showJob', 'Jobs', {
    method: 'GET',
    path: '/api/jobs/{id}',
    right: 'read',
    summary: 'How far a job is, and its result. Jobs are forgotten an hour after their end',
    params: z.object({ id: z.string().max(100) }),
    answer: job,
  }),
}

export const labResult = z.object({
  sources: z.int(),
  from: instant,
  to: instant,
  /** One point for each strategy and budget that was tried. */
  points: z.array(
    z.object({
      strategy: z.string(),
      requestsPerMinute: z.number(),
      meanDelayMs: duration.nullable(),
      completeness: z.number().nullable(),
      freshness: z.number().nullable(),
      requests: z.number(),
    }),
  ),
  /** Where the node was in the same time. */
  node: z.object({
    requestsPerMinute: z.number(),
    meanDelayMs: duration.nullable(),
    completeness: z.number().nullable(),
  }),
})

export const labOperations = {
  runLab: operation('runLab', 'Lab', {
    method: 'POST',
    path: '/api/lab',
    right: 'write',
    summary: 'What would have happened with other strategies and budgets, on this node’s own history; goes on as a job',
    body: z.strictObject({
      strategies: z.array(z.string().max(100)).min(1).max(6),
      requestsPerMinute: z.array(z.number().min(0.001).max(1_000_000)).min(1).max(8),
      over: z.enum(['day', 'week', 'month']).default('week'),
    }),
    answer: z.object({ job }),
    status: 202,
  }),
}
