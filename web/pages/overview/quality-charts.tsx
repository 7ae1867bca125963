import type { ReactNode } from 'react'
import type { Overview, QualityPoint } from '../../../src/api/operations/wire.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { dayOf, formatDuration } from '../../format/words.ts'
import { figure, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

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
    return <p className="notice">{t.overview.curvesSoon}</p>
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
    <Card title={t.overview.howLate} lead={t.overview.howLateLead}>
      <LineChart
        summary={t.overview.howLateSummary}
        x={series.map(({ from }) => from)}
        xKind="time"
        kind="duration"
        lines={[{ label: t.overview.onAverage, color: 1, values: series.map(({ delay }) => delay?.meanMs ?? null) }]}
        band={{
          label: t.overview.forMost,
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
    <Card title={t.overview.againstBudget} lead={t.overview.againstBudgetLead({ budget: figure(anHour) })}>
      <LineChart
        summary={t.overview.againstBudgetSummary({ budget: figure(anHour) })}
        x={series.map(({ from }) => from)}
        xKind="time"
        lines={[
          { label: t.overview.requestsAnHour, color: 1, values: perHour, form: 'bars' },
          { label: t.overview.budget, color: 2, values: series.map(() => anHour), isDashed: true },
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
    <Card title={t.overview.completeAndFresh} lead={t.overview.completeLead}>
      <LineChart
        summary={t.overview.completeSummary({ since: dayOf(series[0]?.from ?? 0) })}
        x={series.map(({ from }) => from)}
        xKind="time"
        lines={[
          {
            label: t.overview.complete,
            color: 1,
            values: series.map(({ completeness }) => completeness?.value ?? null),
          },
          { label: t.overview.fresh, color: 2, values: series.map(({ freshness }) => freshness?.value ?? null) },
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
