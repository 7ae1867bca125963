import { Link } from 'wouter'
import type { HubOverview } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

const LOOK_EVERY_MS = 15_000

/** Programs of others that have subscribed at the hub to one's own query feeds, or to the node's; and what it has refused. */
export function HubSubscribers() {
  const { data, error } = useCall('showHub', { query: { limit: 100 } }, { everyMs: LOOK_EVERY_MS })
  if (data === null) return <Failure error={error} />
  return (
    <>
      <SubscribedFeeds feeds={data.feeds} />
      <Subscribers subscribers={data.subscribers} />
      <RefusedCallsTable refused={data.refused} />
    </>
  )
}

function SubscribedFeeds({ feeds }: Pick<HubOverview, 'feeds'>) {
  return (
    <FigureTable
      title={t.deliveries.hubFeeds}
      head={[t.deliveries.hubFeed, t.deliveries.hubSubscribers, t.deliveries.hubFailing]}
      numbers={2}
    >
      {feeds.map(({ feed, subscribers, failing }) => (
        <tr key={feed}>
          <th scope="row">
            {feed.startsWith('/') ? feed : <Link href={`/queries/${encodeURIComponent(feed)}`}>{feed}</Link>}
          </th>
          <td className="number">{count(subscribers)}</td>
          <td className="number">{count(failing)}</td>
        </tr>
      ))}
    </FigureTable>
  )
}

function Subscribers({ subscribers }: Pick<HubOverview, 'subscribers'>) {
  return (
    <FigureTable
      title={t.deliveries.hubSubscribers}
      head={[
        t.deliveries.goesTo,
        t.deliveries.hubFeed,
        t.deliveries.hubLastSent,
        t.deliveries.hubLeaseEnds,
        t.deliveries.state,
      ]}
      numbers={0}
    >
      {subscribers.map(({ id, host, feed, format, deliveredAt, leaseEndsAt, lastError }) => (
        <tr key={id}>
          <th scope="row">{host}</th>
          <td>
            {feed} <span className="badge">{format}</span>
          </td>
          <td>{deliveredAt === null ? t.deliveries.nothingSentYet : <TimeAgo at={deliveredAt} />}</td>
          <td>
            <TimeAgo at={leaseEndsAt} />
          </td>
          <td>{lastError === null ? '–' : <span className="badge warn">{lastError}</span>}</td>
        </tr>
      ))}
    </FigureTable>
  )
}

function RefusedCallsTable({ refused }: Pick<HubOverview, 'refused'>) {
  return (
    <FigureTable title={t.deliveries.hubRefused} head={[t.deliveries.hubReason, t.deliveries.hubTimes]} numbers={1}>
      {refused.map(({ door, code, count: times }) => (
        <tr key={`${door} ${code}`}>
          <th scope="row">
            <code>{code}</code> <span className="badge">{door}</span>
          </th>
          <td className="number">{count(times)}</td>
        </tr>
      ))}
    </FigureTable>
  )
}
