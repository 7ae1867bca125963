import { useRef, useState } from 'react'
import type { TableData } from './table-data.ts'

/** Sources that something is to be done with. Shift ticks all between. */
export function useTicks(data: TableData, order: Uint32Array) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const tick = (id: number, isTicked: boolean, withRange: boolean) => {
    const shown = Array.from(order, (at) => data.columns.id[at] ?? 0)
    const [from, to] = [withRange && last.current !== null ? shown.indexOf(last.current) : -1, shown.indexOf(id)]
    const ids = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
    last.current = id
    setTicked((before) => {
      const next = new Set(before)
      for (const one of ids) {
        if (isTicked) next.add(one)
        else next.delete(one)
      }
      return next
    })
  }
  return { ticked, tick, clear: () => setTicked(new Set()) }
}
