/** Thesis 4.4.1 and the parameter table of the 2010 paper. */
export const BUDGETS = [10, 30, 50] as const
/** Figures 4.2 and 4.3: b in (0, 100], as many sources as there are; of fewer seeds, since a curve shows its own noise. */
export const CURVE_BUDGETS: readonly number[] = [1, 2, 5, 10, 15, 22, 30, 40, 50, 60, 80, 100]
export const CURVE_SEEDS = 4
export const WARMUP_CYCLES = 200
export const CYCLES = 100

/** What is printed: thesis Table 4.1; topKUtility from Table 2 of the 2010 paper. */
export interface PublishedFigures {
  readonly completeness: number
  readonly freshness: number
  /** Where the 2010 paper prints another freshness than the thesis. */
  readonly freshness2010?: number
  readonly cost: number
}

export const PUBLISHED_FIGURES: Readonly<
  Record<string, readonly [PublishedFigures, PublishedFigures, PublishedFigures]>
> = {
  'two-steps': [
    { completeness: 0.4954, freshness: 0.3671, cost: 1000 },
    { completeness: 0.8691, freshness: 0.7279, cost: 2854 },
    { completeness: 0.9781, freshness: 0.9187, freshness2010: 0.8762, cost: 4700 },
  ],
  'only-tau': [
    { completeness: 0.4252, freshness: 0.4197, cost: 982 },
    { completeness: 0.8524, freshness: 0.7048, cost: 2860 },
    { completeness: 0.9759, freshness: 0.9155, freshness2010: 0.8731, cost: 4762 },
  ],
  'top-k-utility': [
    { completeness: 0.416, freshness: 0.422, cost: 1000 },
    { completeness: 0.8671, freshness: 0.72, cost: 3000 },
    { completeness: 0.9793, freshness: 0.8868, cost: 5000 },
  ],
  'only-sat': [
    { completeness: 0.4934, freshness: 0.3671, cost: 1000 },
    { completeness: 0.8082, freshness: 0.659, cost: 2516 },
    { completeness: 0.8091, freshness: 0.6625, cost: 2524 },
  ],
  uniform: [
    { completeness: 0.2682, freshness: 0.362, cost: 1000 },
    { completeness: 0.6625, freshness: 0.6398, cost: 3000 },
    { completeness: 0.8871, freshness: 0.7863, cost: 5000 },
  ],
}
