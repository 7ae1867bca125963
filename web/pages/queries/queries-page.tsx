import { Link } from 'wouter'
import type { QueryFeedRow } from '../../../src/api/operations/wire.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { count, figure, percent, plural } from '../../format/words.ts'
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
      New query feed
    </Link>
  )
  return (
    <Page title="Queries" actions={actions}>
      <p className="lead">{sentenceOf(feeds.data?.feeds ?? null)}</p>
      <Failure error={feeds.error} />
      {feeds.data === null && feeds.error === null && <Loading what="the query feeds" />}
      {feeds.data !== null && <FeedTable feeds={feeds.data.feeds} />}
      {graph.data !== null && graph.data.edges.length > 0 && <QueryGraph graph={graph.data} />}
    </Page>
  )
}

/** What they bring, before any figure of one of them. */
function sentenceOf(feeds: readonly QueryFeedRow[] | null): string {
  if (feeds === null || feeds.length === 0)
    return 'Feeds made of your sources: what you want of them, and nothing else.'
  const known = feeds.flatMap(({ figures }) => (figures === null ? [] : [figures.itemsPerDay]))
  const perDay = known.reduce((sum, one) => sum + one, 0)
  const brings = known.length === 0 ? '' : ` ${feeds.length === 1 ? 'brings' : 'bring'} ${figure(perDay)} items a day`
  return `${plural(feeds.length, 'query feed')}${brings}.`
}

function FeedTable({ feeds }: { readonly feeds: readonly QueryFeedRow[] }) {
  const { can } = useSession()
  if (feeds.length === 0) {
    return (
      <section className="panel stack">
        <Empty title="No query feeds yet">
          A query feed is a feed made of others: what you want from all your sources, and nothing else. Say it in words
          or in the query language; it is filled from the archive at once.
        </Empty>
        {can('write') && (
          <div>
            <Link href="/new-query" className="button">
              Make the first one
            </Link>
          </div>
        )}
      </section>
    )
  }
  return (
    <section className="panel" aria-label="Query feeds">
      <table className="query-feeds cards">
        <thead>
          <tr>
            <th scope="col">Query feed</th>
            <th scope="col" className="number">
              Items a day
            </th>
            <th scope="col">Last item</th>
            <th scope="col" className="number">
              Readers
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
  const sent = feed.subscriptions === 0 ? '' : ` · sent to ${plural(feed.subscriptions, 'place')}`
  return (
    <tr>
      <th scope="row">
        <Link href={`/queries/${encodeURIComponent(feed.name)}`}>{feed.title ?? feed.name}</Link>{' '}
        {feed.backFill !== null && <span className="badge warn">filling, {percent(feed.backFill)}</span>}
        <p className="small muted">
          {feed.name} · of {feed.owner ?? 'the owner'} · {feed.isPrivate ? 'private' : 'public'}
          {sent}
        </p>
      </th>
      <td className="number" data-name="items a day">
        {figures === null ? '–' : figure(figures.itemsPerDay)}
      </td>
      <td className="before" data-name="last item">
        {figures === null ? '–' : figures.lastItemAt === null ? 'none yet' : <TimeAgo at={figures.lastItemAt} />}
      </td>
      <td className="number" data-name={feed.followers === 1 ? 'reader' : 'readers'}>
        {count(feed.followers)}
      </td>
      <td className="actions">
        <div className="row">
          <Link className="button little" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
            Read
          </Link>
          <CopyButton text={feed.urls.atom} label="Copy address" />
        </div>
      </td>
    </tr>
  )
}
