/** One policy at one budget, as `headwater lab compare --json` prints it. */
export interface PolicyRow {
  readonly policy: string
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly medianDelayMinutes: number
  readonly p95DelayMinutes: number
  readonly maxDelayMinutes: number
  readonly deviationMinutes: number
  readonly lostShare: number
  /** The price or factor that met the budget. */
  readonly price: number | null
  /** Why requests differ from the others', where they do. */
  readonly note?: string
}

export interface BudgetRows {
  readonly perDay: number
  readonly policies: readonly PolicyRow[]
}

/** One trace. */
export interface TraceComparison {
  readonly trace: string
  readonly sources: number
  readonly items: number
  readonly window: number
  readonly measuredDays: number
  readonly budgets: readonly BudgetRows[]
}

/** The comparison of the first trace, and of all of them where there are several. */
export interface CompareResult extends TraceComparison {
  readonly traces?: readonly TraceComparison[]
}
