import { useEffect, useRef, useState } from 'react'

const UNDO_MS = 10_000

interface Pending {
  readonly words: string
  readonly commit: () => void
  readonly undo: () => void
}

/**
 * Something that is shown as done at once, and done when it can no longer be undone: after ten seconds, with the next
 * such thing, or when the page is left. So an undo is exact, however many items it concerns.
 */
export function useUndo() {
  const pending = useRef<Pending | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [words, setWords] = useState<string | null>(null)
  const take = (): Pending | null => {
    clearTimeout(timer.current)
    const last = pending.current
    pending.current = null
    setWords(null)
    return last
  }
  const settle = () => take()?.commit()
  const begin = (next: Pending) => {
    settle()
    pending.current = next
    setWords(next.words)
    timer.current = setTimeout(settle, UNDO_MS)
  }
  const latest = useRef(settle)
  latest.current = settle
  useEffect(() => {
    const leave = () => latest.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return { words, begin, settle, undo: () => take()?.undo() }
}
