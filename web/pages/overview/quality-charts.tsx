import type { ReactNode } from 'react'
import type { Overview, QualityPoint } from '../../../src/api/operations/wire.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { dayOf, figure, formatDuration, fullTime, percent, short } from '../../format/words.ts'

const MINUTE_MS = 60_000

/** The same measures as the tiles, over time. */
export function QualityCharts({ overview }: { readonly overview: Overview }) {
  const { series, budget } = overview
  if (series.filter(({ requests }) => requests > 0).length < 2) {
    return <p className="notice">Curves are drawn as soon as the node has been at work for half a minute.</p>
  }
  const x = series.map(({ from }) => from)
  const of = (read: (point: QualityPoint) => number | null) => series.map(read)
  const perMinute = of(({ requests, from, to }) => (to > from ? requests / ((to - from) / MINUTE_MS) : null))
  return (
    <div className="halves">
      <Chart title="Completeness and freshness">
        <LineChart
          summary={`Completeness and freshness since ${dayOf(x[0] ?? 0)}`}
          x={x}
          xKind="time"
          lines={[
            { label: 'Completeness', color: 1, values: of(({ completeness }) => completeness?.value ?? null) },
            { label: 'Freshness', color: 2, values: of(({ freshness }) => freshness?.value ?? null) },
          ]}
          format={percent}
          max={1}
        />
      </Chart>
      <Chart title="Delay">
        <LineChart
          summary="Mean and 95th percentile of the delay between publication and archive"
          x={x}
          xKind="time"
          lines={[
            { label: 'Mean', color: 1, values: of(({ delay }) => delay?.meanMs ?? null) },
            { label: '95 % within', color: 2, values: of(({ delay }) => delay?.p95Ms ?? null) },
          ]}
          format={formatDuration}
          min={0}
          narrowest={MINUTE_MS}
        />
      </Chart>
      <Chart title="Requests against the budget">
        <LineChart
          summary={`Requests a minute against a budget of ${figure(budget.requestsPerMinute)}`}
          x={x}
          xKind="time"
          lines={[
            { label: 'Requests a minute', color: 1, values: perMinute },
            { label: 'Budget', color: 2, values: x.map(() => budget.requestsPerMinute), isDashed: true },
          ]}
          format={figure}
          min={0}
        />
      </Chart>
      <Chart title="Items">
        <LineChart
          summary="Items archived and items lost"
          x={x}
          xKind="time"
          lines={[
            { label: 'Archived', color: 1, values: of(({ items }) => items) },
            { label: 'Lost', color: 2, values: of(({ lost }) => lost.items) },
          ]}
          format={short}
          min={0}
        />
      </Chart>
      <AsTable series={series} />
    </div>
  )
}

function Chart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function AsTable({ series }: { readonly series: readonly QualityPoint[] }) {
  return (
    <details className="panel" style={{ gridColumn: '1 / -1' }}>
      <summary>The same as a table</summary>
      <div className="scroll-x" tabIndex={0} role="region" aria-label="Quality over time">
        <table>
          <thead>
            <HeadRow />
          </thead>
          <tbody>
            {series.toReversed().map((point) => (
              <PointRow key={point.from} point={point} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function HeadRow() {
  return (
    <tr>
      <th>From</th>
      {['Completeness', 'Freshness', 'Mean delay', 'Requests', 'Items', 'Lost'].map((name) => (
        <th key={name} className="number">
          {name}
        </th>
      ))}
    </tr>
  )
}

function PointRow({ point }: { readonly point: QualityPoint }) {
  return (
    <tr>
      <td>{fullTime(point.from)}</td>
      <td className="number">{percent(point.completeness?.value ?? null)}</td>
      <td className="number">{percent(point.freshness?.value ?? null)}</td>
      <td className="number">{formatDuration(point.delay?.meanMs ?? null)}</td>
      <td className="number">{figure(point.requests)}</td>
      <td className="number">{figure(point.items)}</td>
      <td className="number">{figure(point.lost.items)}</td>
    </tr>
  )
}
