import { DAY_MS, type DurationMs, MINUTE_MS, type Observation } from '../../model/index.ts'
import type { PricedStrategy } from '../strategy.ts'
import { intervalStrategy } from './interval-policy.ts'

/**
 * advaRSS (Adam, Bouras, Poulopoulos): the system runs every X minutes; a feed is parsed when its countdown ToE is over.
 * M ("median") is how many runs pass between two checks, T ("timer") how many have passed at least since a change.
 */
export interface AdvarssMemory {
  readonly intervalMs: DurationMs
  readonly m: number
  readonly t: number
  /** Largest M allowed now. */
  readonly cap: number
}

// Every 6 to 10 minutes (section II); 8 is the paper's typical X.
export const EXECUTION_MS = 8 * MINUTE_MS
const FIRST_M = 4
const FIRST_T = 1
const LEAST_M = 1
const FIRST_CAP = 25
const LAST_CAP = 640
// "Obtained during the first days": the paper says neither how many nor how the cap then grows. Here it doubles with
// every unchanged check that meets it, once a feed has been known for three days.
const CAP_RESTS_MS = 3 * DAY_MS

export function startAdvarss(toe: number): AdvarssMemory {
  return { intervalMs: toe * EXECUTION_MS, m: FIRST_M, t: FIRST_T, cap: FIRST_CAP }
}

/** Equations 2 to 4 of the paper. (Its "2,4" after the first changed check is a slip: 0.2·4 + 0.8·1 = 1.6.) */
export function nextAdvarss(memory: AdvarssMemory, changed: boolean, mayGrow: boolean): AdvarssMemory {
  const t = changed ? 1 : memory.t + memory.m
  const wished = changed ? 0.2 * memory.m + 0.8 * t : memory.m + 0.3 * memory.t
  const cap = mayGrow && wished > memory.cap ? Math.min(LAST_CAP, 2 * memory.cap) : memory.cap
  const m = Math.min(cap, Math.max(LEAST_M, wished))
  return { intervalMs: Math.ceil(m) * EXECUTION_MS, m, t, cap }
}

const changedBy = (observation: Observation) => observation.newItems > 0

const policy = intervalStrategy<AdvarssMemory>({
  id: 'advarss',
  // ToE begins as 0 to 3, so that the first checks spread over some runs.
  start: (_facts, random) => startAdvarss(Math.floor(random() * 4)),
  observe: (memory, observation, facts) =>
    nextAdvarss(memory, changedBy(observation), observation.at - facts.addedAt >= CAP_RESTS_MS),
  usualMs: 10 * EXECUTION_MS,
  because: 'its M runs of the system have passed',
})

export const advarss: PricedStrategy<AdvarssMemory> = {
  ...policy,
  dueAt: (memory, facts, price) =>
    facts.lastRefreshAt === null ? facts.addedAt + price * memory.intervalMs : policy.dueAt(memory, facts, price),
}
