/** `import { parseQuery, Matcher } from 'headwater/query'` */
export {
  type FeedArrival,
  type FeedMatch,
  type NeededWindow,
  QueryEngine,
  type QueryEngineOptions,
} from './engine.ts'
export { type Arrival, type DetectLanguage, type MatchItem, type MatchSource, NO_SOURCE } from './item/arrival.ts'
export { loadLanguageDetector } from './item/language.ts'
export type * from './language/ast.ts'
export { type Catalog, EMPTY_CATALOG } from './language/catalog.ts'
export { checkStatements } from './language/check.ts'
export {
  formatQueryError,
  QUERY_ERRORS,
  type QueryError,
  type QueryErrorCode,
  type TextSpan,
} from './language/errors.ts'
export { type ParseOutcome, parseQuery, parseStatements } from './language/parse.ts'
export { printCondition, printQuery, printStatement, printStatements } from './language/print.ts'
export { type MatchCost, Matcher, type MatcherOptions, type MatcherSize } from './match/matcher.ts'
export type { Accept } from './match/round.ts'
