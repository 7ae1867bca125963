import { useEffect, useState } from 'react'
import { BASE } from './base.ts'
import { call } from './call.ts'

/** What one request asks for at most, as the operation says. */
const MOST_AT_ONCE = 200
/** Lines of a list appear together, and ask together. */
const GATHER_MS = 20

/** By source; null: it has none, or none yet. */
const paths = new Map<number, string | null>()
const waiting = new Map<number, Set<(path: string | null) => void>>()

/** Where the icon of a source is shown; null: nowhere, or not known yet. */
export function useIcon(sourceId: number | undefined): string | null {
  const [path, setPath] = useState(sourceId === undefined ? null : (paths.get(sourceId) ?? null))
  useEffect(() => {
    if (sourceId === undefined) return
    const known = paths.get(sourceId)
    setPath(known ?? null)
    if (known !== undefined) return
    return wait(sourceId, setPath)
  }, [sourceId])
  return path
}

/** Returns how to stop waiting. */
function wait(sourceId: number, tell: (path: string | null) => void): () => void {
  if (waiting.size === 0) setTimeout(ask, GATHER_MS)
  const listeners = waiting.get(sourceId) ?? new Set()
  waiting.set(sourceId, listeners.add(tell))
  return () => listeners.delete(tell)
}

async function ask(): Promise<void> {
  const listeners = new Map(waiting)
  waiting.clear()
  const ids = [...listeners.keys()]
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const some = ids.slice(at, at + MOST_AT_ONCE)
    // Without an answer there are letters, as before there were icons.
    const { icons } = await call('listIcons', { query: { sources: some.join(',') } }).catch(() => ({ icons: [] }))
    const found = new Map(icons.map(({ sourceId, path }) => [sourceId, path]))
    for (const id of some) {
      const own = found.get(id)
      const path = own === undefined ? null : BASE + own
      paths.set(id, path)
      for (const tell of listeners.get(id) ?? []) tell(path)
    }
  }
}
