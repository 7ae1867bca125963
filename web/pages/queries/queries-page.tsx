import { Link } from 'wouter'
import type { QueryFeedRow } from '../../../src/api/operations/wire.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { count, percent, rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import './queries.css'
import { QueryGraph } from './query-graph.tsx'

const AFTER_A_CHANGE_MS = 500

export default function QueriesPage() {
  const { can } = useSession()
  const feeds = useCall('listQueryFeeds', {})
  const graph = useCall('queryGraph', {})
  useEventThrottled('queries', AFTER_A_CHANGE_MS, () => {
    feeds.reload()
    graph.reload()
  })
  const actions = can('write') && (
    <Link href="/new-query" className="button main">
      {t.queries.newQueryFeed}
    </Link>
  )
  return (
    <Page title={t.shell.pages.queries} actions={actions}>
      <p className="lead">{sentenceOf(feeds.data?.feeds ?? null)}</p>
      <Failure error={feeds.error} />
      {feeds.data === null && feeds.error === null && <Loading what={t.queries.theQueryFeeds} />}
      {feeds.data !== null && <FeedTable feeds={feeds.data.feeds} />}
      {graph.data !== null && graph.data.edges.length > 0 && (
        <QueryGraph graph={graph.data} titles={titlesOf(feeds.data?.feeds ?? [])} />
      )}
    </Page>
  )
}

function titlesOf(feeds: readonly QueryFeedRow[]): ReadonlyMap<string, string> {
  return new Map(feeds.map(({ name, title }) => [name, title ?? name]))
}

/** What they bring, before any figure of one of them. */
function sentenceOf(feeds: readonly QueryFeedRow[] | null): string {
  if (feeds === null || feeds.length === 0) return t.queries.lead
  const known = feeds.flatMap(({ figures }) => (figures === null ? [] : [figures.itemsPerDay]))
  const perDay = known.reduce((sum, one) => sum + one, 0)
  const brings =
    known.length === 0
      ? ''
      : t.queries.bring({ verb: feeds.length === 1 ? t.queries.brings : t.queries.bringMany, items: rounded(perDay) })
  return `${t.common.queryFeeds({ n: feeds.length })}${brings}.`
}

function FeedTable({ feeds }: { readonly feeds: readonly QueryFeedRow[] }) {
  const { can } = useSession()
  if (feeds.length === 0) {
    return (
      <section className="panel stack">
        <Empty title={t.queries.noQueryFeeds}>{t.queries.noQueryHint}</Empty>
        {can('write') && (
          <div>
            <Link href="/new-query" className="button">
              {t.queries.makeFirst}
            </Link>
          </div>
        )}
      </section>
    )
  }
  return (
    <section className="panel" aria-label={t.queries.queryFeeds}>
      <table className="query-feeds cards">
        <thead>
          <tr>
            <th scope="col">{t.queries.queryFeed}</th>
            <th scope="col" className="number">
              {t.queries.itemsADay}
            </th>
            <th scope="col">{t.queries.lastItem}</th>
            <th scope="col" className="number">
              {t.queries.readers}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {feeds.map((feed) => (
            <FeedLine key={feed.name} feed={feed} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function FeedLine({ feed }: { readonly feed: QueryFeedRow }) {
  const { figures } = feed
  const sent =
    feed.subscriptions === 0 ? '' : t.queries.sentToPlaces({ places: t.common.places({ n: feed.subscriptions }) })
  return (
    <tr>
      <th scope="row">
        <Link href={`/queries/${encodeURIComponent(feed.name)}`}>{feed.title ?? feed.name}</Link>{' '}
        {feed.backFill !== null && (
          <span className="badge warn">{t.queries.filling({ share: percent(feed.backFill) })}</span>
        )}
        <p className="small muted">
          {t.queries.ofOwner({
            name: feed.name,
            owner: feed.owner ?? t.queries.theOwner,
            access: feed.isPrivate ? t.queries.private : t.queries.public,
          })}
          {sent}
        </p>
      </th>
      <td className="number" data-name={t.queries.itemsADayUnit}>
        {figures === null ? '–' : rounded(figures.itemsPerDay)}
      </td>
      <td className="before" data-name={t.queries.lastItemUnit}>
        {figures === null ? '–' : figures.lastItemAt === null ? t.queries.noneYet : <TimeAgo at={figures.lastItemAt} />}
      </td>
      <td className="number" data-name={feed.followers === 1 ? t.queries.reader : t.queries.readersUnit}>
        {count(feed.followers)}
      </td>
      <td className="actions">
        <div className="row">
          <Link className="button little" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
            {t.shell.pages.read}
          </Link>
          <CopyButton text={feed.urls.atom} label={t.queries.copyAddress} />
        </div>
      </td>
    </tr>
  )
}
