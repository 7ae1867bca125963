import { Link } from 'wouter'
import { BASE } from '../../client/base.ts'
import type { OperationAnswer } from '../../client/call.ts'
import { useCall } from '../../client/use-call.ts'
import { alertWords } from '../../format/told-words.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

const MOST_SHOWN = 5
const ASK_EVERY_MS = 60_000

/** What was told by mail, webhook and feed, and goes on; absent where nothing does. */
export function Alerts() {
  const { data } = useCall('listAlerts', {}, { everyMs: ASK_EVERY_MS })
  const open = (data?.alerts ?? []).filter(({ endedAt }) => endedAt === null)
  if (open.length === 0) return null
  return (
    <section className="panel stack tight">
      <h2>{t.overview.alerts}</h2>
      <p className="lead">
        {t.overview.toldOnce({ feed: <a href={`${BASE}/feeds/_alerts.atom`}>{t.overview.feed}</a> })}
      </p>
      <ul className="source-list">
        {open.slice(0, MOST_SHOWN).map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  )
}

function AlertLine({ alert }: { readonly alert: OperationAnswer<'listAlerts'>['alerts'][number] }) {
  const { sourceId, toldAt } = alert
  const { message, hint } = alertWords(alert)
  return (
    <li>
      {sourceId === null ? <strong>{message}</strong> : <Link href={`/sources/${sourceId}`}>{message}</Link>}
      <TimeAgo at={toldAt} />
      <span className="why">{hint}</span>
    </li>
  )
}
