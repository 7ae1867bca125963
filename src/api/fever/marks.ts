import type { Mark } from '../../model/index.ts'
import type { ReadingScope } from '../../store/reading.ts'
import type { ReaderDeps } from '../readers/deps.ts'
import { type FeverCall, wholeNumber } from './answers.ts'

const ITEM_MARKS: Readonly<Record<string, Partial<Mark>>> = {
  read: { isRead: true },
  unread: { isRead: false },
  saved: { isStarred: true },
  unsaved: { isStarred: false },
}

/** Carries out what a request says and returns which lists have changed; what cannot be done changes none, as in Fever. */
export async function markByFever(call: FeverCall, deps: ReaderDeps): Promise<readonly string[]> {
  const { params, shelf } = call
  const [what, as] = [params.get('mark'), params.get('as') ?? '']
  const [id] = wholeNumber(params.get('id'))
  const { user } = shelf.library.reader
  if (what === 'item') {
    const mark = Object.hasOwn(ITEM_MARKS, as) ? ITEM_MARKS[as] : undefined
    if (id === undefined || mark === undefined) return []
    await deps.store.markItems(user.id, [id], mark)
    return [mark.isStarred === undefined ? 'unread_item_ids' : 'saved_item_ids']
  }
  const scope = as === 'read' && id !== undefined ? scopeOf(what, id, call) : null
  if (scope === null) return []
  await deps.store.markAllRead(user.id, scope, await lastMarked(call, deps))
  return ['unread_item_ids']
}

/** Group 0 is everything; null: nothing of this user. */
function scopeOf(what: string | null, id: number, { shelf, scope }: FeverCall): ReadingScope | null {
  if (what === 'group' && id === 0) return scope
  const feed = what === 'feed' ? shelf.findFeed(id) : null
  if (feed !== null) return shelf.scopeOf([feed])
  return what === 'group' && shelf.categories.find(id) !== null ? shelf.scopeOf(shelf.feedsIn(id)) : null
}

/** Not what arrived after the list that was looked at. */
async function lastMarked({ params }: FeverCall, { store }: ReaderDeps): Promise<number> {
  const before = params.instant('before')
  return before === null ? store.lastItemSeq() : store.itemSeqBefore(Math.floor(before) + 1)
}
