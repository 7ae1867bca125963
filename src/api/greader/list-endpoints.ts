import type { SourceId } from '../../model/index.ts'
import { opmlParts } from '../../sources/opml.ts'
import { bytesOf } from '../parts.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import type { Library, ReaderSource } from '../readers/library.ts'
import { importList } from '../readers/subscribing.ts'
import { unreadBySource } from '../readers/unread.ts'
import type { Endpoint } from './endpoint.ts'
import { foldersBeside, READING_LIST } from './stream-items.ts'
import { feedLabel, LABEL_PREFIX, labelStream, queryStream, STATE_PREFIX, sourceStream } from './streams.ts'

/** Under which followed query feeds stand among subscriptions. */
const QUERY_FOLDER = 'Query feeds'
/** What unread counts look at. */
const COUNTED_PUBLICATIONS = 1_000

const category = (label: string) => ({ id: labelStream(label), label })
/** Eight hexadecimal digits, as Google had them: clients parse them. */
const sortId = (number: number) => number.toString(16).padStart(8, '0').toUpperCase().slice(-8)

export const listEndpoints = {
  'subscription/list': { answer: async ({ library }, deps) => ({ subscriptions: await subscriptions(library, deps) }) },
  'tag/list': { answer: async ({ library }, deps) => ({ tags: await tags(library, deps) }) },
  'unread-count': { answer: async ({ library }, deps) => unreadCounts(library, deps) },
  'user-info': {
    isText: true,
    async answer({ library }) {
      const { id, name } = library.reader.user
      return { userId: String(id), userName: name, userProfileId: String(id), userEmail: name }
    },
  },
  subscribed: {
    async answer({ library, params }, deps) {
      const subscribed = (await subscriptions(library, deps)) as { id: string; url: string }[]
      const id = params.get('s') ?? ''
      return String(subscribed.some((one) => one.id === id || `feed/${one.url}` === id))
    },
  },
  'preference/list': { answer: async () => ({ prefs: [] }) },
  'preference/stream/list': { answer: async () => ({ streamprefs: {} }) },
  'friend/list': { answer: async () => ({ friends: [] }) },
  'subscription/export': {
    async answer({ library, body }, deps) {
      const { clock } = deps
      // google-reader-api sends the list that it imports here.
      if (body.includes('<opml')) {
        await importList(body, library, deps)
        return 'OK'
      }
      const entries = (await library.sources()).map(opmlEntry)
      const document = await bytesOf(opmlParts(entries, 'Subscriptions in Headwater', clock.now()))
      return { type: 'text/x-opml; charset=utf-8', document }
    },
  },
} satisfies Readonly<Record<string, Endpoint>>

function opmlEntry({ url, title, siteUrl, categories }: ReaderSource) {
  return { url, name: title, siteUrl, categories }
}

async function subscriptions(library: Library, { feeds, icons }: ReaderDeps): Promise<object[]> {
  const listed = await library.sources()
  const paths = await icons.paths(listed.map(({ id }) => id))
  const iconUrl = (id: SourceId) => (paths.has(id) ? `${feeds.baseUrl}${paths.get(id)}` : '')
  const sources = listed.map(({ id, title, url, siteUrl, categories }) => ({
    id: sourceStream(id),
    title,
    categories: categories.map(category),
    url,
    htmlUrl: siteUrl ?? url,
    iconUrl: iconUrl(id),
    sortid: sortId(id),
    firstitemmsec: '0',
  }))
  const followed = (await library.feeds()).filter(({ isFollowed }) => isFollowed)
  const own = followed.map((one) => ({
    id: queryStream(one),
    title: one.title,
    categories: [category(QUERY_FOLDER)],
    url: `${feeds.baseUrl}/feeds/${encodeURIComponent(one.feed.name)}.atom`,
    htmlUrl: `${feeds.baseUrl}/queries/${encodeURIComponent(one.feed.name)}`,
    iconUrl: '',
    sortid: sortId(2 ** 31 + one.feed.id),
    firstitemmsec: '0',
  }))
  return [...sources, ...own]
}

async function tags(library: Library, deps: ReaderDeps): Promise<object[]> {
  const folders = new Set((await library.sources()).flatMap(({ categories }) => categories))
  const beside = await foldersBeside(library, deps)
  const labels = (await library.feeds()).map((feed) => feedLabel(feed, beside))
  const states = ['starred', 'reading-list', 'read'].map((state) => STATE_PREFIX + state)
  return [
    ...states.map((id) => ({ id, sortid: sortId(0) })),
    ...[...folders].sort().map((folder) => ({ id: LABEL_PREFIX + folder, sortid: sortId(0), type: 'folder' })),
    ...labels.map((label) => ({ id: LABEL_PREFIX + label, sortid: sortId(0), type: 'tag' })),
  ]
}

interface Unread {
  count: number
  newestAt: number
}

/** Of streams, folders and all; only of what has any. */
async function unreadCounts(library: Library, deps: ReaderDeps): Promise<object> {
  const counts = new Map<string, Unread>()
  const add = (id: string, count: number, newestAt: number) => {
    const known = counts.get(id) ?? { count: 0, newestAt: 0 }
    counts.set(id, { count: known.count + count, newestAt: Math.max(known.newestAt, newestAt) })
  }
  const rows = await deps.directory.byId()
  for (const [source, count] of await unreadBySource(library, deps)) {
    const newestAt = rows.get(source.id)?.lastNewItemAt ?? 0
    for (const id of [sourceStream(source.id), ...source.categories.map(labelStream), READING_LIST]) {
      add(id, count, newestAt)
    }
  }
  const folders = await foldersBeside(library, deps)
  for (const one of await library.feeds()) {
    const scope = { kind: 'feed' as const, id: one.feed.id }
    const query = { scope, isRead: false, limit: COUNTED_PUBLICATIONS }
    const unread = await deps.store.seqsToRead(library.reader.user.id, query)
    add(labelStream(feedLabel(one, folders)), unread.length, deps.clock.now())
    if (one.isFollowed) add(queryStream(one), unread.length, deps.clock.now())
  }
  return { max: 10_000, unreadcounts: countsOnWire(counts) }
}

function countsOnWire(counts: ReadonlyMap<string, Unread>): readonly object[] {
  return [...counts]
    .filter(([, { count }]) => count > 0)
    .map(([id, { count, newestAt }]) => ({ id, count, newestItemTimestampUsec: String(newestAt * 1_000) }))
}
