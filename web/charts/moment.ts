import { useSyncExternalStore } from 'react'

let moment: number | null = null
const listeners = new Set<() => void>()

/** All charts of a page point at the same moment. */
export function pointAt(next: number | null): void {
  if (next === moment) return
  moment = next
  for (const tell of listeners) tell()
}

export function useMoment(): number | null {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => moment,
  )
}
