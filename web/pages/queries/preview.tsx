import { Link } from 'wouter'
import type { FeedPreview } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { count, percent, rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { DayBars } from './day-bars.tsx'
import { Marked } from './marked.tsx'
import { useSettledValue } from './use-settled.ts'

const PREVIEW_AFTER_MS = 400
const SHOWN_SOURCES = 8
const SHOWN_ITEMS = 8
const SHOWN_DAYS = 14
const OVER = `${SHOWN_DAYS}d`

interface PreviewProps {
  readonly text: string
  /** There is no mistake in it. */
  readonly isReady: boolean
  readonly isWrong?: boolean
}

/** What the query would hold, from the archive. */
export function Preview({ text, isReady, isWrong = false }: PreviewProps) {
  const settled = useSettledValue(text, PREVIEW_AFTER_MS)
  const skip = !isReady || settled !== text || settled.trim() === ''
  const preview = useCall('previewQueries', { body: { text: settled, over: OVER, newest: SHOWN_ITEMS } }, { skip })
  return (
    <section className="finds stack" aria-busy={preview.isLoading}>
      <div className="row apart">
        <h2>{t.queries.whatItFinds}</h2>
        <span className="small muted">{t.queries.lastTwoWeeks}</span>
      </div>
      {isWrong && <p className="muted">{t.queries.shownWhen}</p>}
      {!isWrong && preview.data === null && preview.error === null && (
        <p className="muted">{t.queries.askingArchive}</p>
      )}
      {isReady && <Failure error={preview.error} />}
      {isReady &&
        preview.data?.feeds.map((feed, i) => (
          <OneFeed key={feed.name ?? i} feed={feed} items={preview.data?.items ?? 0} text={settled} />
        ))}
      {isReady && preview.data?.isComplete === false && (
        <p className="notice warn">{t.queries.countedOver({ items: count(preview.data.items) })}</p>
      )}
    </section>
  )
}

interface OneFeedProps {
  readonly feed: FeedPreview
  readonly items: number
  readonly text: string
}

function OneFeed({ feed, items, text }: OneFeedProps) {
  return (
    <div className="stack">
      <HowOften feed={feed} />
      <p role="status" className="small">
        {t.queries.keeps({
          matches: t.common.matches({ n: feed.matches }),
          items: t.common.items({ n: items }),
          share: percent(feed.selectivity),
        })}
        {feed.name !== null && ` (${feed.name})`}.
      </p>
      {feed.matches === 0 ? <p className="muted">{t.queries.nothingFits}</p> : <Found feed={feed} text={text} />}
    </div>
  )
}

function HowOften({ feed }: Pick<OneFeedProps, 'feed'>) {
  return (
    <dl className="figures">
      <div>
        <dt>{t.queries.itemsADayUnit}</dt>
        <dd>{rounded(feed.matches / SHOWN_DAYS)}</dd>
      </div>
      {feed.newest[0] && (
        <div>
          <dt>{t.queries.lastItemUnit}</dt>
          <dd>
            <TimeAgo at={feed.newest[0].sortAt} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Found({ feed, text }: Pick<OneFeedProps, 'feed' | 'text'>) {
  return (
    <>
      <DayBars byDay={feed.byDay} days={SHOWN_DAYS} />
      <ul className="found">
        {feed.newest.map((item) => (
          <li key={item.seq}>
            <Monogram name={item.sourceName} sourceId={item.sourceId} />
            <div>
              <Link href={`/read?item=${item.seq}`}>
                <Marked text={item.title ?? item.excerpt.slice(0, 80)} query={text} />
              </Link>
              <div className="small muted">
                {item.sourceName} · <TimeAgo at={item.sortAt} />
              </div>
            </div>
          </li>
        ))}
      </ul>
      <h3>{t.queries.bySource}</h3>
      <MatchesBySource feed={feed} />
    </>
  )
}

function MatchesBySource({ feed }: Pick<OneFeedProps, 'feed'>) {
  return (
    <BarList
      bars={feed.bySource.slice(0, SHOWN_SOURCES).map(({ sourceId, sourceName, matches }) => ({
        key: sourceId,
        name: <Link href={`/sources/${sourceId}`}>{sourceName}</Link>,
        value: matches,
        label: count(matches),
      }))}
    />
  )
}
