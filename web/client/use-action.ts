import { useCallback, useState } from 'react'

export interface Action<A extends unknown[]> {
  readonly run: (...args: A) => Promise<boolean>
  readonly isRunning: boolean
  readonly error: unknown
}

/** Something a person starts: while it runs it cannot be started again, and its failure stays to be shown. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = useCallback(
    async (...args: A) => {
      setRunning(true)
      setError(null)
      try {
        await act(...args)
        return true
      } catch (failure) {
        setError(failure)
        return false
      } finally {
        setRunning(false)
      }
    },
    [act],
  )
  return { run, isRunning, error }
}
