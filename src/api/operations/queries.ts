import { z } from 'zod'
import { itemRow } from './items.ts'
import { type AuditRecord, operation } from './operation.ts'
import {
  chosenMs,
  chosenWeight,
  duration,
  feedName,
  feedUrls,
  id,
  instant,
  instantOrNull,
  limit,
  phraseParts,
} from './shared.ts'
import { matchShare } from './source-share.ts'
import { chosenWish, shownWish } from './wish.ts'

export const queryError = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  line: z.int(),
  column: z.int(),
  /** In UTF-16 units, for editors. */
  offset: z.int(),
  length: z.int(),
  excerpt: z.string(),
  /** Message and hint in parts, to be said in another language. */
  phrases: z.object({ message: phraseParts, hint: phraseParts }),
})

const formOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('category'), category: z.string() }),
  z.object({ kind: z.literal('name'), name: z.string() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])

/** A statement as fields of a form; what has no field is kept as text. As in src/query/language/form.ts. */
export const queryForm = z.object({
  name: z.string(),
  title: z.string().nullable(),
  limit: z.int().nullable(),
  /** null: with variables; `fromText` says it. */
  from: z.array(formOrigin).nullable(),
  fromText: z.string(),
  joins: z.array(z.string()),
  /** All must hold; of words one is enough. */
  conditions: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('words'),
        field: z.enum([
          'TITLE',
          'DESCRIPTION',
          'CONTENT',
          'ITEM',
          'CATEGORY',
          'SOURCE CATEGORY',
          'AUTHOR',
          'LINK',
          'SOURCE',
        ]),
        isNot: z.boolean(),
        words: z.array(z.string()),
      }),
      z.object({ kind: z.literal('text'), text: z.string() }),
    ]),
  ),
  distinct: z
    .object({ by: z.enum(['LINK', 'TITLE', 'SIMILAR']), threshold: z.number().nullable(), window: z.string() })
    .nullable(),
  /** Order and full text, as they are written. */
  ending: z.array(z.string()),
})

const backFill = z
  .string()
  .max(40)
  .regex(/^(none|all|\d{1,12}|\d+(\.\d+)?\s*[a-z]+)$/i, 'write 30d, 1000 (items), all or none')
  .describe('How much of the archive to begin with: 30d, 1000 (items), all, none')

export const queryFeed = z.object({
  name: z.string(),
  title: z.string().nullable(),
  /** The CREATE FEED statement. */
  text: z.string(),
  limit: z.int().nullable(),
  isPrivate: z.boolean(),
  /** What its items count when the budget is spent, against 1 of others. */
  weight: z.number(),
  /** Of the user whose feed it is; null: made on the command line, the owner's. */
  owner: z.string().nullable(),
  /** The asking user may change it. */
  isMine: z.boolean(),
  /** For its owner: what it is made without, because it is not there, or the owner may not read it. */
  lacks: z.array(z.string()),
  /** False: access has changed, and nothing of it is shown until it has been rebuilt. */
  isShown: z.boolean(),
  createdAt: instant,
  alteredAt: instant,
  /** Still being filled from the archive: share done, 0 to 1; null: it is filled. */
  backFill: z.number().nullable(),
  urls: feedUrls,
  subscriptions: z.int(),
  /** Users who follow it. */
  followers: z.int(),
})

/** In a list, beside each feed: null where the list is long. */
const feedFigures = z.object({
  /** Over the last two weeks, or as long as the node has been at work. */
  itemsPerDay: z.number(),
  lastItemAt: instantOrNull,
})

export const listedQueryFeed = queryFeed.extend({ figures: feedFigures.nullable() })

export const queryFeedDetail = queryFeed.extend({
  /** For its owner. */
  wish: shownWish.nullable(),
  publications: z.int(),
  lastPublishedAt: instantOrNull,
  ...feedFigures.shape,
  /** Share of each source's items that it keeps, largest first. */
  selectivity: z.array(matchShare.extend({ sourceId: z.int(), sourceName: z.string() })),
  /** Names of query feeds and sources that it reads, and of query feeds that read it. */
  reads: z.array(z.string()),
  readBy: z.array(z.string()),
  tokens: z.array(z.object({ id: z.int(), label: z.string().nullable(), createdAt: instant })),
})

export const done = z.object({
  name: z.string(),
  action: z.enum(['registered', 'created', 'altered', 'unchanged', 'dropped', 'subscribed', 'unsubscribed']),
})

export const feedPreview = z.object({
  name: z.string().nullable(),
  matches: z.int(),
  /** Of the items that the query was evaluated on. */
  selectivity: z.number(),
  bySource: z.array(z.object({ sourceId: z.int(), sourceName: z.string(), matches: z.int() })),
  /** Days in UTC, newest first. */
  byDay: z.array(z.object({ day: instant, matches: z.int() })),
  newest: z.array(itemRow),
})

const text = z.string().min(1).max(200_000)
const byName = z.object({ name: feedName })
const TAG = 'Queries'

function removals({ name, action }: z.input<typeof done>): AuditRecord[] {
  if (action === 'dropped') return [{ action: 'feed-dropped', subject: name }]
  return action === 'unsubscribed' ? [{ action: 'subscription-removed', subject: name }] : []
}

export const queryOperations = {
  checkQueries: operation('checkQueries', TAG, {
    method: 'POST',
    path: '/api/queries/check',
    right: 'read',
    summary: 'What is wrong with a text of statements, or with one query alone; nothing is saved',
    body: z.strictObject({ text: z.string().max(200_000), replace: z.boolean().default(false) }),
    answer: z.object({
      ok: z.boolean(),
      statements: z.int(),
      errors: z.array(queryError),
      /** The statements as they are stored, where there is no mistake. */
      canonical: z.string().nullable(),
      /** Where the text makes one query feed, as fields of a form. */
      form: queryForm.nullable(),
    }),
  }),
  queryWords: operation('queryWords', TAG, {
    method: 'GET',
    path: '/api/queries/words',
    right: 'read',
    summary: 'For completion in an editor: names of sources, query feeds and categories; fields and keywords',
    query: z.object({ begins: z.string().max(200).default(''), limit: limit(50, 500) }),
    answer: z.object({
      sources: z.array(z.string()),
      feeds: z.array(z.string()),
      categories: z.array(z.string()),
      fields: z.array(z.string()),
      keywords: z.array(z.string()),
    }),
  }),
  previewQueries: operation('previewQueries', TAG, {
    method: 'POST',
    path: '/api/queries/preview',
    right: 'read',
    summary: 'What queries would hold of the archive: matches by source and day, selectivity, newest items',
    body: z.strictObject({
      text,
      over: backFill.default('7d'),
      newest: z.int().min(0).max(100).default(20),
      /** Stops after so many items and says so. */
      most: z.int().min(1).max(1_000_000).default(50_000),
    }),
    answer: z.object({ items: z.int(), isComplete: z.boolean(), feeds: z.array(feedPreview) }),
  }),
  applyQueries: operation('applyQueries', TAG, {
    method: 'POST',
    path: '/api/queries',
    right: 'write',
    summary: 'Carry out statements, all or none. Without the admin right, own query feeds only',
    body: z.strictObject({ text, replace: z.boolean().default(false), backFill: backFill.default('30d') }),
    answer: z.object({ done: z.array(done) }),
    audit: (_heard, answer) => answer.done.flatMap(removals),
  }),
  listQueryFeeds: operation('listQueryFeeds', TAG, {
    method: 'GET',
    path: '/api/queries',
    right: 'read',
    summary: 'Query feeds: the public ones and your own; for an admin all',
    answer: z.object({ feeds: z.array(listedQueryFeed) }),
  }),
  queryGraph: operation('queryGraph', TAG, {
    method: 'GET',
    path: '/api/queries/graph',
    right: 'read',
    summary: 'Which feeds are built on which',
    answer: z.object({
      nodes: z.array(
        z.object({ id: z.string(), kind: z.enum(['feed', 'source', 'category', 'all', 'url']), name: z.string() }),
      ),
      edges: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(['reads', 'joins']) })),
    }),
  }),
  showQueryFeed: operation('showQueryFeed', TAG, {
    method: 'GET',
    path: '/api/queries/{name}',
    right: 'read',
    summary: 'A query feed with statement, selectivity, back-fill, and what it reads and is read by',
    params: byName,
    answer: queryFeedDetail,
  }),
  setQueryFeed: operation('setQueryFeed', TAG, {
    method: 'PATCH',
    path: '/api/queries/{name}',
    right: 'write',
    summary: 'Public or private; what its items count when the budget is spent; which quality it is to have',
    params: byName,
    body: z.strictObject({
      isPrivate: z.boolean().optional(),
      weight: chosenWeight(1_000).optional(),
      wish: chosenWish.nullable().optional(),
    }),
    answer: queryFeed,
    audit: ({ params, body: { isPrivate } }) =>
      isPrivate === undefined
        ? []
        : [{ action: 'feed-access-changed', subject: `${isPrivate ? 'private' : 'public'}: ${params.name}` }],
  }),
  dropQueryFeed: operation('dropQueryFeed', TAG, {
    method: 'DELETE',
    path: '/api/queries/{name}',
    right: 'write',
    summary: 'Drop it with publications, subscriptions and tokens',
    params: byName,
    audit: ({ params }) => [{ action: 'feed-dropped', subject: params.name }],
  }),
  addFeedToken: operation('addFeedToken', TAG, {
    method: 'POST',
    path: '/api/queries/{name}/tokens',
    right: 'write',
    summary: 'A token that opens this private feed to a reader; it is shown once',
    params: byName,
    body: z.strictObject({ label: z.string().trim().max(200).nullable().default(null) }),
    answer: z.object({ id: z.int(), secret: z.string(), urls: feedUrls }),
    status: 201,
    audit: ({ params, body }, { id }) => [
      { action: 'token-made', subject: [`token ${id} of feed ${params.name}`, body.label].filter(Boolean).join(', ') },
    ],
  }),
  removeFeedToken: operation('removeFeedToken', TAG, {
    method: 'DELETE',
    path: '/api/queries/{name}/tokens/{id}',
    right: 'write',
    summary: 'Take it back',
    params: byName.extend({ id }),
    audit: ({ params }) => [{ action: 'token-revoked', subject: `token ${params.id} of feed ${params.name}` }],
  }),
}

export const subscription = z.object({
  id: z.int(),
  feed: z.string(),
  output: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('webhook'), url: z.string() }),
    z.object({ kind: z.literal('file'), path: z.string() }),
    z.object({ kind: z.literal('mail'), address: z.string() }),
    z.object({ kind: z.literal('webpush'), endpoint: z.string() }),
  ]),
  everyMs: duration.nullable(),
  createdAt: instant,
  deliveredAt: instantOrNull,
  /** Publications of the feed that wait for delivery. */
  failureCount: z.int(),
  nextAttemptAt: instantOrNull,
  lastError: z.string().nullable(),
})

const pushAddress = z.url({ protocol: /^https?$/ }).max(2_000)
const pushKeys = z.strictObject({
  p256dh: z
    .string()
    .max(88)
    .regex(/^[\w-]{87}=?$/, 'the public key of a browser, in base64url'),
  auth: z
    .string()
    .max(24)
    .regex(/^[\w-]{22}(==)?$/, '16 bytes in base64url'),
})

const deadLetter = z.object({
  id: z.int(),
  subscriptionId: z.int(),
  feed: z.string(),
  itemSeq: z.int(),
  title: z.string().nullable(),
  at: instant,
  reason: z.string(),
  isRequeued: z.boolean(),
})

export const subscriptionOperations = {
  listSubscriptions: operation('listSubscriptions', 'Subscriptions', {
    method: 'GET',
    path: '/api/subscriptions',
    right: 'read',
    summary: 'Where publications are sent to, of the feeds one may change',
    query: z.object({ feed: feedName.optional() }),
    answer: z.object({ subscriptions: z.array(subscription) }),
  }),
  subscribe: operation('subscribe', 'Subscriptions', {
    method: 'POST',
    path: '/api/subscriptions',
    right: 'write',
    summary:
      'Send what a query feed publishes to a webhook, a file, by mail or to a browser; the secret signs webhooks',
    body: z.strictObject({
      feed: feedName,
      output: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('webhook'), url: z.url({ protocol: /^https?$/ }).max(2_000) }),
        z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(1_000) }),
        z.strictObject({ kind: z.literal('mail'), address: z.email().max(320) }),
        /** As `PushSubscription.toJSON()` of a browser has it. */
        z.strictObject({ kind: z.literal('webpush'), endpoint: pushAddress, keys: pushKeys }),
      ]),
      everyMs: chosenMs.nullable().default(null),
    }),
    /** What webhooks are signed with; null: nothing is signed. */
    answer: z.object({ subscription, secret: z.string().nullable() }),
    status: 201,
  }),
  showPushKey: operation('showPushKey', 'Subscriptions', {
    method: 'GET',
    path: '/api/push-key',
    right: 'read',
    summary: 'The key that a browser subscribes to notifications with (`applicationServerKey`)',
    answer: z.object({ key: z.string() }),
  }),
  unsubscribe: operation('unsubscribe', 'Subscriptions', {
    method: 'DELETE',
    path: '/api/subscriptions/{id}',
    right: 'write',
    summary: 'Send no more',
    params: z.object({ id }),
    audit: ({ params }) => [{ action: 'subscription-removed', subject: `subscription ${params.id}` }],
  }),
  listDeadLetters: operation('listDeadLetters', 'Subscriptions', {
    method: 'GET',
    path: '/api/dead-letters',
    right: 'read',
    summary: 'Publications that could not be delivered, newest first',
    query: z.object({ subscriptionId: id.optional(), limit: limit(100, 1_000) }),
    answer: z.object({ deadLetters: z.array(deadLetter) }),
  }),
  requeueDeadLetters: operation('requeueDeadLetters', 'Subscriptions', {
    method: 'POST',
    path: '/api/dead-letters/requeue',
    right: 'write',
    summary: 'Have them tried once more',
    body: z.union([
      z.strictObject({ ids: z.array(z.int().positive()).min(1).max(1_000) }),
      z.strictObject({ subscriptionId: z.int().positive() }),
    ]),
    answer: z.object({ requeued: z.int() }),
  }),
}
