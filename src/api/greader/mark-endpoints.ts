import type { ItemSeq, Mark } from '../../model/index.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { Reader } from '../readers/app-door.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { ReaderFailure } from '../readers/failure.ts'
import { markInParts } from '../readers/marking.ts'
import type { Endpoint } from './endpoint.ts'
import { seqsOf } from './read-endpoints.ts'
import { findStream } from './stream-items.ts'
import { parseStream } from './streams.ts'

const MOST_MARKED = 10_000

export const markEndpoints = {
  'edit-tag': {
    isChange: true,
    async answer({ params, library }, { store }) {
      const seqs = seqsOf(params.all('i'), MOST_MARKED)
      const { id } = library.reader.user
      const mark = { ...changes(params.all('r'), false, id), ...changes(params.all('a'), true, id) }
      if (Object.keys(mark).length > 0) await markInParts(seqs, mark, library.reader, store)
      return 'OK'
    },
  },
  'mark-all-as-read': {
    isChange: true,
    async answer({ params, library }, deps) {
      const { store } = deps
      const named = params.get('s')
      if (named === null || named === '') throw new ReaderFailure(400, 's: which stream?')
      const until = params.instant('ts')
      const { scope, isStarred } = await findStream(named, library, deps)
      const { id } = library.reader.user
      // Not what arrived after the list that was looked at.
      const upTo = until === null ? await store.lastItemSeq() : await store.itemSeqBefore(Math.floor(until) + 1)
      if (isStarred === true) await readStarred(scope, upTo, library.reader, deps)
      else await store.markAllRead(id, scope, upTo)
      return 'OK'
    },
  },
} satisfies Readonly<Record<string, Endpoint>>

/** Stars are marks of single items, however many. */
async function readStarred(scope: ReadingScope, upTo: ItemSeq, reader: Reader, { store }: ReaderDeps): Promise<void> {
  for (let before = upTo + 1; ; ) {
    const query = { scope, isStarred: true, isRead: false, before, limit: MOST_MARKED }
    const seqs = await store.seqsToRead(reader.user.id, query)
    await markInParts(seqs, { isRead: true }, reader, store)
    const last = seqs.at(-1)
    if (last === undefined || seqs.length < MOST_MARKED) return
    before = last
  }
}

/** `kept-unread` is what Google called unread on purpose. Labels of single items are not kept here, and that is said. */
function changes(tags: readonly string[], isAdded: boolean, userId: number): Partial<Mark> {
  let mark: Partial<Mark> = {}
  for (const tag of tags) {
    const stream = parseStream(tag, userId)
    if (stream?.kind !== 'state') throw new ReaderFailure(400, `${tag.slice(0, 200)}: items are read or starred here`)
    if (stream.state === 'read') mark = { ...mark, isRead: isAdded }
    else if (stream.state === 'starred') mark = { ...mark, isStarred: isAdded }
    else if (stream.state === 'unread' && isAdded) mark = { isRead: false, ...mark }
  }
  return mark
}
