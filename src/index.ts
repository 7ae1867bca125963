/** What a developer may embed: the parser, estimators, strategies and their scheduler, and the words they speak. */
export type { ParseLimits } from './crawler/parse/limits.ts'
export { type ParseOptions, parseFeed } from './crawler/parse/parse.ts'
export type { Cause, Decision } from './model/decision.ts'
export type { FeedFormat, FeedHints, FeedProblem, ParsedFeed, ParseResult } from './model/feed.ts'
export type { ItemKey, ItemSeq, SourceId } from './model/ids.ts'
export type { Enclosure, ImageSize, Item, ParsedItem, Person } from './model/item.ts'
export type { LossEstimate, Observation } from './model/observation.ts'
export type { Random } from './model/random.ts'
export type { DurationMs, InstantMs } from './model/time.ts'
export type { AnyEstimator, Estimator, IntensityEstimator, Prior } from './refresh/estimator.ts'
export { ESTIMATORS, type EstimatorId } from './refresh/estimators/index.ts'
export {
  type NextCheck,
  Scheduler,
  type SchedulerOptions,
  type SchedulerSource,
  type TakeResult,
} from './refresh/scheduler/scheduler.ts'
export { type ForesightMemory, foresight } from './refresh/strategies/foresight/index.ts'
export { findStrategy, STRATEGIES, type StrategyEntry } from './refresh/strategies/index.ts'
export { uniform } from './refresh/strategies/uniform.ts'
export type { AnyPricedStrategy, Budget, CycleStrategy, PricedStrategy, SourceFacts } from './refresh/strategy.ts'
