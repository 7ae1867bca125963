import type { FeedAddress } from '../../publisher/addresses.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { ReaderFailure } from '../readers/failure.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { atomStream } from './atom.ts'
import type { Endpoint, GReaderCall } from './endpoint.ts'
import { parseItemId } from './item-ids.ts'
import { type ItemSetting, itemJson } from './item-json.ts'
import { type FoundStream, findStream, foldersBeside, READING_LIST, readStreamPage } from './stream-items.ts'

const MOST_IDS = 10_000
const MOST_CONTENTS = 1_000
const USUAL = 20

/** By the path or by `s`; without one, as Fluent Reader asks, it is all that is followed. */
function streamOf({ rest, params, library }: GReaderCall, deps: ReaderDeps): Promise<FoundStream> {
  return findStream(rest || params.get('s') || READING_LIST, library, deps)
}

async function settingOf({ library }: GReaderCall, deps: ReaderDeps): Promise<ItemSetting> {
  return { following: await library.following(), folders: await foldersBeside(library, deps) }
}

async function contentsOf(call: GReaderCall, deps: ReaderDeps) {
  const { params, library } = call
  const stream = await streamOf(call, deps)
  noteRead(stream, deps)
  const page = await readStreamPage(stream, params, params.count('n', USUAL, MOST_CONTENTS), library, deps)
  const items = await deps.showItems(page.seqs, library)
  return { stream, page, items, setting: await settingOf(call, deps) }
}

/** What is read through an app is read. A single source may be looked at to mend it. */
function noteRead({ scope }: FoundStream, { services }: ReaderDeps): void {
  const address: FeedAddress | null = scope.kind === 'all' ? { kind: 'all' } : null
  if (address !== null) services.noteRead(address)
}

/** Throws 400 for what is no id; what no item has is left to who looks it up. */
export function seqsOf(ids: readonly string[], most: number): number[] {
  if (ids.length > most) throw new ReaderFailure(400, `i: at most ${most} at a time`)
  const seqs = ids.map(parseItemId)
  if (seqs.includes(null)) throw new ReaderFailure(400, 'i: not the id of an item')
  return [...new Set(seqs.filter((seq) => seq !== null))]
}

export const readEndpoints = {
  'stream/items/ids': {
    isText: true,
    async answer(call, deps) {
      const { params, library } = call
      const stream = await streamOf(call, deps)
      noteRead(stream, deps)
      const page = await readStreamPage(stream, params, params.count('n', USUAL, MOST_IDS), library, deps)
      const itemRefs = page.seqs.map((seq) => ({ id: String(seq) }))
      return { itemRefs, ...(page.continuation === null ? {} : { continuation: page.continuation }) }
    },
  },
  'stream/items/count': {
    async answer(call, deps) {
      const { params, library } = call
      const page = await readStreamPage(await streamOf(call, deps), params, MOST_IDS, library, deps)
      return String(page.seqs.length)
    },
  },
  'stream/items/contents': {
    async answer(call, deps) {
      const seqs = seqsOf(call.params.all('i'), MOST_CONTENTS)
      const items = await deps.showItems(seqs, call.library)
      return document('user/-/state/com.google/items', 'Items', items, await settingOf(call, deps), deps)
    },
  },
  'stream/contents': {
    async answer(call, deps) {
      const { stream, page, items, setting } = await contentsOf(call, deps)
      const whole = document(stream.id, stream.title, items, setting, deps)
      return page.continuation === null ? whole : { ...whole, continuation: page.continuation }
    },
  },
} satisfies Readonly<Record<string, Endpoint>>

export const atomEndpoint: Endpoint = {
  async answer(call, deps) {
    const { stream, page, items, setting } = await contentsOf(call, deps)
    const { id, title } = stream
    const updatedAt = newestAt(items)
    const atom = atomStream({ id, title, updatedAt, continuation: page.continuation }, items, setting)
    return { type: 'application/atom+xml; charset=utf-8', document: atom }
  },
}

function newestAt(items: readonly ShownItem[]): number {
  return items.reduce((newest, { item }) => Math.max(newest, item.firstSeenAt), 0)
}

function document(
  id: string,
  title: string,
  items: readonly ShownItem[],
  setting: ItemSetting,
  { feeds }: Pick<ReaderDeps, 'feeds'>,
) {
  return {
    direction: 'ltr',
    id,
    title,
    author: '',
    updated: Math.floor(newestAt(items) / 1_000),
    self: [{ href: `${feeds.baseUrl}/reader/api/0/stream/contents/${encodeURIComponent(id)}` }],
    alternate: [{ href: feeds.baseUrl, type: 'text/html' }],
    items: items.map((item) => itemJson(item, setting)),
  }
}
