import { z } from 'zod'
import type { ItemSeq } from '../../model/index.ts'
import { opmlParts } from '../../sources/opml.ts'
import { bytesOf } from '../parts.ts'
import type { Reader } from '../readers/app-door.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { notThere, ReaderFailure } from '../readers/failure.ts'
import { Library } from '../readers/library.ts'
import { markInParts } from '../readers/marking.ts'
import {
  addSubscription,
  dropSubscription,
  followQueryFeed,
  importList,
  refileSource,
  renameFolder,
} from '../readers/subscribing.ts'
import { unreadBySource } from '../readers/unread.ts'
import { listEntries, shownEntry } from './entries.ts'
import { entryFilters } from './entry-query.ts'
import { Shelf } from './shelf.ts'

/** A request of somebody who is known. */
export interface MinifluxCall {
  readonly reader: Reader
  readonly shelf: Shelf
  /** Numbers in the path, in their order. */
  readonly ids: readonly [number, number]
  readonly query: unknown
  readonly body: unknown
  readonly raw: Buffer
}

export interface MinifluxEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:id` and `:entry` are numbers. */
  readonly path: string
  readonly status?: 201 | 202 | 204
  readonly answer: (call: MinifluxCall, deps: ReaderDeps) => Promise<unknown>
}

const marking = z.object({ entry_ids: z.array(z.int().nonnegative()).max(10_000), status: z.enum(['read', 'unread']) })
const newFeed = z.object({ feed_url: z.string().max(2_000), category_id: z.int().optional() })
const feedChange = z.object({ title: z.string().max(500).optional(), category_id: z.int().optional() })
const folder = z.object({ title: z.string().trim().min(1).max(500) })

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ReaderFailure(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not right'}`)
}

async function listIn(feeds: Parameters<Shelf['scopeOf']>[0] | null, call: MinifluxCall, deps: ReaderDeps) {
  const { shelf } = call
  const filters = read(entryFilters, call.query)
  const named =
    filters.feed_id !== undefined
      ? [shelf.feed(filters.feed_id)]
      : filters.category_id !== undefined
        ? shelf.feedsIn(filters.category_id)
        : feeds
  const scope = named === null ? await shelf.library.scope() : shelf.scopeOf(named)
  return listEntries(scope, filters, shelf, deps)
}

/** `feeds`: it must be in one of them. */
async function oneEntry(
  seq: ItemSeq,
  feeds: Parameters<Shelf['scopeOf']>[0] | null,
  { shelf }: MinifluxCall,
  deps: ReaderDeps,
): Promise<object> {
  const [item] = await deps.showItems([seq], shelf.library)
  if (item === undefined || (feeds !== null && !shelf.hasItem(feeds, item))) throw notThere(`entry ${seq}`)
  return shownEntry(item, shelf)
}

async function markAll(
  feeds: Parameters<Shelf['scopeOf']>[0] | null,
  { shelf, reader }: MinifluxCall,
  deps: ReaderDeps,
) {
  const { store } = deps
  const scope = feeds === null ? await shelf.library.scope() : shelf.scopeOf(feeds)
  await store.markAllRead(reader.user.id, scope, await store.lastItemSeq())
}

async function refresh(
  feeds: Parameters<Shelf['scopeOf']>[0],
  { reader, shelf }: MinifluxCall,
  { store, clock }: ReaderDeps,
) {
  const scope = shelf.scopeOf(feeds)
  if (scope.kind === 'sources') await store.requestRefresh(scope.ids, clock.now(), reader.user.id)
}

async function toggleStar({ ids: [seq], shelf, reader }: MinifluxCall, { store, showItems }: ReaderDeps) {
  const [item] = await showItems([seq], shelf.library)
  if (item === undefined) throw notThere(`entry ${seq}`)
  await store.markItems(reader.user.id, [seq], { isStarred: !item.mark.isStarred })
}

/** The icon of a feed has the number of the feed. */
async function showIcon({ ids: [id], shelf }: MinifluxCall, { icons }: ReaderDeps): Promise<object> {
  const feed = shelf.findFeed(id)
  const [icon] = feed !== null && 'source' in feed ? await icons.pictures([id]) : []
  if (icon === undefined) throw notThere(`icon ${id}`)
  const { type, body } = icon
  return { id, mime_type: type, data: `${type};base64,${Buffer.from(body).toString('base64')}` }
}

function folderNamed(id: number, shelf: Shelf): string {
  const found = id > 2 ? shelf.categories.find(id) : null
  if (found === null) throw notThere(`category ${id}`)
  return found.title
}

/** `counts=true`: with what is unread in each, and how many feeds it has. */
async function listCategories({ shelf, query }: MinifluxCall, deps: ReaderDeps): Promise<readonly object[]> {
  const all = shelf.categories.all()
  if ((query as { readonly counts?: unknown } | null)?.counts !== 'true') return all
  const unread = await unreadBySource(shelf.library, deps)
  const counts = new Map([...unread].map(([{ id }, count]) => [id, count]))
  return all.map((category) => {
    const feeds = shelf.feedsIn(category.id)
    const unreadOf = (feed: (typeof feeds)[number]) => ('source' in feed ? (counts.get(feed.source.id) ?? 0) : 0)
    const total_unread = feeds.reduce((sum, feed) => sum + unreadOf(feed), 0)
    return { ...category, feed_count: feeds.length, total_unread }
  })
}

const meEndpoints: readonly MinifluxEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/me',
    answer: async ({ reader: { user, isAdmin } }) => ({
      ...{ id: user.id, username: user.name, is_admin: isAdmin, theme: 'system_serif', language: 'en_US' },
      ...{ timezone: 'UTC', entry_sorting_direction: 'desc', entries_per_page: 100, keyboard_shortcuts: true },
      ...{ google_id: '', openid_connect_id: '', extra: {}, last_login_at: null },
    }),
  },
  { method: 'GET', path: '/v1/version', answer: async () => ({ version: '2.2.0' }) },
  // Other services that entries could be saved to.
  { method: 'GET', path: '/v1/integrations/status', answer: async () => ({ has_integrations: false }) },
  {
    method: 'PUT',
    path: '/v1/users/:id/mark-all-as-read',
    status: 204,
    async answer(call, deps) {
      if (call.ids[0] !== call.reader.user.id) throw notThere('user')
      await markAll(null, call, deps)
    },
  },
  {
    method: 'GET',
    path: '/v1/export',
    async answer({ shelf }, { clock }) {
      const sources = await shelf.library.sources()
      const list = sources.map(({ url, title, siteUrl, categories }) => ({ url, name: title, siteUrl, categories }))
      return bytesOf(opmlParts(list, 'Subscriptions in Headwater', clock.now()))
    },
  },
  {
    method: 'POST',
    path: '/v1/import',
    status: 201,
    async answer({ shelf, raw }, deps) {
      await importList(raw, shelf.library, deps)
      return { message: 'Feeds imported successfully' }
    },
  },
  {
    method: 'POST',
    path: '/v1/discover',
    async answer({ body, reader }, { services }) {
      const { url } = read(z.object({ url: z.string().max(2_000) }), body)
      const found = await services.sources.discover(url, reader.user.id)
      return found.map(({ url: address, title }) => ({ url: address, title: title ?? address, type: 'rss' }))
    },
  },
]

const categoryEndpoints: readonly MinifluxEndpoint[] = [
  { method: 'GET', path: '/v1/categories', answer: listCategories },
  {
    method: 'POST',
    path: '/v1/categories',
    answer: async () => {
      throw new ReaderFailure(400, 'A folder is there as long as a feed is in it: make it in Headwater')
    },
  },
  {
    method: 'PUT',
    path: '/v1/categories/:id',
    status: 201,
    async answer({ ids: [id], shelf, reader, body }, deps) {
      const { title } = read(folder, body)
      await renameFolder(folderNamed(id, shelf), title, reader, deps)
      const after = await Shelf.open(new Library(reader, deps), deps)
      return after.categories.all().find((one) => one.title === title)
    },
  },
  {
    method: 'DELETE',
    path: '/v1/categories/:id',
    status: 204,
    answer: ({ ids: [id], shelf, reader }, deps) => renameFolder(folderNamed(id, shelf), null, reader, deps),
  },
  {
    method: 'GET',
    path: '/v1/categories/:id/feeds',
    answer: async ({ ids: [id], shelf }) => Promise.all(shelf.feedsIn(id).map((feed) => shelf.json(feed))),
  },
  {
    method: 'GET',
    path: '/v1/categories/:id/entries',
    answer: (call, deps) => listIn(call.shelf.feedsIn(call.ids[0]), call, deps),
  },
  {
    method: 'GET',
    path: '/v1/categories/:id/entries/:entry',
    answer: (call, deps) => oneEntry(call.ids[1], call.shelf.feedsIn(call.ids[0]), call, deps),
  },
  {
    method: 'PUT',
    path: '/v1/categories/:id/mark-all-as-read',
    status: 204,
    answer: (call, deps) => markAll(call.shelf.feedsIn(call.ids[0]), call, deps),
  },
  {
    method: 'PUT',
    path: '/v1/categories/:id/refresh',
    status: 204,
    answer: (call, deps) => refresh(call.shelf.feedsIn(call.ids[0]), call, deps),
  },
]

const feedEndpoints: readonly MinifluxEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/feeds',
    answer: async ({ shelf }) => Promise.all(shelf.feeds().map((feed) => shelf.json(feed))),
  },
  {
    method: 'GET',
    path: '/v1/feeds/counters',
    async answer({ shelf }, deps) {
      const unread = await unreadBySource(shelf.library, deps)
      return { reads: {}, unreads: Object.fromEntries([...unread].map(([{ id }, count]) => [id, count])) }
    },
  },
  {
    method: 'PUT',
    path: '/v1/feeds/refresh',
    status: 204,
    answer: (call, deps) => refresh(call.shelf.feeds(), call, deps),
  },
  {
    method: 'POST',
    path: '/v1/feeds',
    status: 201,
    async answer({ shelf, body }, deps) {
      const { feed_url: url, category_id: id } = read(newFeed, body)
      const categories = id === undefined || id <= 2 ? [] : [folderNamed(id, shelf)]
      const { source } = await addSubscription({ url, name: null, categories }, shelf.library, deps)
      return { feed_id: source.id }
    },
  },
  { method: 'GET', path: '/v1/feeds/:id/icon', answer: showIcon },
  { method: 'GET', path: '/v1/icons/:id', answer: showIcon },
  { method: 'GET', path: '/v1/feeds/:id', answer: async ({ ids: [id], shelf }) => shelf.json(shelf.feed(id)) },
  {
    method: 'PUT',
    path: '/v1/feeds/:id',
    status: 201,
    async answer({ ids: [id], shelf, reader, body }, deps) {
      const { title, category_id: category } = read(feedChange, body)
      if ('query' in shelf.feed(id)) throw new ReaderFailure(400, 'a query feed is changed in Headwater')
      const categories =
        category === undefined ? {} : { categories: category <= 2 ? [] : [folderNamed(category, shelf)] }
      await refileSource(id, { ...categories, ...(title === undefined ? {} : { name: title }) }, reader, deps)
      const after = await Shelf.open(new Library(reader, deps), deps)
      return after.json(after.feed(id))
    },
  },
  {
    method: 'DELETE',
    path: '/v1/feeds/:id',
    status: 204,
    async answer({ ids: [id], shelf }, deps) {
      const feed = shelf.feed(id)
      if ('source' in feed) await dropSubscription(id, shelf.library, deps)
      else await followQueryFeed(feed.query.feed.name, false, shelf.library, deps)
    },
  },
  {
    method: 'PUT',
    path: '/v1/feeds/:id/refresh',
    status: 204,
    answer: (call, deps) => refresh([call.shelf.feed(call.ids[0])], call, deps),
  },
  {
    method: 'PUT',
    path: '/v1/feeds/:id/mark-all-as-read',
    status: 204,
    answer: (call, deps) => markAll([call.shelf.feed(call.ids[0])], call, deps),
  },
  {
    method: 'GET',
    path: '/v1/feeds/:id/entries',
    answer: (call, deps) => listIn([call.shelf.feed(call.ids[0])], call, deps),
  },
  {
    method: 'GET',
    path: '/v1/feeds/:id/entries/:entry',
    answer: (call, deps) => oneEntry(call.ids[1], [call.shelf.feed(call.ids[0])], call, deps),
  },
]

const entryEndpoints: readonly MinifluxEndpoint[] = [
  { method: 'GET', path: '/v1/entries', answer: (call, deps) => listIn(null, call, deps) },
  {
    method: 'PUT',
    path: '/v1/entries',
    status: 204,
    async answer({ body, reader }, { store }) {
      const { entry_ids: seqs, status } = read(marking, body)
      await markInParts(seqs, { isRead: status === 'read' }, reader, store)
    },
  },
  { method: 'GET', path: '/v1/entries/:id', answer: (call, deps) => oneEntry(call.ids[0], null, call, deps) },
  { method: 'PUT', path: '/v1/entries/:id/bookmark', status: 204, answer: toggleStar },
  { method: 'PUT', path: '/v1/entries/:id/star', status: 204, answer: toggleStar },
]

/** In this order: `counters` and `refresh` before a number. */
export const MINIFLUX_ENDPOINTS = [...meEndpoints, ...categoryEndpoints, ...feedEndpoints, ...entryEndpoints]
