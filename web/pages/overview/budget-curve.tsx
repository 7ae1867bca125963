import { LineChart } from '../../charts/line-chart.tsx'
import { count, durationWords, formatDuration } from '../../format/words.ts'
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
      <h2>What a bigger budget would buy</h2>
      <p className="lead">
        Doubling it would save about {durationWords(ownDelayMs / 2)}; halving it costs {durationWords(ownDelayMs)}.
        Estimated from the delay measured.
      </p>
      <LineChart
        summary={`Delay against requests a day: ${durationWords(ownDelayMs)} at ${count(requestsPerDay)}; polling every ${durationWords(pollingEveryMs)} would be ${durationWords(pollingDelayMs)} late`}
        x={x}
        xKind="number"
        xLabel="requests a day"
        kind="duration"
        lines={[
          {
            label: 'Estimated delay',
            color: 1,
            values: x.map((at) => (ownDelayMs * requestsPerDay) / at),
            form: 'plain',
          },
          { label: 'You are here', color: 1, values: only(ownDelayMs), form: 'points' },
          {
            label: `Polling every ${durationWords(pollingEveryMs)}`,
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
