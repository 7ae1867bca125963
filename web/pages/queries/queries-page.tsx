import { Link } from 'wouter'
import type { QueryFeedRow } from '../../../src/api/operations/wire.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { percent, plural } from '../../format/words.ts'
import { useSession } from '../../session/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
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
      <Failure error={feeds.error} />
      {feeds.data === null && feeds.error === null && <Loading what="the query feeds" />}
      {feeds.data !== null && <FeedTable feeds={feeds.data.feeds} />}
      {graph.data !== null && graph.data.edges.length > 0 && <QueryGraph graph={graph.data} />}
    </Page>
  )
}

function FeedTable({ feeds }: { readonly feeds: readonly QueryFeedRow[] }) {
  if (feeds.length === 0) {
    return (
      <section className="panel">
        <Empty title="No query feeds yet">
          A query feed is a feed made of others: what you want from all your sources, and nothing else.
        </Empty>
      </section>
    )
  }
  return (
    <section className="panel" aria-label="Query feeds">
      <ul className="query-feeds">
        {feeds.map((feed) => (
          <FeedLine key={feed.name} feed={feed} />
        ))}
      </ul>
    </section>
  )
}

function FeedLine({ feed }: { readonly feed: QueryFeedRow }) {
  const sent = feed.subscriptions === 0 ? '' : ` · sent to ${plural(feed.subscriptions, 'place')}`
  return (
    <li>
      <div>
        <Link href={`/queries/${encodeURIComponent(feed.name)}`}>{feed.title ?? feed.name}</Link>
        {feed.backFill !== null && <span className="badge warn">filling, {percent(feed.backFill)}</span>}
        <p className="small muted">
          {feed.name} · of {feed.owner ?? 'the owner'} · {feed.isPrivate ? 'private' : 'public'}
          {sent}
        </p>
      </div>
      <div className="row">
        <Link className="button little" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
          Read
        </Link>
        <CopyButton text={feed.urls.atom} label="Copy address" />
      </div>
    </li>
  )
}
