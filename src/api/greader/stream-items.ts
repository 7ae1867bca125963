import type { ItemSeq } from '../../model/index.ts'
import { MINUTE_MS } from '../../model/index.ts'
import type { ReadingQuery, ReadingScope } from '../../store/reading.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { notThere, ReaderFailure } from '../readers/failure.ts'
import type { Library } from '../readers/library.ts'
import { numberedFeed } from '../readers/numbers.ts'
import type { Params } from './params.ts'
import { feedLabel, parseStream, STATE_PREFIX, type Stream } from './streams.ts'

/** A stream that is there, and that its reader may see. */
export interface FoundStream {
  readonly id: string
  readonly title: string
  readonly scope: ReadingScope
  readonly isRead?: boolean
  readonly isStarred?: boolean
}

export const READING_LIST = `${STATE_PREFIX}reading-list`
const NOTHING: ReadingScope = { kind: 'sources', ids: [], feeds: [] }

/** Throws 404 for what is not there and for what its reader may not see, alike. */
export async function findStream(id: string, library: Library, deps: ReaderDeps): Promise<FoundStream> {
  const stream = parseStream(id, library.reader.user.id)
  const found = stream === null ? null : await lookUp(stream, library, deps)
  if (found === null) throw notThere(id)
  return { id, ...found }
}

async function lookUp(stream: Stream, library: Library, deps: ReaderDeps): Promise<Omit<FoundStream, 'id'> | null> {
  if (stream.kind === 'state') {
    const title = stream.state
    if (stream.state === 'empty') return { title, scope: NOTHING }
    // A star is the user's own, whatever they follow by now.
    if (stream.state === 'starred') return { title, scope: { kind: 'all' }, isStarred: true }
    const scope = await library.scope()
    if (stream.state === 'reading-list') return { title, scope }
    return { title, scope, isRead: stream.state === 'read' }
  }
  if (stream.kind === 'label') return lookUpLabel(stream.label, library, deps)
  if (stream.kind === 'url') {
    const source = await deps.store.sourceByUrl(normalUrl(stream.url, deps))
    return source === null ? null : lookUp({ kind: 'feed', number: source.id }, library, deps)
  }
  return lookUpFeed(stream.number, library, deps)
}

function normalUrl(url: string, { services }: ReaderDeps): string {
  try {
    return services.sources.normalUrl(url)
  } catch {
    return ''
  }
}

async function lookUpFeed(number: number, library: Library, { store }: ReaderDeps) {
  const numbered = numberedFeed(number)
  if ('feedId' in numbered) {
    const known = (await library.feeds()).find(({ feed }) => feed.id === numbered.feedId)
    return known === undefined ? null : { title: known.title, scope: { kind: 'feed' as const, id: known.feed.id } }
  }
  const { sourceId } = numbered
  const source = (await library.seen([sourceId])).has(sourceId) ? await store.source(sourceId) : null
  if (source === null) return null
  return { title: source.name ?? source.state.title ?? source.url, scope: { kind: 'source' as const, sourceId } }
}

/** A folder, else a query feed. */
async function lookUpLabel(label: string, library: Library, deps: ReaderDeps): Promise<Omit<FoundStream, 'id'> | null> {
  const members = await library.sourcesIn(label)
  if (members.length > 0) {
    return { title: label, scope: { kind: 'sources', ids: members.map(({ id }) => id), feeds: [] } }
  }
  const feed = await feedOfLabel(label, library, deps)
  return feed === null ? null : { title: feed.title, scope: { kind: 'feed', id: feed.feed.id } }
}

export async function feedOfLabel(label: string, library: Library, deps: Pick<ReaderDeps, 'store'>) {
  const folders = await foldersBeside(library, deps)
  return (await library.feeds()).find((feed) => feedLabel(feed, folders) === label) ?? null
}

/** Folders that query feeds might be taken for; none where there are no query feeds. */
export async function foldersBeside(
  library: Library,
  { store }: Pick<ReaderDeps, 'store'>,
): Promise<ReadonlySet<string>> {
  if ((await library.feeds()).length === 0) return new Set()
  return new Set((await store.categories()).map(({ category }) => category))
}

/** A refresh is stored some time after it saw its items: who asks for what came since a moment gets some more rather than less. */
const STORED_LATER_MS = 10 * MINUTE_MS

export interface StreamPage {
  readonly seqs: readonly ItemSeq[]
  readonly continuation: string | null
}

/** Numbers of a stream by `n`, `r`, `c`, `ot`, `nt`, `xt` and `it`. */
export async function readStreamPage(
  stream: FoundStream,
  params: Params,
  limit: number,
  library: Library,
  { store }: ReaderDeps,
): Promise<StreamPage> {
  const state = stateOf(stream, params, library)
  if (state === null) return { seqs: [], continuation: null }
  const oldestFirst = params.get('r') === 'o'
  const [since, until] = [params.instant('ot'), params.instant('nt')]
  const place = placeOf(params.get('c'))
  const after = Math.max(
    since === null ? 0 : await store.itemSeqBefore(since - STORED_LATER_MS),
    oldestFirst && place !== null ? place : 0,
  )
  const before = Math.min(
    until === null ? Number.MAX_SAFE_INTEGER : (await store.itemSeqBefore(until + 1)) + 1,
    !oldestFirst && place !== null ? place : Number.MAX_SAFE_INTEGER,
  )
  const query: ReadingQuery = { scope: stream.scope, ...state, after, before, oldestFirst, limit: limit + 1 }
  const seqs = await store.seqsToRead(library.reader.user.id, query)
  return pageOfSeqs(seqs, limit)
}

/** One more than the limit says that there is more. */
function pageOfSeqs(seqs: readonly ItemSeq[], limit: number): StreamPage {
  const page = seqs.slice(0, limit)
  const last = page.at(-1)
  return { seqs: page, continuation: seqs.length > limit && last !== undefined ? String(last) : null }
}

/** A key, never an offset: new items would move what an offset names. */
function placeOf(continuation: string | null): ItemSeq | null {
  if (continuation === null || continuation === '') return null
  if (!/^\d{1,15}$/.test(continuation)) throw new ReaderFailure(400, 'c: not a continuation of this server')
  return Number(continuation)
}

type ReadingState = Pick<ReadingQuery, 'isRead' | 'isStarred'>

/** null: nothing can be both. */
function stateOf(stream: FoundStream, params: Params, { reader }: Library): ReadingState | null {
  const wanted = new Map<'isRead' | 'isStarred', boolean>()
  const demands = [
    ...(stream.isRead === undefined ? [] : [['isRead', stream.isRead] as const]),
    ...(stream.isStarred === undefined ? [] : [['isStarred', stream.isStarred] as const]),
    ...params.all('it').flatMap((id) => demandOf(id, true, reader.user.id)),
    ...params.all('xt').flatMap((id) => demandOf(id, false, reader.user.id)),
  ]
  for (const [name, value] of demands) {
    if ((wanted.get(name) ?? value) !== value) return null
    wanted.set(name, value)
  }
  return Object.fromEntries(wanted)
}

/** Streams other than states restrict nothing. */
function demandOf(id: string, isIncluded: boolean, userId: number): (readonly ['isRead' | 'isStarred', boolean])[] {
  const stream = parseStream(id, userId)
  if (stream?.kind !== 'state') return []
  if (stream.state === 'read') return [['isRead', isIncluded]]
  if (stream.state === 'unread') return [['isRead', !isIncluded]]
  return stream.state === 'starred' ? [['isStarred', isIncluded]] : []
}
