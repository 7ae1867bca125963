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
    <section className="panel scroll-x" tabIndex={0} aria-label="Query feeds">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Title</th>
            <th>Of</th>
            <th>Access</th>
            <th>Sent to</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {feeds.map((feed) => (
            <tr key={feed.name}>
              <td>
                <Link href={`/queries/${encodeURIComponent(feed.name)}`}>{feed.name}</Link>
                {feed.backFill !== null && <span className="badge warn">filling, {percent(feed.backFill)}</span>}
              </td>
              <td>{feed.title ?? ''}</td>
              <td>{feed.owner ?? 'the owner'}</td>
              <td>{feed.isPrivate ? 'private' : 'public'}</td>
              <td>{feed.subscriptions === 0 ? '–' : plural(feed.subscriptions, 'place')}</td>
              <td>
                <div className="row">
                  <Link className="button little" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
                    Read
                  </Link>
                  <CopyButton text={feed.urls.atom} label="Copy address" />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
