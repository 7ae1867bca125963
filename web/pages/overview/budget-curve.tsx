import { LineChart } from '../../charts/line-chart.tsx'
import { durationWords, formatDuration } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import type { Comparison } from './verdict.ts'

/** Of the present budget. */
const LEAST_SHARE = 0.3
const MOST_SHARE = 2.5
const STEPS = 45

interface BudgetCurveProps {
  readonly comparison: Comparison
  readonly price: number | null
}

/**
 * How late news would be with more or fewer requests. While the budget is scarce, the intervals of all feeds shrink in
 * proportion to it, and so does the delay (decision 0150): through the point that was measured goes one hyperbola.
 */
export function BudgetCurve({ comparison, price }: BudgetCurveProps) {
  const { requestsPerDay, ownDelayMs, pollingDelayMs, pollingEveryMs } = comparison
  if (price === null || price === 0) return null
  const shares = Array.from(
    { length: STEPS + 1 },
    (_, i) => LEAST_SHARE * (MOST_SHARE / LEAST_SHARE) ** (i / STEPS),
  ).concat(1)
  const x = shares.sort((a, b) => a - b).map((share) => share * requestsPerDay)
  const only = (value: number) => x.map((at) => (at === requestsPerDay ? value : null))
  return (
    <section className="panel stack tight">
      <h2>{t.overview.biggerBudget}</h2>
      <p className="lead">
        {t.overview.doubling({ saves: durationWords(ownDelayMs / 2), costs: durationWords(ownDelayMs) })}
      </p>
      <LineChart
        summary={t.overview.delayAgainst({
          own: durationWords(ownDelayMs),
          requests: count(requestsPerDay),
          every: durationWords(pollingEveryMs),
          polling: durationWords(pollingDelayMs),
        })}
        x={x}
        xKind="number"
        xLabel={t.overview.requestsADay}
        kind="duration"
        lines={[
          {
            label: t.overview.estimatedDelay,
            color: 1,
            values: x.map((at) => (ownDelayMs * requestsPerDay) / at),
            form: 'plain',
          },
          { label: t.overview.youAreHere, color: 1, values: only(ownDelayMs), form: 'points' },
          {
            label: t.overview.pollingEvery({ every: durationWords(pollingEveryMs) }),
            color: 2,
            values: only(pollingDelayMs),
            form: 'points',
          },
        ]}
        format={formatDuration}
        min={0}
      />
    </section>
  )
}
