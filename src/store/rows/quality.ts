import type { QualityCounts, SourceId } from '../../model/index.ts'

/** The rows of the node itself, and its hour of all time. */
export const NODE: SourceId = 0
export const EVER = -1

const COLUMNS: Readonly<Record<keyof QualityCounts, string>> = {
  requests: 'requests',
  failures: 'failures',
  useful: 'useful',
  unchanged: 'unchanged',
  bytes: 'bytes',
  items: 'items',
  lost: 'lost',
  lostAtLeast: 'lost_at_least',
  lostAtMost: 'lost_at_most',
  repaired: 'repaired',
  saturated: 'saturated',
  delayMs: 'delay_ms',
  guessedDelays: 'guessed_delays',
  watchedMs: 'watched_ms',
  staleMs: 'stale_ms',
}

/** What `quality_hour` adds up, and the columns in the same order. */
export const COUNT_NAMES = Object.keys(COLUMNS) as (keyof QualityCounts)[]
export const COUNT_COLUMNS = COUNT_NAMES.map((name) => COLUMNS[name])

export const SUMS_OF_COUNTS = COUNT_NAMES.map((name) => `coalesce(sum(${COLUMNS[name]}), 0) AS "${name}"`).join(', ')
