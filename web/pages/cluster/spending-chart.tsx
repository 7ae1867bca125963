import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { formatDuration } from '../../format/words.ts'
import { figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

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
      <h2>{t.cluster.requestsASecond}</h2>
      {x.length < FEWEST_STEPS ? (
        <p className="muted">{t.cluster.drawnSoon}</p>
      ) : (
        <LineChart
          summary={t.cluster.requestsOfAll({
            time: formatDuration((x.at(-1) ?? 0) - (x[0] ?? 0)),
            budget: allowed === null ? t.cluster.noBudget : t.cluster.againstBudget({ budget: figure(allowed) }),
          })}
          x={x}
          xKind="time"
          lines={[
            { label: t.cluster.requestsASecond, color: 1, values: perSecond },
            ...(allowed === null
              ? []
              : [{ label: t.cluster.budget, color: 2, values: x.map(() => allowed), isDashed: true }]),
          ]}
          format={figure}
          min={0}
        />
      )}
    </section>
  )
}
