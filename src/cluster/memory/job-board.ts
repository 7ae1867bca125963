import type { InstantMs } from '../../model/index.ts'
import { FORGET_JOB_AFTER_MS, JOB_ABANDONED_AFTER_MS, type JobBoard, type PostedJob } from '../job-board.ts'

/** Of one process. */
export function createMemoryJobBoard(now: () => InstantMs): JobBoard {
  const jobs = new Map<string, PostedJob & { readonly postedAt: InstantMs }>()
  return {
    async post(job) {
      const at = now()
      for (const [id, { postedAt }] of jobs) if (postedAt < at - FORGET_JOB_AFTER_MS) jobs.delete(id)
      jobs.set(job.id, { ...job, postedAt: at })
    },
    async find(id, userId) {
      const job = jobs.get(id)
      if (job === undefined || job.userId !== userId || job.postedAt < now() - FORGET_JOB_AFTER_MS) return null
      const { document, postedAt, isOver } = job
      return { document, postedAt, isAbandoned: !isOver && postedAt < now() - JOB_ABANDONED_AFTER_MS }
    },
  }
}
