/** What a developer may embed: the parser, the scheduler with its strategies, and the words they speak. */
export { type ParseOptions, parseFeed } from './crawler/parse/parse.ts'
export type * from './model/index.ts'
export type { Estimator, Prior } from './refresh/estimator.ts'
export {
  type NextCheck,
  Scheduler,
  type SchedulerOptions,
  type SchedulerSource,
  type Taken,
} from './refresh/scheduler/scheduler.ts'
export { uniform } from './refresh/strategies/uniform.ts'
export type { Budget, CycleStrategy, PricedStrategy, SourceFacts } from './refresh/strategy.ts'
