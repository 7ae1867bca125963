import type { z } from 'zod'
import { HOUR_MS, type UserId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError, pageHintOf } from '../runtime/errors.ts'
import { randomSecret } from '../runtime/random.ts'
import type { job } from './operations/sources.ts'

export type Job = z.infer<typeof job>

/** Things that take longer than a request; they live as long as the process, and an hour after their end. */
export interface Jobs {
  start(
    kind: Job['kind'],
    userId: UserId,
    work: (onProgress: (done: number, total: number) => void) => Promise<unknown>,
  ): Job
  /** Of its user; null: no such job. */
  find(id: string, userId: UserId): Job | null
}

const KEEP_MS = HOUR_MS
const TELL_EVERY_MS = 250

export function createJobs(
  clock: Clock,
  tell: (job: Job, userId: UserId) => void,
  onError: (error: unknown) => void = () => {},
): Jobs {
  const jobs = new Map<string, { job: Job; readonly userId: UserId }>()
  const forgetOld = () => {
    for (const [id, { job }] of jobs) if ((job.endedAt ?? clock.now()) < clock.now() - KEEP_MS) jobs.delete(id)
  }
  return {
    start(kind, userId, work) {
      forgetOld()
      const id = randomSecret()
      const startedAt = clock.now()
      const first: Job = {
        id,
        kind,
        state: 'running',
        done: 0,
        total: null,
        startedAt,
        endedAt: null,
        result: null,
        error: null,
      }
      const entry = { job: first, userId }
      jobs.set(id, entry)
      let sentAt = Number.NEGATIVE_INFINITY
      const update = (patch: Partial<Job>) => {
        entry.job = { ...entry.job, ...patch }
        if (patch.state === undefined && clock.monotonicMs() - sentAt < TELL_EVERY_MS) return
        sentAt = clock.monotonicMs()
        tell(entry.job, userId)
      }
      work((done, total) => update({ done, total })).then(
        (result) => update({ state: 'done', endedAt: clock.now(), result }),
        (error: unknown) => update({ state: 'failed', endedAt: clock.now(), error: failure(error, onError) }),
      )
      return first
    },
    find(id, userId) {
      const entry = jobs.get(id)
      return entry === undefined || entry.userId !== userId ? null : entry.job
    },
  }
}

function failure(error: unknown, onError: (error: unknown) => void): NonNullable<Job['error']> {
  const known = error instanceof HeadwaterError ? error : new HeadwaterError('INTERNAL')
  if (known !== error) onError(error)
  return { code: known.code, message: known.message, hint: pageHintOf(known.code) }
}
