import { useCallback, useEffect, useRef, useState } from 'react'
import type { ItemRow } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { t } from '../../language/current.ts'
import { queryOf, type Scope } from './scope.ts'
import type { Order } from './use-taste.ts'

export interface Items {
  readonly items: readonly ItemRow[]
  readonly isLoading: boolean
  readonly error: unknown
  readonly hasMore: boolean
  /** How many a search finds; null: nothing is searched for, or it is not known yet. */
  readonly found: { readonly items: number; readonly isAll: boolean } | null
  readonly loadMore: () => void
  readonly reload: () => void
  /** Marks at once, and sends it to the node; if that refuses, everything is read again. */
  readonly mark: (seqs: readonly number[], change: Marks) => void
  /** Shows all as read; the node is told by `commit`, and `undo` shows it as it was. */
  readonly markAllRead: () => MarkedAll
}

interface MarkedAll {
  readonly words: string
  readonly commit: () => Promise<void>
  readonly undo: () => void
}

export interface Marks {
  readonly isRead?: boolean
  readonly isStarred?: boolean
}

const PAGE = 50

/** `onMarked`: the node has taken a mark, so that counts differ. */
export function useItems(scope: Scope, order: Order, onMarked: () => void): Items {
  const [items, setItems] = useState<readonly ItemRow[]>([])
  const [next, setNext] = useState<string | null>(null)
  const [found, setFound] = useState<Items['found']>(null)
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  /** The last item that the node had when the list was begun: what came later was not seen. */
  const lastSeq = useRef(0)
  const key = JSON.stringify([scope, order])
  const request = useRef<AbortController | null>(null)

  const ask = useCallback(async (of: Scope, by: Order, cursor: string | null) => {
    request.current?.abort()
    const stop = new AbortController()
    request.current = stop
    setLoading(true)
    try {
      const query = {
        ...queryOf(of),
        ...(by === 'oldest' && { order: by }),
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
      }
      const page = await call('listItems', { query, signal: stop.signal })
      setItems((last) => (cursor === null ? page.items : [...last, ...page.items]))
      setNext(page.next)
      if (cursor === null) {
        lastSeq.current = page.lastSeq
        setFound(page.found)
      }
      setError(null)
      setLoading(false)
    } catch (failure) {
      if (stop.signal.aborted) return
      setError(failure)
      setLoading(false)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the scope; a turn asks once more
  useEffect(() => {
    setItems([])
    setFound(null)
    ask(scope, order, null)
    return () => request.current?.abort()
  }, [key, turn])

  const reload = () => setTurn((last) => last + 1)
  const mark = (seqs: readonly number[], change: Marks) => {
    const chosen = new Set(seqs)
    setItems((last) => last.map((item) => (chosen.has(item.seq) ? { ...item, ...change } : item)))
    call('markItems', { body: { seqs: [...seqs].slice(0, MARKED_AT_ONCE), ...change } }).then(onMarked, reload)
  }
  const markAllRead = (): MarkedAll => {
    const unread = new Set(items.filter(({ isRead }) => !isRead).map(({ seq }) => seq))
    const upTo = lastSeq.current
    setItems((last) => last.map((item) => ({ ...item, isRead: true })))
    // What was searched for or starred is no feed: of it only what is shown is marked.
    const isShownAlone = scope.text !== undefined || scope.starred === true
    return {
      words: isShownAlone ? t.read.markedRead({ items: t.common.items({ n: items.length }) }) : t.read.allMarkedRead,
      commit: async () => {
        if (isShownAlone) await markShown(items)
        else if (upTo > 0) await call('markAllRead', { body: { ...whichOf(scope), upTo }, outlivesPage: true })
      },
      undo: () => setItems((last) => last.map((item) => (unread.has(item.seq) ? { ...item, isRead: false } : item))),
    }
  }
  const loadMore = () => {
    if (!isLoading && next !== null) ask(scope, order, next)
  }
  return { items, isLoading, error, hasMore: next !== null, found, loadMore, reload, mark, markAllRead }
}

function whichOf({ feed, category, sourceId }: Scope) {
  if (feed !== undefined) return { feed }
  if (category !== undefined) return { category }
  return sourceId === undefined ? {} : { sourceId }
}

const MARKED_AT_ONCE = 500

async function markShown(items: readonly ItemRow[]): Promise<void> {
  for (let at = 0; at < items.length; at += MARKED_AT_ONCE) {
    const seqs = items.slice(at, at + MARKED_AT_ONCE).map(({ seq }) => seq)
    await call('markItems', { body: { seqs, isRead: true } })
  }
}
