import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { figure, formatDuration } from '../../format/words.ts'

const SECOND_MS = 1_000
/** Of ten seconds: with fewer, times along the axis are no different. */
const FEWEST_STEPS = 3

/** What all members spend, against what they may. */
export function SpendingChart({ cluster: { spending, budget } }: { readonly cluster: ClusterState }) {
  const x = spending.map(({ from }) => from)
  const perSecond = spending.map(({ from, to, requests }) => requests / ((to - from) / SECOND_MS))
  const allowed = budget?.perSecond ?? null
  return (
    <section className="panel stack tight">
      <h2>Requests a second</h2>
      {x.length < FEWEST_STEPS ? (
        <p className="muted">Drawn as soon as crawlers have been at work for a minute.</p>
      ) : (
        <LineChart
          summary={`Requests a second of all members over ${formatDuration((x.at(-1) ?? 0) - (x[0] ?? 0))}, ${allowed === null ? 'without a budget' : `against a budget of ${figure(allowed)}`}`}
          x={x}
          xKind="time"
          lines={[
            { label: 'Requests a second', color: 1, values: perSecond },
            ...(allowed === null ? [] : [{ label: 'Budget', color: 2, values: x.map(() => allowed), isDashed: true }]),
          ]}
          format={figure}
          min={0}
        />
      )}
    </section>
  )
}
