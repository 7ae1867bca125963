import type { QueryFeed, SourceId } from '../../model/index.ts'
import type { FeedAddress } from '../../publisher/addresses.ts'
import { presentItem } from '../../publisher/present.ts'
import { sourceLabel } from '../../publisher/source-labels.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { ItemScope } from '../../store/item-scope.ts'
import type { itemOperations } from '../operations/items.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { demandBuiltIn, feedReadBy, shownFeeds } from './feed-rights.ts'
import { pageOf } from './item-page.ts'
import { countFound, type ItemChoice, readItemPage } from './item-pages.ts'
import { itemRows, ownImages } from './item-rows.ts'
import type { SourceRow } from './source-directory.ts'

/** What unread counts look at. */
const COUNTED_ITEMS = 10_000
const COUNTED_PUBLICATIONS = 200

export function itemHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof itemOperations> {
  const { store, directory } = deps
  return {
    async listItems({ query }, call) {
      const { feed, sourceId, category, limit, cursor, ...rest } = query
      if (feed === undefined) await demandBuiltIn(builtInOf(sourceId, category), 'see', call, deps)
      const choice: ItemChoice = {
        ...rest,
        user: call.user,
        scope: scopeOf(sourceId, category),
        feed: feed === undefined ? null : await feedReadBy(feed, call, deps),
      }
      const lastSeq = await store.lastItemSeq()
      const { items, next } = await readItemPage(choice, { limit, cursor }, store)
      const isChosen = rest.text !== undefined || rest.starred === true
      // Opening a single source may be maintenance, not reading; opening a search result is reading.
      if (!isChosen && sourceId === undefined) deps.services.noteRead(addressOf(feed, category))
      const isFound = rest.text !== undefined && cursor === undefined
      const found = isFound ? await countFound({ ...choice, order: 'newest' }, store) : null
      return { items: await itemRows(items, call.user, deps), next, lastSeq, found }
    },
    async fetchPageAgain({ params: { seq } }) {
      const askedAt = deps.clock.now()
      if ((await store.itemHeads([seq])).length === 0) throw new HeadwaterError('ITEM_NOT_FOUND', String(seq))
      if ((await store.itemPage(seq)) === null) throw new HeadwaterError('PAGE_NOT_STORED', `item ${seq}`)
      await store.askAgain([seq], askedAt)
      return { askedAt }
    },
    async showItem({ params }, call) {
      const [item] = await store.itemsBySeq([params.seq])
      const source = item && (await store.source(item.sourceId))
      if (item === undefined || !source) throw new HeadwaterError('ITEM_NOT_FOUND', String(params.seq))
      await demandBuiltIn({ kind: 'source', sourceId: source.id }, 'see', call, deps)
      const [row] = await itemRows([item], call.user, deps)
      // It may have gone since it was read.
      if (row === undefined) throw new HeadwaterError('ITEM_NOT_FOUND', String(params.seq))
      const presented = presentItem({ item, source: sourceLabel(source), isWhole: true }, ownImages(deps.feeds))
      const standsIn = new Set((await store.publishedIn([item.seq])).get(item.seq) ?? [])
      const feeds = (await shownFeeds(call, deps)).filter(({ id }) => standsIn.has(id))
      return {
        ...row,
        html: presented.contentHtml ?? presented.summaryHtml ?? '',
        language: presented.language,
        categories: [...presented.categories],
        commentsUrl: presented.commentsUrl,
        imageSize: presented.imageSize,
        enclosures: [...presented.enclosures],
        feeds: feeds.map(({ name }) => name),
        page: await pageOf(item, store),
      }
    },
    async markItems({ body: { seqs, isRead, isStarred } }, { user }) {
      const mark = { ...(isRead === undefined ? {} : { isRead }), ...(isStarred === undefined ? {} : { isStarred }) }
      return { marked: await store.markItems(user.id, seqs, mark) }
    },
    async markAllRead({ body }, call) {
      const upTo = body.upTo ?? (await store.lastItemSeq())
      const feed = body.feed === undefined ? null : await feedReadBy(body.feed, call, deps)
      const scope = feed === null ? scopeOf(body.sourceId, body.category) : ({ kind: 'feed', id: feed.id } as const)
      await store.markAllRead(call.user.id, scope, upTo)
      return undefined
    },
    async unreadCounts(_input, call) {
      const unread = await store.unread(call.user.id, COUNTED_ITEMS)
      const sources = await directory.byId()
      const categories = unreadByFolder([...sources.values()], unread)
      return {
        all: [...unread.values()].reduce((sum, count) => sum + count, 0),
        starred: (await store.starred(call.user.id, { limit: 1_000 })).length,
        categories: [...categories].map(([category, count]) => ({ category, unread: count })).sort(byCategory),
        feeds: await unreadInFeeds(call, deps),
        sources: unreadBySource([...sources.values()], unread),
      }
    },
  }
}

async function unreadInFeeds(
  call: CallContext,
  deps: HandlerDeps,
): Promise<{ feed: string; title: string | null; unread: number }[]> {
  const { store } = deps
  const upTo = await store.lastItemSeq()
  return Promise.all(
    (await shownFeeds(call, deps)).map(async ({ id, name, title }: QueryFeed) => {
      const seqs = await store.publishedSeqs(id, { after: 0, upTo, limit: COUNTED_PUBLICATIONS })
      const marks = await store.marks(call.user.id, seqs)
      return { feed: name, title: title ?? null, unread: [...marks.values()].filter(({ isRead }) => !isRead).length }
    }),
  )
}

const MOST_SOURCES = 2_000

function unreadBySource(
  sources: readonly Pick<SourceRow, 'id' | 'name' | 'categories'>[],
  unread: ReadonlyMap<SourceId, number>,
): { sourceId: SourceId; name: string; category: string | null; unread: number }[] {
  const shown = sources.length <= MOST_SOURCES ? sources : sources.filter(({ id }) => unread.has(id))
  return shown
    .slice(0, MOST_SOURCES)
    .map(({ id, name, categories: [category = null] }) => ({
      sourceId: id,
      name,
      category,
      unread: unread.get(id) ?? 0,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Every folder that holds a source, also where all of it is read. */
function unreadByFolder(
  sources: readonly { readonly id: SourceId; readonly categories: readonly string[] }[],
  unread: ReadonlyMap<SourceId, number>,
): ReadonlyMap<string, number> {
  const folders = new Map<string, number>()
  for (const { id, categories } of sources) {
    for (const folder of foldersOf(categories)) folders.set(folder, (folders.get(folder) ?? 0) + (unread.get(id) ?? 0))
  }
  return folders
}

function byCategory(a: { readonly category: string }, b: { readonly category: string }): number {
  return a.category < b.category ? -1 : 1
}

function foldersOf(categories: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const category of categories) {
    const parts = category.split('/')
    for (let depth = 1; depth <= parts.length; depth++) folders.add(parts.slice(0, depth).join('/'))
  }
  return folders
}

function addressOf(feed: string | undefined, category: string | undefined): FeedAddress {
  if (feed !== undefined) return { kind: 'query', name: feed }
  return category === undefined ? { kind: 'all' } : { kind: 'category', category }
}

function builtInOf(sourceId: number | undefined, category: string | undefined): FeedAddress {
  return sourceId !== undefined ? { kind: 'source', sourceId } : addressOf(undefined, category)
}

function scopeOf(sourceId: number | undefined, category: string | undefined): ItemScope {
  if (sourceId !== undefined) return { kind: 'source', sourceId }
  return category === undefined ? { kind: 'all' } : { kind: 'category', category }
}
