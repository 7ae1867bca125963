import { z } from 'zod'
import { operation } from './operation.ts'
import { category, cursor, feedName, flag, id, instant, instantOrNull, limit, moment, nextCursor } from './shared.ts'

/** What a list shows. */
export const itemRow = z.object({
  seq: z.int(),
  sourceId: z.int(),
  sourceName: z.string(),
  title: z.string().nullable(),
  link: z.string().nullable(),
  authors: z.array(z.string()),
  /** Order of publication. */
  sortAt: instant,
  published: instantOrNull,
  firstSeenAt: instant,
  changedAt: instant,
  /** Beginning of the text, plain. */
  excerpt: z.string(),
  /** A picture of it, as its feed says; through this node where that is set. */
  image: z.string().nullable(),
  /** Something to hear or to see is enclosed. */
  medium: z.enum(['audio', 'video']).nullable(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
})

/** The page that an item links to, as far as it was fetched. */
export const pageOfItem = z.object({
  /** After redirects; before it is fetched, as the item links to it. */
  url: z.string().nullable(),
  canonicalUrl: z.string().nullable(),
  /** When it is fetched, tried again or looked at for changes; null: never again. */
  dueAt: instantOrNull,
  fetchedAt: instantOrNull,
  status: z.int().nullable(),
  /** Why there is no text of it, a code of docs/errors.md; null: nothing has failed. */
  failure: z.string().nullable(),
  /** What is stored of it as it came, compressed. */
  bodyBytes: z.int(),
  /** The item is shown with the text of its page; else with that of its feed. */
  isShown: z.boolean(),
  author: z.string().nullable(),
  published: instantOrNull,
  language: z.string().nullable(),
  /** By the page, or by its words; null: not known. */
  languageIs: z.enum(['declared', 'detected']).nullable(),
  categories: z.array(z.string()),
  /** By the page, the feed, or words learnt from what these declare; `uncategorized`: by none. null: not fetched. */
  category: z.string().nullable(),
  /** Who says so; null: nobody. */
  categoryIs: z.enum(['page', 'feed', 'learnt']).nullable(),
  leadImage: z.object({ url: z.string(), width: z.number().nullable(), height: z.number().nullable() }).nullable(),
  /** In front of the article; null: none was seen. */
  wall: z.enum(['consent', 'paywall']).nullable(),
  /** How the text was found, and how sure that is, 0 to 1; null: it was not. */
  by: z.string().nullable(),
  confidence: z.number().nullable(),
})

export const itemDetail = itemRow.extend({
  /** Made safe: no scripts, no handlers, only links and images of http and https; may be empty. */
  html: z.string(),
  language: z.string().nullable(),
  categories: z.array(z.string()),
  commentsUrl: z.string().nullable(),
  /** Of `image`, in pixels, as its feed says; null: it does not. */
  imageSize: z.object({ width: z.number().nullable(), height: z.number().nullable() }).nullable(),
  enclosures: z.array(
    z.object({
      url: z.string(),
      type: z.string().nullable(),
      lengthBytes: z.number().nullable(),
      durationMs: z.number().nullable(),
      width: z.number().nullable(),
      height: z.number().nullable(),
    }),
  ),
  /** Query feeds that have it and that the user of the request may see. */
  feeds: z.array(z.string()),
  /** null: its source does not have pages fetched, or the item links to none. */
  page: pageOfItem.nullable(),
})

const scopeShape = {
  sourceId: id.optional(),
  category: category.optional(),
  feed: feedName.optional().describe('Name of a query feed'),
}

const atMostOne = (scope: { sourceId?: unknown; category?: unknown; feed?: unknown }) =>
  [scope.sourceId, scope.category, scope.feed].filter((one) => one !== undefined).length <= 1

const TAG = 'Items'

export const itemOperations = {
  listItems: operation('listItems', TAG, {
    method: 'GET',
    path: '/api/items',
    right: 'read',
    summary:
      'Items of a query feed, category or source, or of all; newest or oldest first, in pages; by words, "phrases" and -not, by time, unread, starred',
    query: z
      .object({
        ...scopeShape,
        text: z.string().trim().min(1).max(500).optional(),
        since: moment.optional(),
        until: moment.optional(),
        unread: flag.optional(),
        starred: flag.optional(),
        order: z
          .enum(['newest', 'oldest'])
          .optional()
          .describe('By publication; query feeds and the starred by arrival. Usually the newest come first'),
        limit: limit(50, 500),
        cursor: cursor.optional(),
      })
      .refine(atMostOne, 'give one of sourceId, category and feed'),
    answer: z.object({
      items: z.array(itemRow),
      next: nextCursor,
      /** The highest number that an item had when this was answered: what came later has a higher one. */
      lastSeq: z.number().int().nonnegative(),
      /** On the first page of a search: how many items it finds, counted up to some number; `isAll`: those are all. */
      found: z.object({ items: z.int().nonnegative(), isAll: z.boolean() }).nullable(),
    }),
  }),
  showItem: operation('showItem', TAG, {
    method: 'GET',
    path: '/api/items/{seq}',
    right: 'read',
    summary: 'One item with its content made safe',
    params: z.object({ seq: id }),
    answer: itemDetail,
  }),
  fetchPageAgain: operation('fetchPageAgain', TAG, {
    method: 'POST',
    path: '/api/items/{seq}/page',
    right: 'admin',
    summary: 'Fetch the page of an item again; what has changed there is an edit of the item',
    params: z.object({ seq: id }),
    answer: z.object({ askedAt: instant }),
  }),
  markItems: operation('markItems', TAG, {
    method: 'POST',
    path: '/api/items/mark',
    right: 'write',
    summary: 'Your own read and starred state; what is not named stays',
    body: z.strictObject({
      seqs: z.array(z.int().positive()).min(1).max(1_000),
      isRead: z.boolean().optional(),
      isStarred: z.boolean().optional(),
    }),
    answer: z.object({ marked: z.int() }),
  }),
  markAllRead: operation('markAllRead', TAG, {
    method: 'POST',
    path: '/api/items/mark-all-read',
    right: 'write',
    summary: 'All of a query feed, category or source, or of all, up to an item that was shown',
    body: z
      .strictObject({
        sourceId: z.int().positive().optional(),
        category: category.optional(),
        feed: feedName.optional(),
        upTo: z.int().positive().optional().describe('Items archived later stay unread'),
      })
      .refine(atMostOne, 'give one of sourceId, category and feed'),
  }),
  unreadCounts: operation('unreadCounts', TAG, {
    method: 'GET',
    path: '/api/items/unread',
    right: 'read',
    summary: 'How many items are unread, by category, source and query feed; the newest 10,000 items are counted',
    answer: z.object({
      all: z.int(),
      starred: z.int(),
      categories: z.array(z.object({ category: z.string(), unread: z.int() })),
      feeds: z.array(z.object({ feed: z.string(), title: z.string().nullable(), unread: z.int() })),
      /** At most 2,000; of more only those with something unread. `category`: the folder it is shown in. */
      sources: z.array(
        z.object({ sourceId: z.int(), name: z.string(), category: z.string().nullable(), unread: z.int() }),
      ),
    }),
  }),
}
