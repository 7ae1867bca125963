import type { Series, Table } from '../report/types.ts'

/** What the paper says and whether our run shows it. */
export interface PaperClaim {
  readonly text: string
  readonly holds: boolean
  /** The measured figures the judgement rests on, by name. */
  readonly figures: Readonly<Record<string, number | string>>
}

export interface ExperimentResult {
  readonly tables: readonly Table[]
  readonly series: readonly Series[]
  readonly claims: readonly PaperClaim[]
  /** Where ours differs from the paper, in words. */
  readonly deviations?: readonly string[]
  /** What `--json` prints instead of the whole result, where an experiment has a shape of its own (table-4.1). */
  readonly json?: unknown
}

export interface ExperimentOptions {
  /** How many seeds to average over; an experiment says its usual number. */
  readonly seeds: number
  readonly signal?: AbortSignal
  /** 0 to 1. */
  readonly progress?: (done: number) => void
}

/**
 * An experiment is a golden test: a claim of a paper, a configuration, and an output that the same seeds always give.
 * One folder each, with a README (claim, figure), expected.json and a test that asserts the claim.
 */
export interface Experiment {
  readonly id: string
  readonly title: string
  /** Paper and section, as "thesis 4.4.3, Table 4.1". */
  readonly paper: string
  readonly defaultSeeds: number
  run(options: ExperimentOptions): Promise<ExperimentResult>
}
