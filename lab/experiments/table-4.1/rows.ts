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
  /** How far the mean of another so many seeds may lie: two standard errors. */
  readonly freshnessBeforeWithin: number
  readonly freshnessAfterWithin: number
}

export function tableRow(strategy: string, b: number, outcomes: readonly CycleOutcome[]): Row {
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
    freshnessBeforeWithin: within(outcomes.map(({ freshnessBefore }) => freshnessBefore.plain)),
    freshnessAfterWithin: within(outcomes.map(({ freshnessAfter }) => freshnessAfter.plain)),
  }
}

function within(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return values.length > 1 ? 2 * Math.sqrt(squares / (values.length - 1) / values.length) : 0
}
