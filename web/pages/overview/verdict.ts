import type { Overview } from '../../../src/api/operations/wire.ts'
import { rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

const DAY_MS = 86_400_000
const PERIOD_MS: Readonly<Record<Overview['over'], number>> = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS }
const TOO_MUCH = 1.05
/** An hour of a small budget is a handful of requests: one or two more are chance. */
const LEAST_EXCESS_PER_MINUTE = 2 / 60
/** New sources are all refreshed at once: the first minutes say nothing about the budget, which holds over an hour. */
const LONG_ENOUGH_MS = 30 * 60_000

/** Below this nobody would say that all is well. */
export const COMPLETE_ENOUGH = 0.99

export interface Verdict {
  readonly lead: string
  /** What a person has to do something about; null: nothing. */
  readonly needs: string | null
  readonly rest: string
}

/** The answer to "is all well?", before any figure. */
export function verdictOf(overview: Overview): Verdict {
  const { counts, quality, alarms } = overview
  const troubled = troubledCount(overview)
  const isComplete = (quality.completeness?.value ?? 1) >= COMPLETE_ENOUGH
  const isWell = alarms.every(({ severity }) => severity !== 'error') && troubled * 4 < counts.sources
  const lost =
    quality.lost.items === 0
      ? t.overview.nothingLost
      : t.overview.aboutLost({ items: t.common.items({ n: Math.ceil(quality.lost.items) }) })
  return {
    lead: leadOf(isWell, isComplete, alarms.length > 0),
    needs: troubled === 0 ? null : t.overview.need({ troubled, feeds: t.common.feeds({ n: counts.sources }) }),
    rest: t.overview.rest({
      budget: isOverBudget(overview) ? t.overview.overBudget : t.overview.onBudget,
      lost,
      period: t.overview.inPeriods[overview.over],
    }),
  }
}

function leadOf(isWell: boolean, isComplete: boolean, hasAlarms: boolean): string {
  if (isWell) return isComplete ? t.overview.allWell : t.overview.notAllCaught
  return hasAlarms ? t.overview.notAllWell : t.overview.muchNeeds
}

function troubledCount({ counts }: Overview): number {
  return ['failing', 'saturated', 'flooding', 'retired'].reduce((sum, one) => sum + (counts.conditions[one] ?? 0), 0)
}

export function isOverBudget(overview: Overview): boolean {
  const { at, series, budget } = overview
  const workedMs = at - (series.find(({ requests }) => requests > 0)?.from ?? at)
  const { spentPerMinute: spent, requestsPerMinute: allowed } = budget
  return workedMs >= LONG_ENOUGH_MS && spent > TOO_MUCH * allowed && spent > allowed + LEAST_EXCESS_PER_MINUTE
}

export interface Comparison {
  readonly requestsPerDay: number
  readonly ownDelayMs: number
  /** Of polling all feeds in turn with as many requests. */
  readonly pollingEveryMs: number
  /** Whoever looks every T is T/2 late on average, whenever a feed publishes. */
  readonly pollingDelayMs: number
  readonly timesLater: number
}

const FEW_ITEMS = 10

/** What the same requests would have bought if every feed were polled at the same interval; null: not known yet. */
export function comparisonOf(overview: Overview): Comparison | null {
  const { quality, counts, series, at, over } = overview
  const sources = counts.sources - (counts.conditions['paused'] ?? 0) - (counts.conditions['retired'] ?? 0)
  const began = Math.max(at - PERIOD_MS[over], series.find(({ requests }) => requests > 0)?.from ?? at)
  const spanMs = at - began
  if (quality.delay === null || quality.items < FEW_ITEMS || quality.requests === 0 || sources < 2) return null
  if (spanMs < LONG_ENOUGH_MS) return null
  const pollingEveryMs = (sources * spanMs) / quality.requests
  const ownDelayMs = quality.delay.meanMs
  return {
    requestsPerDay: (quality.requests / spanMs) * DAY_MS,
    ownDelayMs,
    pollingEveryMs,
    pollingDelayMs: pollingEveryMs / 2,
    timesLater: ownDelayMs === 0 ? Number.POSITIVE_INFINITY : pollingEveryMs / 2 / ownDelayMs,
  }
}

/** "2.6 times later", or that it makes no difference. */
export function laterWords({ timesLater }: Comparison): string {
  if (!Number.isFinite(timesLater)) return t.overview.beLater
  return timesLater < 1.1 ? t.overview.beAsLate : t.overview.beTimesLater({ times: rounded(timesLater) })
}
