import type { Mark } from '../../model/index.ts'
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
      if (isStarred === true) {
        const query = { scope, isStarred, isRead: false, before: upTo + 1, limit: MOST_MARKED }
        await markInParts(await store.seqsToRead(id, query), { isRead: true }, library.reader, store)
      } else await store.markAllRead(id, scope, upTo)
      return 'OK'
    },
  },
} satisfies Readonly<Record<string, Endpoint>>

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
