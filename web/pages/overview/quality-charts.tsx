import type { ReactNode } from 'react'
import type { Overview, QualityPoint } from '../../../src/api/operations/wire.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { dayOf, figure, formatDuration, percent } from '../../format/words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface QualityChartsProps {
  readonly overview: Overview
  /** Other cards that stand between them. */
  readonly children: ReactNode
}

/** The same measures as the figures, over time. */
export function QualityCharts({ overview, children }: QualityChartsProps) {
  const { series } = overview
  if (series.filter(({ requests }) => requests > 0).length < 2) {
    return <p className="notice">Curves are drawn as soon as the node has been at work for half a minute.</p>
  }
  return (
    <>
      <DelayChart series={series} />
      {children}
      <RequestChart overview={overview} />
      <ShareChart series={series} />
    </>
  )
}

interface SeriesProps {
  readonly series: readonly QualityPoint[]
}

function DelayChart({ series }: SeriesProps) {
  return (
    <Card
      title="How late news arrives"
      lead="Line: average. Band: from the median to 95 % of items. Nothing is drawn where nothing is known."
    >
      <LineChart
        summary="Mean delay between publication and archive, with median and 95th percentile"
        x={series.map(({ from }) => from)}
        xKind="time"
        kind="duration"
        lines={[{ label: 'on average', color: 1, values: series.map(({ delay }) => delay?.meanMs ?? null) }]}
        band={{
          label: 'for most',
          low: series.map(({ delay }) => delay?.medianMs ?? null),
          high: series.map(({ delay }) => delay?.p95Ms ?? null),
        }}
        format={formatDuration}
        min={0}
        narrowest={MINUTE_MS}
        hasNoLegend={true}
      />
    </Card>
  )
}

function RequestChart({ overview: { series, budget } }: { readonly overview: Overview }) {
  const anHour = budget.requestsPerMinute * 60
  const perHour = series.map(({ requests, from, to }) => (to > from ? (requests * HOUR_MS) / (to - from) : null))
  return (
    <Card
      title="Requests against the budget"
      lead={`An hour. Saved in quiet hours, spent when news comes; the line is the budget, ${figure(anHour)} an hour.`}
    >
      <LineChart
        summary={`Requests an hour against a budget of ${figure(anHour)}`}
        x={series.map(({ from }) => from)}
        xKind="time"
        lines={[
          { label: 'requests an hour', color: 1, values: perHour, form: 'bars' },
          { label: 'budget', color: 2, values: series.map(() => anHour), isDashed: true },
        ]}
        format={figure}
        min={0}
        hasNoLegend={true}
      />
    </Card>
  )
}

function ShareChart({ series }: SeriesProps) {
  return (
    <Card
      title="Complete and fresh"
      lead="Complete: items that were not lost. Fresh: of what feeds show, what is here."
    >
      <LineChart
        summary={`Completeness and freshness since ${dayOf(series[0]?.from ?? 0)}`}
        x={series.map(({ from }) => from)}
        xKind="time"
        lines={[
          { label: 'Complete', color: 1, values: series.map(({ completeness }) => completeness?.value ?? null) },
          { label: 'Fresh', color: 2, values: series.map(({ freshness }) => freshness?.value ?? null) },
        ]}
        format={percent}
        max={1}
      />
    </Card>
  )
}

interface CardProps {
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}

function Card({ title, lead, children }: CardProps) {
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      <p className="lead">{lead}</p>
      {children}
    </section>
  )
}
