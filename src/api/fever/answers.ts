import type { ItemSeq, SourceIcon, SourceId } from '../../model/index.ts'
import { titleOrExcerpt } from '../../publisher/present.ts'
import type { ReadingQuery, ReadingScope } from '../../store/reading.ts'
import type { Params } from '../greader/params.ts'
import type { Shelf } from '../miniflux/shelf.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { follows } from '../readers/following.ts'
import { feedNumber } from '../readers/numbers.ts'
import type { ShownItem } from '../readers/shown-items.ts'

/** What Fever gives at most in one answer; its clients ask again until one is empty. */
const ITEMS_PER_ANSWER = 50
/** Clients compare these lists with what they have: one that is cut off looks read. */
const MOST_IDS = 100_000
/** `total_items` only moves a bar. */
const MOST_COUNTED = 10_000

export interface FeverCall {
  readonly shelf: Shelf
  /** All that the user follows. */
  readonly scope: ReadingScope
  readonly params: Params
}

type Answer = (call: FeverCall, deps: ReaderDeps) => Promise<object> | object

/** Each is asked for by a parameter of its name, several at once if wished. */
export const FEVER_ANSWERS: Readonly<Record<string, Answer>> = {
  groups: ({ shelf }) => ({
    groups: shelf.categories.all().map(({ id, title }) => ({ id, title })),
    feeds_groups: feedsByGroup(shelf),
  }),
  feeds: async ({ shelf }, deps) => ({ feeds: await listedFeeds(shelf, deps), feeds_groups: feedsByGroup(shelf) }),
  favicons: async ({ shelf }, { icons }) => ({ favicons: (await icons.pictures(sourceIds(shelf))).map(faviconJson) }),
  // Fever's hot links are no part of reading.
  links: () => ({ links: [] }),
  items: listItems,
  unread_item_ids: async (call, deps) => ({ unread_item_ids: await idsOf(call, { isRead: false }, deps) }),
  saved_item_ids: async (call, deps) => ({ saved_item_ids: await idsOf(call, { isStarred: true }, deps) }),
}

function feedsByGroup(shelf: Shelf): object[] {
  return shelf.categories.all().map(({ id }) => ({
    group_id: id,
    feed_ids: shelf.feedsIn(id).map(numberOf).join(','),
  }))
}

function sourceIds(shelf: Shelf): readonly SourceId[] {
  return shelf.feeds().flatMap((feed) => ('source' in feed ? [feed.source.id] : []))
}

function faviconJson({ sourceId, type, body }: SourceIcon): object {
  return { id: sourceId, data: `${type};base64,${Buffer.from(body).toString('base64')}` }
}

function numberOf(feed: ReturnType<Shelf['feed']>): number {
  return 'source' in feed ? feed.source.id : feedNumber(feed.query.feed.id)
}

async function listedFeeds(shelf: Shelf, { directory, feeds, icons }: ReaderDeps): Promise<object[]> {
  const rows = await directory.byId()
  const paths = await icons.paths(sourceIds(shelf))
  return shelf.feeds().map((feed) => {
    const own = { id: numberOf(feed), favicon_id: 0, is_spark: 0 }
    // 0: its clients draw a letter for it.
    if ('query' in feed) {
      const { title, feed: query } = feed.query
      return { ...own, title, url: `${feeds.baseUrl}/feeds/${query.name}.atom`, site_url: '', last_updated_on_time: 0 }
    }
    const { id, title, url, siteUrl } = feed.source
    const checkedAt = rows.get(id)?.lastCheckAt ?? 0
    const icon = { favicon_id: paths.has(id) ? id : 0 }
    return { ...own, ...icon, title, url, site_url: siteUrl ?? '', last_updated_on_time: Math.floor(checkedAt / 1_000) }
  })
}

async function idsOf({ shelf, scope }: FeverCall, wish: Partial<ReadingQuery>, { store }: ReaderDeps): Promise<string> {
  const query = { scope, ...wish, limit: MOST_IDS }
  return (await store.seqsToRead(shelf.library.reader.user.id, query)).join(',')
}

/** After `since_id` in rising order, before `max_id` in falling order, or those that are named. */
async function listItems(call: FeverCall, deps: ReaderDeps): Promise<object> {
  const { shelf, scope } = call
  const all = await deps.store.seqsToRead(shelf.library.reader.user.id, { scope, limit: MOST_COUNTED })
  const shown = await deps.showItems(await chosenSeqs(call, deps), shelf.library)
  const following = await shelf.library.following()
  const items = shown.map((one) => itemJson(one, follows(following, one.source.id, one.categories)))
  return { total_items: all.length, items }
}

async function chosenSeqs({ params, shelf, scope }: FeverCall, { store }: ReaderDeps): Promise<readonly ItemSeq[]> {
  const named = params.get('with_ids')
  if (named !== null) return named.split(',').flatMap(wholeNumber).slice(0, ITEMS_PER_ANSWER)
  const [since] = wholeNumber(params.get('since_id'))
  const [before] = wholeNumber(params.get('max_id'))
  return store.seqsToRead(shelf.library.reader.user.id, {
    scope,
    limit: ITEMS_PER_ANSWER,
    ...(before === undefined || before === 0 ? { after: since ?? 0, oldestFirst: true } : { before }),
  })
}

/** What is none names nothing; one beyond all is the last there can be. */
export function wholeNumber(text: string | null): number[] {
  return /^\s*\d+\s*$/.test(text ?? '') ? [Math.min(Number(text), Number.MAX_SAFE_INTEGER)] : []
}

/** An item that comes by a query feed alone is of that feed: clients drop items of feeds that they do not list. */
function itemJson({ item, shown, mark, source, feeds }: ShownItem, isFollowed: boolean): object {
  const query = isFollowed ? undefined : feeds.find((feed) => feed.isFollowed)
  return {
    id: item.seq,
    feed_id: query === undefined ? source.id : feedNumber(query.feed.id),
    title: titleOrExcerpt(shown),
    author: shown.authors.map(({ name }) => name).join(', '),
    html: shown.contentHtml ?? shown.summaryHtml ?? '',
    url: shown.link ?? '',
    is_saved: Number(mark.isStarred),
    is_read: Number(mark.isRead),
    created_on_time: Math.floor(shown.publishedAt / 1_000),
  }
}
