import type { InstantMs } from '../../model/index.ts'
import { leastBudgetSteps, type QualityBounds, spreadBudget } from '../../refresh/least-budget.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { AnyPricedStrategy, Budget } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

/** What was found last, for people who look. */
interface LeastBudget {
  readonly wish: QualityBounds
  readonly requestsPerDay: number
  readonly neededPerDay: number
  readonly expected: { readonly meanDelayMs: number; readonly completeness: number }
  readonly at: InstantMs
}

/** null: none was found yet. */
export const LEAST_BUDGET: NamedState<LeastBudget | null> = jsonState('least-budget', null, (stored) =>
  Number.isFinite((stored as LeastBudget).requestsPerDay) ? (stored as LeastBudget) : undefined,
)
/** A forecast walks a week of every source it looks at: so many of them, evenly over the rates of as many as are examined. */
const SAMPLE = 400
const SAMPLED_SOURCES = 4_000

/** Whose budget it is: of a scheduler, or of all that share one (src/cluster/budget-holder.ts). */
export interface BudgetHolder extends Pick<LiveScheduler, 'beliefs' | 'size'> {
  setBudget(...change: Parameters<LiveScheduler['setBudget']>): void | Promise<void>
}

export interface LeastBudgetDeps {
  readonly scheduler: BudgetHolder
  readonly strategy: AnyPricedStrategy
  readonly wish: QualityBounds
  /** Never more than this. */
  readonly most: Budget
  readonly store: Pick<Store, 'saveState'>
  readonly clock: Pick<Clock, 'now'>
  readonly logger: Logger
}

/** Finds the least budget that is believed to give the wished quality of the whole node, and has it spent from now on. */
export async function adjustBudget(deps: LeastBudgetDeps, signal?: AbortSignal): Promise<Budget | null> {
  const { scheduler, strategy, wish, most, store, clock, logger } = deps
  const sample = spreadBudget(strategy, scheduler.beliefs(SAMPLED_SOURCES), SAMPLE, clock.now())
  if (sample.length === 0) return null
  const found = await runInSteps(leastBudgetSteps(strategy, sample, wish, clock.now()), signal)
  if (signal?.aborted) return null
  if (found === null) {
    logger.warn(
      { wish },
      'no budget is believed to give the wished quality with this strategy; the whole budget is spent',
    )
    return null
  }
  const needed = (found.budget.requests * scheduler.size) / sample.length
  const mostPerMs = (most.requests / most.perMs) * found.budget.perMs
  const budget = { requests: Math.min(needed, mostPerMs), perMs: found.budget.perMs }
  await scheduler.setBudget(budget, clock.now(), needed <= mostPerMs ? found.price : null)
  const { meanDelayMs, completeness } = found.forecast
  const perDay = { requestsPerDay: Math.ceil(budget.requests), neededPerDay: Math.ceil(needed) }
  const report = { wish, ...perDay, expected: { meanDelayMs: Math.round(meanDelayMs), completeness } }
  await store.saveState(LEAST_BUDGET, { ...report, at: clock.now() })
  logger.info(report, needed > mostPerMs ? 'the wished quality needs more than the budget' : 'least budget found')
  return budget
}

/** Step by step, with everything else that is ready between two of them: fetching never waits for more than one. */
export async function runInSteps<Result>(steps: Generator<void, Result>, signal?: AbortSignal): Promise<Result | null> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (signal?.aborted) return null
    await new Promise((resolve) => setImmediate(resolve))
  }
}
