import type { Observation } from '../../model/index.ts'
import type { CostUnit } from './types.ts'

/** One unit of the budget in bytes and in time: what a usual answer takes. */
const BYTES_PER_UNIT = 20_000
const MS_PER_UNIT = 500
const LEAST_COST = 0.1
const MOST_COST = 100
/** How much one answer says about the next. */
const COST_ALPHA = 0.2

/** What the next request to a source will cost, from what this one took. */
export function costAfter(unit: CostUnit, cost: number, { bytes, latencyMs }: Observation): number {
  if (unit === 'requests') return cost
  const seen = unit === 'bytes' ? bytes / BYTES_PER_UNIT : latencyMs / MS_PER_UNIT
  return Math.min(MOST_COST, Math.max(LEAST_COST, cost + COST_ALPHA * (seen - cost)))
}
