import { useEffect, useState } from 'react'
import { call } from '../../client/call.ts'
import { canNotify, notifyOf, ownEndpoint } from '../../client/notifications.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Failure } from '../../ui/notice.tsx'

/** Shows what a query feed publishes as notifications of this browser, or ends that. */
export function NotifyButton({ feed }: { readonly feed: string }) {
  const { can } = useSession()
  const { id, change } = useNotifications(feed)
  if (!can('write') || !canNotify()) return null
  return (
    <>
      <button
        type="button"
        className="button little"
        aria-pressed={id !== null}
        disabled={change.isRunning}
        onClick={() => change.run()}
      >
        {id === null ? t.queries.notifyMe : t.queries.notified}
      </button>
      <Failure error={change.error} />
    </>
  )
}

/** `id`: of the subscription that leads to this browser; null: there is none. */
function useNotifications(feed: string) {
  const list = useCall('listSubscriptions', { query: { feed } })
  const [endpoint, setEndpoint] = useState<string | null>(null)
  const look = async () => setEndpoint(canNotify() ? await ownEndpoint() : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; afterwards each change looks again.
  useEffect(() => void look(), [])
  const own = list.data?.subscriptions.find(
    ({ output }) => output.kind === 'webpush' && output.endpoint === endpoint && endpoint !== null,
  )
  const change = useAction(async () => {
    if (own === undefined) await notifyOf(feed)
    else await call('unsubscribe', { params: { id: own.id } })
    await look()
    list.reload()
  })
  return { id: own?.id ?? null, change }
}
