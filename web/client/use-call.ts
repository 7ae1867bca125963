import { useCallback, useEffect, useRef, useState } from 'react'
import type { OperationId } from '../../src/api/operations/index.ts'
import { type Arguments, call, type OperationAnswer } from './call.ts'

export interface CallState<T> {
  /** The last answer; stays while a newer one is on its way. */
  readonly data: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

interface Options {
  /** Ask again after so long, while the page is looked at. */
  readonly everyMs?: number
  /** Do not ask yet. */
  readonly skip?: boolean
}

type State<T> = { readonly key: string; readonly data: T | null; readonly error: unknown; readonly isLoading: boolean }

/** The answer of an operation, kept up to date; requested again whenever the arguments change. */
export function useCall<K extends OperationId>(
  id: K,
  input: Arguments<K>,
  options: Options = {},
): CallState<OperationAnswer<K>> {
  const { everyMs, skip = false } = options
  const key = `${id} ${JSON.stringify(input)}`
  const [state, setState] = useState<State<OperationAnswer<K>>>({ key, data: null, error: null, isLoading: !skip })
  const [turn, setTurn] = useState(0)
  const latest = useRef(input)
  latest.current = input

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the arguments; a turn asks once more
  useEffect(() => {
    if (skip) return
    const stop = new AbortController()
    setState((last) => ({ ...last, key, data: last.key === key ? last.data : null, isLoading: true }))
    const ask = call as (id: K, input: object) => Promise<OperationAnswer<K>>
    ask(id, { ...latest.current, signal: stop.signal }).then(
      (data) => setState({ key, data, error: null, isLoading: false }),
      (error: unknown) => {
        if (!stop.signal.aborted) setState((last) => ({ ...last, error, isLoading: false }))
      },
    )
    return () => stop.abort()
  }, [key, turn, skip])

  const reload = useCallback(() => setTurn((last) => last + 1), [])
  useRepeat(reload, skip ? undefined : everyMs)
  return { data: state.key === key ? state.data : null, error: state.error, isLoading: state.isLoading, reload }
}

/** Again and again while somebody looks at the page; undefined: never. */
function useRepeat(action: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') action()
    }, everyMs)
    return () => clearInterval(timer)
  }, [action, everyMs])
}
