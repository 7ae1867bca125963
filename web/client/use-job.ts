import { useEffect, useState } from 'react'
import type { Job } from '../../src/api/operations/wire.ts'
import { call } from './call.ts'

const LOOK_EVERY_MS = 400

/** Follows a job to its end. */
export function useJob(job: Job | null): Job | null {
  const [latest, setSeen] = useState<Job | null>(null)
  const id = job?.id ?? null
  useEffect(() => {
    setSeen(null)
    if (id === null) return
    const stop = new AbortController()
    const look = async () => {
      const job = await call('showJob', { params: { id }, signal: stop.signal }).catch(() => null)
      if (stop.signal.aborted) return
      if (job) setSeen(job)
      if (job?.state !== 'done' && job?.state !== 'failed') timer = setTimeout(look, LOOK_EVERY_MS)
    }
    let timer = setTimeout(look, LOOK_EVERY_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [id])
  return latest?.id === id ? latest : job
}
