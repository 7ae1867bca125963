import type { DurationMs } from '../model/index.ts'
import { HeadwaterError } from './errors.ts'

/** Long work of one kind, a few at a time; a limited number waits, and who comes then is sent away. */
export interface WorkQueue {
  /**
   * Rejects with NODE_BUSY where the queue is full or its turn does not come in time, with ANSWER_TOO_LATE where the work
   * does not end in time. The work looks at the signal between two steps.
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export interface WorkQueueOptions {
  readonly name: string
  readonly atOnce: number
  readonly mostWaiting: number
  /** For waiting and working together. */
  readonly deadlineMs: DurationMs
}

export function createWorkQueue({ name, atOnce, mostWaiting, deadlineMs }: WorkQueueOptions): WorkQueue {
  const waiting: (() => void)[] = []
  let busy = 0

  const enter = (late: AbortSignal): Promise<void> => {
    if (busy < atOnce) {
      busy += 1
      return Promise.resolve()
    }
    if (waiting.length >= mostWaiting) return Promise.reject(new HeadwaterError('NODE_BUSY', name))
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(go), 1)
        reject(new HeadwaterError('NODE_BUSY', name))
      }
      const go = () => {
        late.removeEventListener('abort', giveUp)
        resolve()
      }
      waiting.push(go)
      late.addEventListener('abort', giveUp, { once: true })
    })
  }
  const leave = () => {
    const next = waiting.shift()
    // The place is passed on, not freed: nobody gets in between.
    if (next === undefined) busy -= 1
    else next()
  }
  return {
    async run(work) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new HeadwaterError('ANSWER_TOO_LATE', name)), deadlineMs)
      timer.unref()
      try {
        await enter(late.signal)
        try {
          return await work(late.signal)
        } finally {
          leave()
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
