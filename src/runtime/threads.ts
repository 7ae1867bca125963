import { parentPort, type ResourceLimits, type Worker } from 'node:worker_threads'
import { ERRORS, type ErrorCode, HeadwaterError } from './errors.ts'
import { startThread } from './start-thread.ts'

/*
 * What takes long runs in a thread beside the event loop: searches, previews, checks of backups. A pool has few threads,
 * started when they are needed and ended when idle for a while, and a queue of limited length. A caller waits no
 * longer than the deadline, for the queue and the answer together; a thread that is then still at it is ended, because
 * nothing else stops SQLite or an expression, and another one takes its place.
 */

export interface AskOptions {
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

export interface ThreadPool<Question, Answer> {
  /** Rejects with NODE_BUSY where the queue is full, with ANSWER_TOO_LATE at the deadline. */
  ask(question: Question, options?: AskOptions): Promise<Answer>
  close(): Promise<void>
}

export interface ThreadPoolOptions<Question, Answer> {
  readonly name: string
  /** A module that calls `answerInThread`. */
  readonly module: URL
  /** What a thread begins with. */
  readonly data: unknown
  readonly threads?: number
  readonly mostWaiting: number
  readonly deadlineMs: number
  /**
   * When the time until the deadline begins: with the question (the usual), or when a thread begins with it, so that a long queue
   * costs nobody their answer.
   */
  readonly deadlineFrom?: 'question' | 'beginning'
  /** Beyond them a thread is ended, and what it is at fails; another one takes its place. */
  readonly resourceLimits?: ResourceLimits
  /** A thread without work ends after so long. */
  readonly idleMs?: number
  /** What a thread sends without a request. */
  readonly onNotice?: (notice: unknown) => void
  /** For a program that runs from its sources, where a thread takes a second to start. null: then it does start one. */
  readonly here: ((question: Question, signal: AbortSignal) => Promise<Answer>) | null
}

type ToThread<Question> = { readonly id: number; readonly question: Question } | { readonly cancel: number }

type FromThread<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: { readonly code: ErrorCode | null; readonly message: string } }
  | { readonly notice: unknown }
  /** Its modules are loaded. */
  | { readonly isReady: true }

const USUAL_IDLE_MS = 60_000

interface ThreadTask<Question, Answer> {
  readonly id: number
  readonly question: Question
  readonly signal: AbortSignal | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  /** A thread begins with it. */
  readonly begin: () => void
  /** Answered, given up or too late. */
  isOver: boolean
}

export function createThreadPool<Question, Answer>(
  options: ThreadPoolOptions<Question, Answer>,
): ThreadPool<Question, Answer> {
  const { threads = 1, mostWaiting, deadlineMs, deadlineFrom = 'question', idleMs = USUAL_IDLE_MS } = options
  const isCompiled = options.module.href.endsWith('.js')
  const { here } = options
  const newLane = () => (isCompiled || here === null ? threadWorker(options) : localWorker<Question, Answer>(here))
  const waiting: ThreadTask<Question, Answer>[] = []
  const lanes = Array.from({ length: threads }, newLane)
  const busy = new Set<WorkerLane<Question, Answer>>()
  let lastId = 0
  let isClosed = false

  const next = () => {
    const lane = lanes.find((one) => !busy.has(one))
    const task = lane === undefined ? undefined : waiting.shift()
    if (lane === undefined || task === undefined) return
    if (task.isOver) return next()
    busy.add(lane)
    lane.run(task, () => {
      busy.delete(lane)
      lane.restFor(idleMs)
      next()
    })
    next()
  }

  return {
    ask(question, { signal } = {}) {
      if (isClosed) return Promise.reject(new HeadwaterError('NODE_BUSY', 'the node is stopping'))
      if (waiting.length >= mostWaiting) return Promise.reject(new HeadwaterError('NODE_BUSY', options.name))
      return new Promise<Answer>((resolve, reject) => {
        const settle = () => {
          task.isOver = true
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
        }
        const task: ThreadTask<Question, Answer> = {
          id: ++lastId,
          question,
          signal,
          isOver: false,
          resolve(answer) {
            settle()
            resolve(answer)
          },
          reject(error) {
            settle()
            reject(error)
          },
          begin() {
            if (deadlineFrom === 'beginning') startTimer()
          },
        }
        const leaveQueue = () => {
          const index = waiting.indexOf(task)
          if (index !== -1) waiting.splice(index, 1)
          return index !== -1
        }
        const giveUp = () => {
          if (!leaveQueue()) for (const lane of lanes) lane.cancel(task.id)
          task.reject(new HeadwaterError('INTERRUPTED', 'nobody waits for the answer'))
        }
        const beLate = () => {
          const hasBegun = !leaveQueue()
          task.reject(new HeadwaterError(hasBegun ? 'ANSWER_TOO_LATE' : 'NODE_BUSY', options.name))
          if (hasBegun) for (const lane of lanes) lane.abandon(task.id)
        }
        let timer: NodeJS.Timeout | undefined
        const startTimer = () => {
          timer = setTimeout(beLate, deadlineMs).unref()
        }
        if (deadlineFrom === 'question') startTimer()
        if (signal?.aborted) return giveUp()
        signal?.addEventListener('abort', giveUp, { once: true })
        waiting.push(task)
        next()
      })
    },
    async close() {
      isClosed = true
      for (const task of waiting.splice(0)) task.reject(new HeadwaterError('NODE_BUSY', 'the node is stopping'))
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

/** Answers one question at a time. */
interface WorkerLane<Question, Answer> {
  run(task: ThreadTask<Question, Answer>, done: () => void): void
  cancel(id: number): void
  /** Ends what is under way, whatever it is at. */
  abandon(id: number): void
  restFor(ms: number): void
  close(): Promise<void>
}

function threadWorker<Question, Answer>({
  module,
  data,
  resourceLimits,
  onNotice,
}: ThreadPoolOptions<Question, Answer>): WorkerLane<Question, Answer> {
  let worker: Worker | null = null
  let isReady = false
  let current: { readonly task: ThreadTask<Question, Answer>; readonly done: () => void } | null = null
  let resting: NodeJS.Timeout | undefined

  const finish = () => {
    const ended = current
    current = null
    worker?.unref()
    ended?.done()
  }
  const end = (): Promise<unknown> => {
    const ended = worker
    worker = null
    return ended?.terminate() ?? Promise.resolve()
  }
  const begin = (): Worker => {
    const limits = resourceLimits === undefined ? {} : { resourceLimits }
    const newWorker = startThread(module, { workerData: data, ...limits })
    isReady = false
    newWorker.on('message', (message: FromThread<Answer>) => {
      if (worker !== newWorker) return
      if ('isReady' in message) {
        isReady = true
        return current?.task.begin()
      }
      if ('notice' in message) return onNotice?.(message.notice)
      if (current?.task.id !== message.id) return
      const { task } = current
      if ('answer' in message) task.resolve(message.answer)
      else task.reject(errorOf(message.failure))
      finish()
    })
    const broken = (error: unknown) => {
      if (worker === newWorker) worker = null
      if (worker !== null) return
      current?.task.reject(new Error('a thread ended before its answer', { cause: error }))
      finish()
    }
    newWorker.on('error', broken)
    newWorker.on('exit', (code) => broken(new Error(`exit ${code}`)))
    return newWorker
  }
  return {
    run(task, done) {
      clearTimeout(resting)
      current = { task, done }
      worker ??= begin()
      // A command that has done its work does not wait for a thread that has none.
      worker.ref()
      if (isReady) task.begin()
      worker.postMessage({ id: task.id, question: task.question } satisfies ToThread<Question>)
    },
    cancel(id) {
      if (current?.task.id === id) worker?.postMessage({ cancel: id } satisfies ToThread<Question>)
    },
    abandon(id) {
      if (current?.task.id !== id) return
      void end()
      finish()
    },
    restFor(ms) {
      clearTimeout(resting)
      resting = setTimeout(() => {
        if (current === null) void end()
      }, ms)
      resting.unref()
    },
    async close() {
      clearTimeout(resting)
      current?.task.reject(new HeadwaterError('NODE_BUSY', 'the node is stopping'))
      current = null
      await end()
    },
  }
}

function errorOf({ code, message }: { readonly code: ErrorCode | null; readonly message: string }): Error {
  if (code === null) return new Error(message)
  // The summary is before the detail already.
  const { summary } = ERRORS[code]
  return new HeadwaterError(code, message === summary ? undefined : message.replace(`${summary}: `, ''))
}

function localWorker<Question, Answer>(
  here: (question: Question, signal: AbortSignal) => Promise<Answer>,
): WorkerLane<Question, Answer> {
  let current: { readonly id: number; readonly stopping: AbortController; readonly done: () => void } | null = null
  const finish = (id: number) => {
    if (current?.id !== id) return
    const { done } = current
    current = null
    done()
  }
  const cancel = (id: number) => {
    if (current?.id === id) current.stopping.abort()
  }
  return {
    run(task, done) {
      const stopping = new AbortController()
      current = { id: task.id, stopping, done }
      task.begin()
      here(task.question, stopping.signal)
        .then(task.resolve, task.reject)
        .finally(() => finish(task.id))
    },
    cancel,
    abandon: cancel,
    restFor() {},
    async close() {
      current?.stopping.abort()
    },
  }
}

/** In the thread: answers requests, one at a time as the pool sends them. */
export function answerInThread<Question, Answer>(
  answer: (question: Question, signal: AbortSignal) => Promise<Answer> | Answer,
): void {
  const under = new Map<number, AbortController>()
  parentPort!.postMessage({ isReady: true })
  parentPort!.on('message', async (message: ToThread<Question>) => {
    if ('cancel' in message) return under.get(message.cancel)?.abort()
    const { id, question } = message
    const stopping = new AbortController()
    under.set(id, stopping)
    try {
      parentPort!.postMessage({ id, answer: await answer(question, stopping.signal) })
    } catch (error) {
      const code = error instanceof HeadwaterError ? error.code : null
      const text =
        error instanceof Error ? (code === null ? (error.stack ?? error.message) : error.message) : String(error)
      parentPort!.postMessage({ id, failure: { code, message: text } })
    } finally {
      under.delete(id)
    }
  })
}

/** In the thread: sends something without a request. */
export function notice(value: unknown, transfer: readonly ArrayBuffer[] = []): void {
  parentPort!.postMessage({ notice: value }, [...transfer])
}
