import { type JobBoard, POST_JOB_EVERY_MS } from '../cluster/job-board.ts'
import type { UserId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError, pageHintOf } from '../runtime/errors.ts'
import { randomSecret } from '../runtime/random.ts'
import { job as jobSchema } from './operations/sources.ts'
import type { Job } from './operations/wire.ts'

type Work = (onProgress: (done: number, total: number) => void) => Promise<unknown>

/**
 * Things that take longer than a request. They live as long as the process that does them, and are found by every process
 * that serves the same people; an hour after their end they are forgotten.
 */
export interface Jobs {
  start(kind: Job['kind'], userId: UserId, work: Work): Promise<Job>
  /** Of its user; null: no such job. One whose process is gone has failed. */
  find(id: string, userId: UserId): Promise<Job | null>
  /** Says of those that are not done that nobody goes on with them. */
  close(): Promise<void>
}

export interface JobDeps {
  readonly clock: Clock
  readonly board: JobBoard
  readonly tell: (job: Job, userId: UserId) => void
  readonly onError?: (error: unknown) => void
}

const TELL_EVERY_MS = 250

interface RunningJob {
  job: Job
  readonly userId: UserId
  /** When it is over, or nobody goes on with it. */
  readonly ending: AbortController
  posting: Promise<void>
}

export function createJobs({ clock, board, tell, onError = () => {} }: JobDeps): Jobs {
  const running = new Map<string, RunningJob>()
  const post = ({ job, userId }: Pick<RunningJob, 'job' | 'userId'>) =>
    board.post({ id: job.id, userId, isOver: job.state !== 'running', document: job })

  /** Until its end is on the board, so that others neither wait for ever nor take it for abandoned. */
  const postUntilOver = async (entry: RunningJob) => {
    for (;;) {
      await clock.sleep(POST_JOB_EVERY_MS, entry.ending.signal)
      const { job, userId } = entry
      const isPosted = await post({ job, userId }).then(
        () => true,
        () => false,
      )
      if (job.state === 'running') continue
      if (isPosted || !running.has(job.id)) break
      await clock.sleep(POST_JOB_EVERY_MS)
    }
    running.delete(entry.job.id)
  }

  const carryOut = (entry: RunningJob, work: Work) => {
    let lastTellMs = Number.NEGATIVE_INFINITY
    const update = (patch: Partial<Job>) => {
      if (entry.job.state !== 'running') return
      entry.job = { ...entry.job, ...patch }
      if (patch.state !== undefined) entry.ending.abort()
      else if (clock.monotonicMs() - lastTellMs < TELL_EVERY_MS) return
      lastTellMs = clock.monotonicMs()
      tell(entry.job, entry.userId)
    }
    work((done, total) => update({ done, total })).then(
      (result) => update({ state: 'done', endedAt: clock.now(), result }),
      (error: unknown) => update({ state: 'failed', endedAt: clock.now(), error: failure(error, onError) }),
    )
  }

  return {
    async start(kind, userId, work) {
      const job = newJob(kind, clock)
      // Where nobody could find it, it does not begin.
      await post({ job, userId })
      const entry: RunningJob = { job, userId, ending: new AbortController(), posting: Promise.resolve() }
      running.set(job.id, entry)
      entry.posting = postUntilOver(entry)
      carryOut(entry, work)
      return job
    },
    async find(id, userId) {
      const own = running.get(id)
      if (own !== undefined) return own.userId === userId ? own.job : null
      const found = await board.find(id, userId)
      const known = jobSchema.safeParse(found?.document)
      if (found === null || !known.success) return null
      return found.isAbandoned ? interrupted(known.data, found.postedAt) : known.data
    },
    async close() {
      const left = [...running.values()]
      running.clear()
      for (const entry of left) {
        if (entry.job.state === 'running') entry.job = interrupted(entry.job, clock.now())
        entry.ending.abort()
      }
      await Promise.all(left.map(({ posting }) => posting))
    },
  }
}

function newJob(kind: Job['kind'], clock: Pick<Clock, 'now'>): Job {
  return {
    id: randomSecret(),
    kind,
    state: 'running',
    done: 0,
    total: null,
    startedAt: clock.now(),
    endedAt: null,
    result: null,
    error: null,
  }
}

function interrupted(job: Job, endedAt: number): Job {
  return { ...job, state: 'failed', endedAt, error: shown(new HeadwaterError('JOB_INTERRUPTED')) }
}

function failure(error: unknown, onError: (error: unknown) => void): NonNullable<Job['error']> {
  const known = error instanceof HeadwaterError ? error : new HeadwaterError('INTERNAL')
  if (known !== error) onError(error)
  return shown(known)
}

function shown({ code, message }: HeadwaterError): NonNullable<Job['error']> {
  return { code, message, hint: pageHintOf(code) }
}
