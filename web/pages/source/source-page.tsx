import { useEffect } from 'react'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useEvent } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { FeedAddresses } from '../../ui/feed-addresses.tsx'
import { Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { StateLine } from '../../ui/state-line.tsx'
import { ArticlePages } from './article-pages.tsx'
import { LatestItems } from './latest-items.tsx'
import { LearntRate } from './learnt-rate.tsx'
import { NextCheck } from './next-check.tsx'
import { RefreshHistory } from './refresh-history.tsx'
import './source.css'
import { Readers } from './readers.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceFacts } from './source-facts.tsx'
import { Troubles } from './troubles.tsx'
import { WindowGauge } from './window-gauge.tsx'

const AT_LEAST_EVERY_MS = 15_000
const LATEST_ITEMS = 6

export default function SourcePage({ id }: { readonly id: number }) {
  const { source, refreshes, model, items } = useSource(id)
  useNameAsTitle(source.data?.name)
  if (source.data === null) return <Missing error={source.error} />
  return (
    <Page title={source.data.name} actions={<SourceActions source={source.data} onChange={source.reload} />}>
      <Failure error={source.error} />
      <Heading source={source.data} />
      <Troubles source={source.data} refreshes={refreshes.data?.refreshes ?? []} onChange={source.reload} />
      <div className="source-grid">
        <LatestItems source={source.data} list={items} />
        <div className="stack">
          <NextCheck source={source.data} />
          <WindowGauge source={source.data} />
        </div>
        {model.data !== null && <LearntRate model={model.data} />}
        <RefreshHistory refreshes={refreshes.data?.refreshes ?? []} />
        <Readers source={source.data} onChange={source.reload} />
        <Elsewhere source={source.data} />
        <ArticlePages source={source.data} />
        <SourceFacts source={source.data} modelForm={model.data?.form ?? null} />
      </div>
    </Page>
  )
}

function useNameAsTitle(name: string | undefined): void {
  useEffect(() => {
    if (name) document.title = t.common.titleOf({ title: name })
  }, [name])
}

function Heading({ source }: { readonly source: SourceDetail }) {
  return (
    <div className="row">
      <StateLine source={source} />
      <a href={source.url} className="any-break" rel="noreferrer noopener" target="_blank">
        {source.url}
      </a>
      {source.categories.map((category) => (
        <span key={category} className="badge">
          {category}
        </span>
      ))}
    </div>
  )
}

/** All that the page shows, requested again whenever the source was refreshed. */
function useSource(id: number) {
  const source = useCall('showSource', { params: { id } }, { everyMs: AT_LEAST_EVERY_MS })
  const refreshes = useCall('sourceRefreshes', { params: { id }, query: { limit: 100 } })
  const model = useCall('sourceModel', { params: { id } })
  const items = useCall('listItems', { query: { sourceId: id, limit: LATEST_ITEMS } })
  useEvent('refresh', ({ sourceId }) => {
    if (sourceId !== id) return
    source.reload()
    refreshes.reload()
    model.reload()
    items.reload()
  })
  return { source, refreshes, model, items }
}

function Missing({ error }: { readonly error: unknown }) {
  return (
    <Page title={t.source.source}>
      {error === null ? <Loading what={t.source.theSource} /> : <Failure error={error} />}
    </Page>
  )
}

function Elsewhere({ source }: { readonly source: SourceDetail }) {
  return (
    <section className="panel stack tight">
      <h2>{t.source.readElsewhere}</h2>
      <FeedAddresses urls={source.feeds} />
    </section>
  )
}
