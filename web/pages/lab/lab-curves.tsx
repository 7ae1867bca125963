import { useState } from 'react'
import type { LabResult } from '../../../src/api/operations/wire.ts'
import type { Line } from '../../charts/chart.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { now } from '../../format/clock.ts'
import { dateOf, formatDuration } from '../../format/words.ts'
import { count, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Segments } from '../../ui/segments.tsx'
import { MINUTES_A_DAY } from './budgets.ts'

const measures = () =>
  [
    ['delay', t.lab.delay],
    ['completeness', t.lab.completeness],
  ] as const
type Measure = ReturnType<typeof measures>[number][0]
const COLORS = 6

/** Curves of delay or completeness against the budget, and where the node was. */
export function LabCurves({ result }: { readonly result: LabResult }) {
  const [measure, setMeasure] = useState<Measure>('delay')
  const { x, lines } = curvesOf(result, measure)
  return (
    <section className="panel stack">
      <div className="row apart">
        <h2>{t.lab.againstBudget({ measure: measure === 'delay' ? t.lab.meanDelay : t.lab.completeness })}</h2>
        <Segments legend={t.lab.measure} options={measures()} value={measure} onChange={setMeasure} />
      </div>
      <p className="small muted">
        {t.lab.span({
          feeds: t.common.feeds({ n: result.sources }),
          from: dateOf(result.from, now()),
          to: dateOf(result.to, now()),
        })}
      </p>
      <LineChart
        summary={t.lab.summary({
          measure,
          strategies: lines.map(({ label }) => label).join(', '),
          budgets: t.common.budgets({ n: x.length }),
        })}
        x={x}
        xKind={x.length > 1 ? 'log' : 'number'}
        xLabel={t.lab.requestsADay}
        lines={lines}
        format={measure === 'delay' ? formatDuration : percent}
        {...(measure === 'delay' ? { min: 0 } : { max: 1 })}
        kind={measure === 'delay' ? 'duration' : 'number'}
        heightPx={320}
      />
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t.lab.figures}>
        <table>
          <thead>
            <tr>
              <th>{t.lab.strategy}</th>
              <th className="number">{t.lab.requestsADay}</th>
              <th className="number">{t.lab.meanDelay}</th>
              <th className="number">{t.lab.completeness}</th>
              <th className="number">{t.lab.requests}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t.lab.thisNode}</th>
              <td className="number">{count(result.node.requestsPerMinute * MINUTES_A_DAY)}</td>
              <td className="number">{formatDuration(result.node.meanDelayMs)}</td>
              <td className="number">{percent(result.node.completeness)}</td>
              <td className="number">–</td>
            </tr>
            {result.points.map((point) => (
              <tr key={`${point.strategy} ${point.requestsPerMinute}`}>
                <td>{point.strategy}</td>
                <td className="number">{count(point.requestsPerMinute * MINUTES_A_DAY)}</td>
                <td className="number">{formatDuration(point.meanDelayMs)}</td>
                <td className="number">{percent(point.completeness)}</td>
                <td className="number">{count(point.requests)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function curvesOf({ points, node }: LabResult, measure: Measure): { readonly x: number[]; readonly lines: Line[] } {
  const read = (point: { readonly meanDelayMs: number | null; readonly completeness: number | null }) =>
    measure === 'delay' ? point.meanDelayMs : point.completeness
  const budgets = new Set(points.map(({ requestsPerMinute }) => requestsPerMinute))
  if (node.requestsPerMinute > 0) budgets.add(node.requestsPerMinute)
  const x = [...budgets].sort((a, b) => a - b)
  const strategies = [...new Set(points.map(({ strategy }) => strategy))]
  const lines = strategies.map((strategy, i) => ({
    label: strategy,
    color: (i % COLORS) + 1,
    values: interpolated(
      x,
      points.filter((point) => point.strategy === strategy).map((point) => [point.requestsPerMinute, read(point)]),
    ),
  }))
  const own = {
    label: t.lab.thisNode,
    color: COLORS,
    form: 'points' as const,
    values: x.map((at) => (at === node.requestsPerMinute ? read(node) : null)),
  }
  const perDay = x.map((perMinute) => perMinute * MINUTES_A_DAY)
  return { x: perDay, lines: own.values.some((value) => value !== null) ? [...lines, own] : lines }
}

/** The node's own budget is an x of its own, which must not tear the curves: they go straight through it. */
function interpolated(x: readonly number[], points: readonly (readonly [number, number | null])[]): (number | null)[] {
  const known = points
    .filter((point): point is readonly [number, number] => point[1] !== null)
    .sort((a, b) => a[0] - b[0])
  return x.map((at) => {
    const right = known.findIndex(([budget]) => budget >= at)
    const after = known[right]
    if (after === undefined) return null
    const before = known[right - 1]
    if (after[0] === at || before === undefined) return after[0] === at ? after[1] : null
    const share = Math.log(at / before[0]) / Math.log(after[0] / before[0])
    return before[1] + (after[1] - before[1]) * share
  })
}
