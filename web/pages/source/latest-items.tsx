import { Link } from 'wouter'
import type { ItemRow, SourceDetail } from '../../../src/api/operations/wire.ts'
import type { OperationAnswer } from '../../client/call.ts'
import type { CallState } from '../../client/use-call.ts'
import { formatDuration } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

const MINUTE_MS = 60_000

interface LatestItemsProps {
  readonly source: SourceDetail
  readonly list: CallState<OperationAnswer<'listItems'>>
}

/** What a feed is for: its items, each with how late it came. */
export function LatestItems({ source, list }: LatestItemsProps) {
  const items = list.data?.items ?? []
  return (
    <section className="panel stack tight">
      <div className="row apart">
        <h2>{t.source.latestItems}</h2>
        {source.items > 0 && (
          <Link href={`/read?source=${source.id}`}>{t.source.allItems({ n: count(source.items) })}</Link>
        )}
      </div>
      {items.length === 0 && !list.isLoading && <p className="muted">{t.source.noItemsYet}</p>}
      <ul className="latest">
        {items.map((item) => (
          <li key={item.seq}>
            <LatestItem source={source} item={item} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function LatestItem({ source, item }: { readonly source: SourceDetail; readonly item: ItemRow }) {
  return (
    <>
      <Link href={`/read?source=${source.id}&item=${item.seq}`}>{item.title ?? item.link ?? t.common.noTitle}</Link>
      <span className="small muted">
        <TimeAgo at={item.sortAt} />
        {latenessWords(item, source)}
      </span>
    </>
  )
}

/** Only where its date can be believed, and not of what was there before the source was followed. */
function latenessWords({ published, firstSeenAt }: ItemRow, { datesCredible, addedAt }: SourceDetail): string {
  if (published === null || !datesCredible || published < addedAt || published > firstSeenAt) return ''
  const lateMs = firstSeenAt - published
  return lateMs < MINUTE_MS ? t.source.withinAMinute : t.source.hereLater({ time: formatDuration(lateMs) })
}
