import { DAY_MS, type DurationMs, type InstantMs, MINUTE_MS, type Observation } from '../../model/index.ts'
import type { CycleSource, CycleStrategy, LearntModel, PricedStrategy, RunInterval, SourceFacts } from '../strategy.ts'
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

/** "A randomly chosen interval between 360 and 600 seconds" (section II); 8 minutes is the paper's typical X. */
const RUN_INTERVAL: RunInterval = { leastMs: 6 * MINUTE_MS, mostMs: 10 * MINUTE_MS }
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
  const nextM = changed ? 0.2 * memory.m + 0.8 * t : memory.m + 0.3 * memory.t
  const cap = mayGrow && nextM > memory.cap ? Math.min(LAST_CAP, 2 * memory.cap) : memory.cap
  const m = Math.min(cap, Math.max(LEAST_M, nextM))
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

/** What is learnt of a source in runs: the same as at a price. */
export const advarssModel: LearntModel<AdvarssMemory> = {
  id: advarss.id,
  start: advarss.start,
  observe: advarss.observe,
  memoryForm: 'advarss/1',
}

/** Runs so far, as far back as a countdown can reach. */
export interface AdvarssRuns {
  readonly budgetPerCycle: number
  /** Ascending. */
  readonly runs: readonly InstantMs[]
}

/**
 * advaRSS as published: every run counts the ToE of all sources down, and those at 0 are parsed. The paper knows no budget;
 * where it is too small for a run, those that have waited longest go first, and the others at the next run.
 */
export const advarssCycle: CycleStrategy<AdvarssMemory, AdvarssRuns> = {
  id: advarss.id,
  runs: RUN_INTERVAL,
  begin: ({ budgetPerCycle }) => ({ budgetPerCycle, runs: [] }),
  withBudget: (state, budgetPerCycle) => ({ ...state, budgetPerCycle }),
  countdown({ runs }, memory, facts) {
    const runsLeft = toeOf(memory, facts) - runsSince(runs, facts)
    const toe = Math.max(0, facts.lastRefreshAt === null ? runsLeft - 1 : runsLeft)
    return { runsLeft: Math.max(1, runsLeft), counts: { M: memory.m, T: memory.t, ToE: toe } }
  },
  select(state, sources, now) {
    const runs = [...state.runs.slice(1 - LAST_CAP), now]
    const overdue = ({ memory, facts }: CycleSource<AdvarssMemory>) => runsSince(runs, facts) - toeOf(memory, facts)
    const due = sources.filter((source) => overdue(source) >= 0)
    due.sort((a, b) => overdue(b) - overdue(a) || a.facts.id - b.facts.id)
    return { state: { ...state, runs }, refresh: within(due, state.budgetPerCycle) }
  },
}

/** A source that was never checked begins at 0 to 3, and 0 is the first run. */
function toeOf({ intervalMs }: AdvarssMemory, { lastRefreshAt }: SourceFacts): number {
  return Math.round(intervalMs / EXECUTION_MS) + (lastRefreshAt === null ? 1 : 0)
}

function runsSince(runs: readonly InstantMs[], { lastRefreshAt, addedAt }: SourceFacts): number {
  const since = lastRefreshAt ?? addedAt
  let first = runs.length
  while (first > 0 && runs[first - 1]! > since) first--
  return runs.length - first
}

function within(sources: readonly CycleSource<AdvarssMemory>[], budget: number): SourceFacts['id'][] {
  const chosen: SourceFacts['id'][] = []
  let spent = 0
  for (const { facts } of sources) {
    if (spent >= budget) break
    chosen.push(facts.id)
    spent += facts.cost
  }
  return chosen
}
