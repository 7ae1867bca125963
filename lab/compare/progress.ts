import type { DurationMs } from '../../src/model/index.ts'
import { isOwnPolicy } from './policies.ts'
import type { Task } from './task.ts'

export interface CompareProgress {
  /** Figures measured, found or to come. */
  readonly done: number
  readonly total: number
  /** Of those done, the ones that an earlier run had left. */
  readonly found: number
  /** What is being measured now. */
  readonly running: readonly string[]
  /** From the pace so far; null while nothing is known of it. */
  readonly remainingMs: DurationMs | null
}

/** Says how far it is. The pace is taken by the requests that are simulated, not by the number of figures. */
export class Progress {
  private done: number
  private workDone = 0
  private workLeft = 0
  private readonly running = new Map<Task, string>()

  constructor(
    tasks: readonly Task[],
    private readonly found: number,
    private readonly sourcesOf: (task: Task) => number,
    private readonly elapsedMs: () => DurationMs,
    private readonly tell: (progress: CompareProgress) => void,
  ) {
    this.done = found
    this.total = found + tasks.length
    for (const task of tasks) this.workLeft += this.workOf(task)
    this.say()
  }

  private total: number

  showStart(task: Task, words: string): void {
    this.running.set(task, words)
    this.say()
  }

  ended(task: Task, following: readonly Task[]): void {
    this.running.delete(task)
    this.total += following.length
    for (const each of following) this.workLeft += this.workOf(each)
    const work = this.workOf(task)
    this.workDone += work
    this.workLeft -= work
    this.done++
    this.say()
  }

  private say(): void {
    const { done, total, found } = this
    const remainingMs = this.workDone > 0 ? (this.elapsedMs() * Math.max(0, this.workLeft)) / this.workDone : null
    this.tell({ done, total, found, running: [...this.running.values()], remainingMs })
  }

  private workOf(task: Task): number {
    const refreshes = task.perDay * this.sourcesOf(task)
    return refreshes * (task.kind === 'ours' || isOwnPolicy(task.policy) ? OUR_WORK : 1) + WORK_ANYWAY
  }
}

/** A decision of ours takes about so many times as long as those of the others on average. */
const OUR_WORK = 5
const WORK_ANYWAY = 100
