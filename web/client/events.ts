import { useEffect, useRef } from 'react'
import type { Job } from '../../src/api/operations/wire.ts'
import { linkTo } from './call.ts'

/** What the node sends without a request. */
export interface NodeEvents {
  readonly refresh: { sourceId: number; at: number; newItems: number; error: string | null }
  readonly items: { count: number; sourceIds: number[] }
  readonly job: Job
  readonly queries: Record<string, never>
  readonly alarms: Record<string, never>
}

type Kind = keyof NodeEvents
const KINDS: readonly Kind[] = ['refresh', 'items', 'job', 'queries', 'alarms']
const listeners = new Map<Kind, Set<(event: never) => void>>(KINDS.map((kind) => [kind, new Set()]))
let source: EventSource | null = null

/** One stream for the whole page: a browser keeps few connections to a host. It opens with the first listener. */
function listen<K extends Kind>(kind: K, hear: (event: NodeEvents[K]) => void): () => void {
  const all = listeners.get(kind)
  all?.add(hear as (event: never) => void)
  open()
  return () => {
    all?.delete(hear as (event: never) => void)
    if ([...listeners.values()].every((set) => set.size === 0)) close()
  }
}

function open(): void {
  if (source !== null) return
  source = new EventSource(linkTo('events'))
  for (const kind of KINDS) {
    source.addEventListener(kind, (event: MessageEvent<string>) => {
      const message: unknown = JSON.parse(event.data)
      for (const hear of listeners.get(kind) ?? []) (hear as (event: unknown) => void)(message)
    })
  }
}

function close(): void {
  source?.close()
  source = null
}

export function useEvent<K extends Kind>(kind: K, hear: (event: NodeEvents[K]) => void): void {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => listen(kind, (event) => latest.current(event)), [kind])
}

/** Calls `act` soon after an event, but not more often than once in `everyMs`. */
export function useEventThrottled(kind: Kind, everyMs: number, act: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const latest = useRef(act)
  latest.current = act
  useEvent(kind, () => {
    if (timer.current !== null) return
    timer.current = setTimeout(() => {
      timer.current = null
      if (document.visibilityState === 'visible') latest.current()
    }, everyMs)
  })
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
}
