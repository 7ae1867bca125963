import { useState } from 'react'
import { Link } from 'wouter'
import type { FeedPreview } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { now } from '../../format/clock.ts'
import { count, dateOf, percent, plural } from '../../format/words.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Segments } from '../../ui/segments.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useSettledValue } from './use-settled.ts'

const PREVIEW_AFTER_MS = 400
const SHOWN_SOURCES = 8
const SHOWN_DAYS = 14

const SPANS = [
  ['1d', 'Day'],
  ['7d', 'Week'],
  ['30d', 'Month'],
] as const

interface PreviewProps {
  readonly text: string
  /** There is no mistake in it. */
  readonly isReady: boolean
}

/** What the query would hold, from the archive. */
export function Preview({ text, isReady }: PreviewProps) {
  const [over, setOver] = useState<'1d' | '7d' | '30d'>('7d')
  const settled = useSettledValue(text, PREVIEW_AFTER_MS)
  const skip = !isReady || settled !== text || settled.trim() === ''
  const preview = useCall('previewQueries', { body: { text: settled, over } }, { skip })
  return (
    <section className="panel stack" aria-busy={preview.isLoading}>
      <div className="row apart">
        <h2>Preview</h2>
        <Segments legend="Over the last" options={SPANS} value={over} onChange={setOver} />
      </div>
      {!isReady && <p className="muted">Shown as soon as there is no mistake.</p>}
      {isReady && preview.data === null && preview.error === null && <p className="muted">Asking the archive …</p>}
      {isReady && <Failure error={preview.error} />}
      {isReady &&
        preview.data?.feeds.map((feed, i) => (
          <OneFeed key={feed.name ?? i} feed={feed} items={preview.data?.items ?? 0} />
        ))}
      {isReady && preview.data?.isComplete === false && (
        <p className="notice warn">Counted over the newest {count(preview.data.items)} items only.</p>
      )}
    </section>
  )
}

function OneFeed({ feed, items }: { readonly feed: FeedPreview; readonly items: number }) {
  return (
    <div className="stack">
      <p role="status">
        <strong>{plural(feed.matches, 'match', 'matches')}</strong> of {plural(items, 'item')}: it keeps{' '}
        {percent(feed.selectivity)}
        {feed.name !== null && ` (${feed.name})`}.
      </p>
      {feed.bySource.length > 0 && (
        <>
          <h3>By source</h3>
          <BarList
            bars={feed.bySource.slice(0, SHOWN_SOURCES).map(({ sourceId, sourceName, matches }) => ({
              key: sourceId,
              name: <Link href={`/sources/${sourceId}`}>{sourceName}</Link>,
              value: matches,
              label: count(matches),
            }))}
          />
          <h3>By day</h3>
          <BarList
            bars={feed.byDay.slice(0, SHOWN_DAYS).map(({ day, matches }) => ({
              key: day,
              name: dateOf(day, now()),
              value: matches,
              label: count(matches),
            }))}
          />
          <h3>Newest</h3>
          <ul className="item-list">
            {feed.newest.map((item) => (
              <li key={item.seq}>
                <Link href={`/read?item=${item.seq}`}>{item.title ?? item.excerpt.slice(0, 80)}</Link>
                <div className="small muted">
                  {item.sourceName} · <TimeAgo at={item.sortAt} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
