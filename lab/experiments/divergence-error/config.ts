import type { ShapeName } from '../shapes/normalised-source.ts'
import type { DivergenceErrorConfig } from './measure.ts'

/** 7.3.1 and Figure 7.8: three times ten sources, every 30 minutes to every 24 hours. */
export const CONFIG: DivergenceErrorConfig & {
  readonly shapes: readonly ShapeName[]
  readonly refreshHours: readonly number[]
  readonly alphas: readonly number[]
} = {
  shapes: ['peaks', 'uniform', 'waves'],
  sources: 10,
  itemsPerDay: 50,
  // Four weeks, as their data; "after an initial warm up period" of as long, since models start at nothing.
  warmupDays: 28,
  measuredDays: 28,
  refreshHours: [0.5, 1, 2, 4, 6, 8, 12, 16, 20, 24],
  alphas: [0.01, 0.02, 0.05, 0.1, 0.2],
}
