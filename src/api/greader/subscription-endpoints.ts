import type { ReaderDeps } from '../readers/deps.ts'
import { notThere, ReaderFailure } from '../readers/failure.ts'
import type { Library } from '../readers/library.ts'
import {
  addSubscription,
  dropSubscription,
  followQueryFeed,
  followSource,
  importList,
  refileSource,
  renameFolder,
} from '../readers/subscribing.ts'
import type { Endpoint, GReaderCall } from './endpoint.ts'
import type { Params } from './params.ts'
import { feedOfLabel, findStream } from './stream-items.ts'
import { parseStream, sourceStream } from './streams.ts'

export const subscriptionEndpoints = {
  'subscription/edit': {
    isChange: true,
    async answer(call, deps) {
      const ids = call.params.all('s')
      if (ids.length === 0) throw new ReaderFailure(400, 's: which subscription?')
      for (const id of ids) await editSubscription(id, call, deps)
      return 'OK'
    },
  },
  'subscription/quickadd': {
    isChange: true,
    async answer({ params, library }, deps) {
      const query = params.get('quickadd') ?? ''
      const url = query.replace(/^feed\//, '')
      if (url.trim() === '') throw new ReaderFailure(400, 'quickadd: which address?')
      const { source } = await addSubscription({ url, name: null, categories: [] }, library, deps)
      const streamName = source.name ?? source.state.title ?? source.url
      return { numResults: 1, query, streamId: sourceStream(source.id), streamName }
    },
  },
  'subscription/import': {
    isChange: true,
    async answer({ body, library }, deps) {
      await importList(body, library, deps)
      return 'OK'
    },
  },
  'rename-tag': {
    isChange: true,
    async answer({ params, library }, deps) {
      const to = labelOf(params.get('dest'), params.get('dest'), library)
      await renameFolder(await folderOf(params, library, deps), to, library.reader, deps)
      return 'OK'
    },
  },
  'disable-tag': {
    isChange: true,
    async answer({ params, library }, deps) {
      const label = labelOf(params.get('s'), params.get('t'), library)
      const feed = (await library.sourcesIn(label)).length > 0 ? null : await feedOfLabel(label, library, deps)
      // A query feed stays what it is: its reader follows it no longer.
      if (feed !== null) await followQueryFeed(feed.feed.name, false, library, deps)
      else await renameFolder(await folderOf(params, library, deps), null, library.reader, deps)
      return 'OK'
    },
  },
} satisfies Readonly<Record<string, Endpoint>>

async function folderOf(params: Params, library: Library, deps: ReaderDeps): Promise<string> {
  const label = labelOf(params.get('s'), params.get('t'), library)
  if ((await library.sourcesIn(label)).length > 0) return label
  if ((await feedOfLabel(label, library, deps)) === null) throw notThere(label)
  throw new ReaderFailure(400, `${label.slice(0, 200)} is a query feed: change it in Headwater`)
}

/** As a stream id, or by its name alone. */
function labelOf(id: string | null, name: string | null, { reader }: Library): string {
  const stream = id === null ? null : parseStream(id, reader.user.id)
  const label = (stream?.kind === 'label' ? stream.label : name)?.trim()
  if (label === undefined || label === '') throw new ReaderFailure(400, 'which label?')
  return label.slice(0, 500)
}

async function editSubscription(id: string, call: GReaderCall, deps: ReaderDeps): Promise<void> {
  const { params, library } = call
  const stream = parseStream(id, library.reader.user.id)
  if (stream === null || stream.kind === 'state' || stream.kind === 'label') throw notThere(id)
  const action = params.get('ac') ?? 'edit'
  const categories = params.all('a').map((label) => labelOf(label, null, library))
  const isNew = stream.kind === 'url' && action === 'subscribe'
  if (isNew) return void (await addSubscription({ url: stream.url, name: params.get('t'), categories }, library, deps))
  const { scope } = await findStream(id, library, deps)
  if (scope.kind === 'feed') return followStream(scope.id, action, library, deps)
  if (scope.kind !== 'source') throw notThere(id)
  if (action === 'unsubscribe') return dropSubscription(scope.sourceId, library, deps)
  if (action === 'subscribe') await followSource(scope.sourceId, library, deps)
  await refile(scope.sourceId, categories, call, deps)
}

async function followStream(feedId: number, action: string, library: Library, deps: ReaderDeps): Promise<void> {
  const feed = (await library.feeds()).find((one) => one.feed.id === feedId)
  if (feed !== undefined && action !== 'edit') {
    await followQueryFeed(feed.feed.name, action === 'subscribe', library, deps)
  }
}

/** Name and folders of a source, where they are to be others. */
async function refile(sourceId: number, added: readonly string[], call: GReaderCall, deps: ReaderDeps): Promise<void> {
  const { params, library } = call
  const source = await deps.store.source(sourceId)
  if (source === null) throw notThere(sourceStream(sourceId))
  const removed = new Set(params.all('r').map((label) => labelOf(label, null, library)))
  const categories = [...new Set([...source.categories.filter((one) => !removed.has(one)), ...added])].sort()
  const name = params.get('t')?.trim() || source.name
  const isSame = name === source.name && categories.join('\n') === [...source.categories].sort().join('\n')
  if (!isSame) await refileSource(sourceId, { name, categories }, library.reader, deps)
}
