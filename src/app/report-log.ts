import { randomSecret } from '../runtime/random.ts'

/** Reports of one writer, as stored: `first` is the number of the first, counted from the start of the process `run`. */
export interface StoredReports<Report> {
  readonly run: string
  readonly first: number
  readonly reports: readonly Report[]
}

/** The last reports of this process, for readers in others. One writer numbers them, so that none is missed or told twice. */
export class ReportLog<Report> {
  readonly #run = randomSecret()
  readonly #most: number
  #reports: Report[] = []
  #first = 0
  #confirmedUpTo = 0

  constructor(most: number) {
    this.#most = most
  }

  note(report: Report): void {
    this.#reports.push(report)
    if (this.#reports.length < 2 * this.#most) return
    this.#first += this.#reports.length - this.#most
    this.#reports = this.#reports.slice(-this.#most)
  }

  /** What has to be stored; null: nothing has come since. */
  pending(): StoredReports<Report> | null {
    if (this.#end === this.#confirmedUpTo) return null
    return { run: this.#run, first: this.#first, reports: [...this.#reports] }
  }

  /** These are stored. */
  confirm({ first, reports }: StoredReports<Report>): void {
    this.#confirmedUpTo = first + reports.length
  }

  /** Forgets the oldest, up to the first that is not old. */
  dropWhile(isOld: (report: Report) => boolean): void {
    const recent = this.#reports.findIndex((report) => !isOld(report))
    const dropped = recent === -1 ? this.#reports.length : recent
    this.#first += dropped
    this.#reports = this.#reports.slice(dropped)
    this.#confirmedUpTo = Math.max(this.#confirmedUpTo, this.#first)
  }

  get #end(): number {
    return this.#first + this.#reports.length
  }
}

/** Reads the logs of others, each report once. */
export class ReportReader<Report> {
  /** How many reports of each writer were read, by its run; null: what is there before the first look is no news. */
  #readUpTo: ReadonlyMap<string, number> | null = null

  news(logs: readonly StoredReports<Report>[]): readonly Report[] {
    const before = this.#readUpTo
    this.#readUpTo = new Map(logs.map(({ run, first, reports }) => [run, first + reports.length]))
    if (before === null) return []
    return logs.flatMap(({ run, first, reports }) => reports.slice(Math.max(0, (before.get(run) ?? first) - first)))
  }

  /** Nobody wants to know for a while. */
  pause(): void {
    this.#readUpTo = null
  }
}

/** Whether it looks like a log; of an unknown form is nothing to be read. */
export function isReportLog(stored: unknown): stored is StoredReports<unknown> {
  const { reports, first, run } = Object(stored)
  return Array.isArray(reports) && Number.isFinite(first) && typeof run === 'string'
}
