import { useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { todayWords } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useTitle } from '../../ui/use-title.ts'
import './overview.css'
import { Alerts } from './alerts.tsx'
import { BesidePolling } from './beside-polling.tsx'
import { BudgetCurve } from './budget-curve.tsx'
import { Experts } from './experts.tsx'
import { NeedYou } from './need-you.tsx'
import { QualityCharts } from './quality-charts.tsx'
import { RequestShares } from './request-shares.tsx'
import { SuggestedSources, WantedSources } from './source-lists.tsx'
import { Tiles } from './tiles.tsx'
import { comparisonOf } from './verdict.ts'
import { VerdictLine } from './verdict-line.tsx'

const PERIODS = ['hour', 'day', 'week'] as const

const AFTER_A_REFRESH_MS = 5_000
const AT_LEAST_EVERY_MS = 60_000

export function OverviewPage() {
  const [over, setOver] = useState<Overview['over']>('week')
  const { data, error, reload } = useCall('overview', { query: { over } }, { everyMs: AT_LEAST_EVERY_MS })
  useEventThrottled('refresh', AFTER_A_REFRESH_MS, reload)
  useTitle(t.shell.pages.overview)
  return (
    <div className="stack overview">
      <div className="row apart">
        <span className="small muted">{todayWords(Date.now())}</span>
        <Segments
          legend={t.overview.over}
          options={PERIODS.map((period) => [period, t.overview.periods[period]] as const)}
          value={over}
          onChange={setOver}
        />
      </div>
      <Failure error={error} />
      {data === null ? (
        error === null && <Loading what={t.overview.theOverview} />
      ) : (
        <Content overview={data} reload={reload} />
      )}
    </div>
  )
}

function Content({ overview, reload }: { readonly overview: Overview; readonly reload: () => void }) {
  if (overview.counts.sources === 0) return <NoSources />
  const comparison = comparisonOf(overview)
  return (
    <>
      <div className={overview.trouble.length === 0 ? 'opening' : 'opening with-needs'}>
        <VerdictLine overview={overview} comparison={comparison} />
        <NeedYou sources={overview.trouble} onChange={reload} />
      </div>
      <Tiles overview={overview} />
      <BesidePolling comparison={overview.besidePolling} />
      <div className="chart-cards">
        <QualityCharts overview={overview}>
          {comparison !== null && <BudgetCurve comparison={comparison} price={overview.budget.price} />}
        </QualityCharts>
        <RequestShares over={overview.over} />
        <Alerts />
        <WantedSources wanted={overview.wanted} />
        <SuggestedSources suggested={overview.suggested} />
      </div>
      <Experts overview={overview} />
    </>
  )
}

function NoSources() {
  return (
    <section className="panel stack">
      <h1>{t.overview.nothingToRead}</h1>
      <Empty title={t.overview.noSources}>{t.overview.noSourcesHint}</Empty>
      <div>
        <Link href="/welcome" className="button main">
          {t.overview.begin}
        </Link>
      </div>
    </section>
  )
}
