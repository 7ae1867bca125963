import { Link } from 'wouter'
import type { SubscriptionRow } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { durationWords } from '../../format/words.ts'
import { t } from '../../language/current.ts'
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
  const rows = list.data?.subscriptions ?? null
  return (
    <section className="panel stack" aria-label={t.deliveries.sentElsewhere}>
      <h2>{t.deliveries.sentElsewhere}</h2>
      <Failure error={list.error ?? end.error ?? retry.error} />
      {rows?.length === 0 && (
        <Empty title={t.deliveries.nothingSent}>
          {t.deliveries.nothingHint({ choose: can('write') ? t.deliveries.chooseBelow : '' })}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <table className="cards deliveries">
          <thead>
            <tr>
              <th scope="col">{t.deliveries.queryFeed}</th>
              <th scope="col">{t.deliveries.goesTo}</th>
              <th scope="col">{t.deliveries.when}</th>
              <th scope="col">{t.deliveries.state}</th>
              {can('write') && <td />}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <DeliveryLine
                key={one.id}
                subscription={one}
                givenUp={deliveriesOf(one.id)}
                isBusy={end.isRunning}
                onEnd={can('write') ? () => end.run(one.id) : null}
                onRetry={() => retry.run(one.id)}
              />
            ))}
          </tbody>
        </table>
      )}
      {can('write') && <AddDelivery onAdded={list.reload} />}
    </section>
  )
}

interface DeliveryLineProps {
  readonly subscription: SubscriptionRow
  readonly givenUp: number
  readonly isBusy: boolean
  readonly onEnd: (() => void) | null
  readonly onRetry: () => void
}

function DeliveryLine({ subscription, givenUp, isBusy, onEnd, onRetry }: DeliveryLineProps) {
  const { feed, output, everyMs } = subscription
  return (
    <tr>
      <th scope="row">
        <Link href={`/queries/${encodeURIComponent(feed)}`}>{feed}</Link>
      </th>
      <td className="whole">
        <span className="badge">{output.kind}</span> <span className="any-break">{whereTo(subscription)}</span>
      </td>
      <td>{everyMs === null ? t.deliveries.atOnce : t.deliveries.every({ time: durationWords(everyMs) })}</td>
      <td>
        <DeliveryState subscription={subscription} />
      </td>
      {onEnd !== null && (
        <td className="actions">
          <div className="row">
            {givenUp > 0 && (
              <button type="button" className="button little" onClick={onRetry}>
                {t.deliveries.tryAgain({ items: t.deliveries.givenUp({ n: givenUp }) })}
              </button>
            )}
            <button
              type="button"
              className="button little danger"
              aria-label={t.deliveries.sendNoMoreTo({ feed, target: whereTo(subscription) })}
              disabled={isBusy}
              onClick={onEnd}
            >
              {t.deliveries.sendNoMore}
            </button>
          </div>
        </td>
      )}
    </tr>
  )
}

/** What happened last, in words; what failed, why, and when it is tried again. */
function DeliveryState({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { deliveredAt, failureCount, lastError, nextAttemptAt } = subscription
  if (failureCount === 0) {
    return (
      <span className={deliveredAt === null ? 'state none' : 'state'}>
        {deliveredAt === null ? t.deliveries.nothingSentYet : <SentAgo at={deliveredAt} />}
      </span>
    )
  }
  return (
    <div>
      <span className="state bad">{t.deliveries.failed({ times: t.common.times({ n: failureCount }) })}</span>
      <div className="small muted">
        {t.deliveries.nextTry({
          error: lastError ?? '',
          next: <TimeAgo at={nextAttemptAt} />,
          last: <TimeAgo at={deliveredAt} />,
        })}
      </div>
    </div>
  )
}

function SentAgo({ at }: { readonly at: number }) {
  return <span>{t.deliveries.sent({ when: <TimeAgo at={at} /> })}</span>
}

function whereTo({ output }: SubscriptionRow): string {
  if (output.kind === 'webhook') return output.url
  if (output.kind === 'webpush') return `a browser, by ${new URL(output.endpoint).host}`
  return output.kind === 'mail' ? output.address : output.path
}
