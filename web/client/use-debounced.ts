import { useEffect, useRef } from 'react'

/** Calls the action once, when it has not been called for so long. */
export function useDebounced(action: () => void, waitMs: number): () => void {
  const latest = useRef(action)
  latest.current = action
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(), waitMs)
  }
}
