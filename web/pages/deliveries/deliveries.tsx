import { Link } from 'wouter'
import type { SubscriptionRow } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { formatDuration, plural } from '../../format/words.ts'
import { useSession } from '../../session/session.tsx'
import { Empty, Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { AddDelivery } from './add-delivery.tsx'

const LOOK_EVERY_MS = 15_000

/** Where the publications of one's own query feeds are sent to. */
export function Deliveries() {
  const { can } = useSession()
  const list = useCall('listSubscriptions', {}, { everyMs: LOOK_EVERY_MS })
  const letters = useCall('listDeadLetters', { query: { limit: 1_000 } }, { everyMs: LOOK_EVERY_MS })
  const end = useAction(async (id: number) => {
    await call('unsubscribe', { params: { id } })
    list.reload()
  })
  const retry = useAction(async (subscriptionId: number) => {
    await call('requeueDeadLetters', { body: { subscriptionId } })
    letters.reload()
  })
  const deliveriesOf = (id: number) =>
    (letters.data?.deadLetters ?? []).filter((one) => one.subscriptionId === id && !one.isRequeued).length
  return (
    <section className="panel stack" aria-label="What is sent elsewhere">
      <h2>What is sent elsewhere</h2>
      <Failure error={list.error ?? end.error ?? retry.error} />
      {list.data?.subscriptions.length === 0 && (
        <Empty title="Nothing is sent">
          Each new item of a query feed can go to a webhook, into a file or by mail, at once or in batches. The page of
          a query feed has a button for notifications in this browser.
        </Empty>
      )}
      {list.data !== null && list.data.subscriptions.length > 0 && (
        <ul className="subscriptions">
          {list.data.subscriptions.map((one) => (
            <li key={one.id}>
              <span className="what">
                <Link href={`/queries/${encodeURIComponent(one.feed)}`}>{one.feed}</Link> → {whereTo(one)}
              </span>
              <State subscription={one} />
              {can('write') && (
                <span className="row">
                  {deliveriesOf(one.id) > 0 && (
                    <button type="button" className="button little" onClick={() => retry.run(one.id)}>
                      Try {plural(deliveriesOf(one.id), 'given-up item')} again
                    </button>
                  )}
                  <button
                    type="button"
                    className="button little danger"
                    aria-label={`Send ${one.feed} no more to ${whereTo(one)}`}
                    disabled={end.isRunning}
                    onClick={() => end.run(one.id)}
                  >
                    Send no more
                  </button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {can('write') && <AddDelivery onAdded={list.reload} />}
    </section>
  )
}

function State({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { everyMs, deliveredAt, failureCount, lastError, nextAttemptAt } = subscription
  return (
    <span className="small muted">
      {everyMs === null ? 'at once' : `every ${formatDuration(everyMs)}`}, last <TimeAgo at={deliveredAt} />
      {failureCount > 0 && (
        <span className="badge bad">
          failed {plural(failureCount, 'time')}: {lastError}, next try <TimeAgo at={nextAttemptAt} />
        </span>
      )}
    </span>
  )
}

function whereTo({ output }: SubscriptionRow): string {
  if (output.kind === 'webhook') return output.url
  if (output.kind === 'webpush') return `a browser, by ${new URL(output.endpoint).host}`
  return output.kind === 'mail' ? output.address : `file ${output.path}`
}
