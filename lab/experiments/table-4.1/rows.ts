import type { CycleOutcome } from '../../simulator/cycles.ts'

/** One strategy at one b, means over seeds. */
export interface Row {
  readonly strategy: string
  readonly b: number
  readonly completeness: number
  readonly freshnessBefore: number
  readonly freshnessAfter: number
  readonly cost: number
  /** The 2010 paper's weighted mean. */
  readonly weightedBefore: number
  readonly weightedAfter: number
}

export function rowOf(strategy: string, b: number, outcomes: readonly CycleOutcome[]): Row {
  const mean = (of: (outcome: CycleOutcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
  return {
    strategy,
    b,
    completeness: mean(({ completeness }) => completeness),
    freshnessBefore: mean(({ freshnessBefore }) => freshnessBefore.plain),
    freshnessAfter: mean(({ freshnessAfter }) => freshnessAfter.plain),
    cost: mean(({ cost }) => cost),
    weightedBefore: mean(({ freshnessBefore }) => freshnessBefore.weighted),
    weightedAfter: mean(({ freshnessAfter }) => freshnessAfter.weighted),
  }
}
