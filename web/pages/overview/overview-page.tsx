import { useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { plural } from '../../format/words.ts'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import './overview.css'
import { QualityCharts } from './quality-charts.tsx'
import { SuggestedSources, TroubledSources, WantedSources } from './source-lists.tsx'
import { Tiles } from './tiles.tsx'

const PERIODS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
] as const

const AFTER_A_REFRESH_MS = 5_000
const AT_LEAST_EVERY_MS = 60_000

export function OverviewPage() {
  const [over, setOver] = useState<Overview['over']>('day')
  const { data, error, reload } = useCall('overview', { query: { over } }, { everyMs: AT_LEAST_EVERY_MS })
  useEventThrottled('refresh', AFTER_A_REFRESH_MS, reload)
  return (
    <Page title="Overview" actions={<Segments legend="Over" options={PERIODS} value={over} onChange={setOver} />}>
      <Failure error={error} />
      {data === null ? error === null && <Loading what="the overview" /> : <Content overview={data} />}
    </Page>
  )
}

function Content({ overview }: { readonly overview: Overview }) {
  const { counts } = overview
  if (counts.sources === 0) return <NoSources />
  return (
    <>
      <p className="muted">
        {plural(counts.sources, 'source')}, {plural(counts.items, 'item')} archived,{' '}
        {plural(counts.queryFeeds, 'query feed')}, {plural(counts.observations, 'refresh', 'refreshes')} observed.
      </p>
      <Tiles overview={overview} />
      <QualityCharts overview={overview} />
      <div className="halves">
        <TroubledSources sources={overview.trouble} />
        <WantedSources wanted={overview.wanted} />
        <SuggestedSources suggested={overview.suggested} />
      </div>
    </>
  )
}

function NoSources() {
  return (
    <section className="panel stack">
      <Empty title="This node follows no sources yet">
        Add some, and after the first refreshes this page shows how complete, fresh and expensive they are.
      </Empty>
      <div>
        <Link href="/welcome" className="button main">
          Begin
        </Link>
      </div>
    </section>
  )
}
