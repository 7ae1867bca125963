import { Link } from 'wouter'
import { BASE } from '../../client/base.ts'
import { useCall } from '../../client/use-call.ts'
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
      <h2>Alerts</h2>
      <p className="lead">
        Each trouble is told once, also as a <a href={`${BASE}/feeds/_alerts.atom`}>feed</a>.
      </p>
      <ul className="source-list">
        {open.slice(0, MOST_SHOWN).map(({ id, sourceId, title, hint, toldAt }) => (
          <li key={id}>
            {sourceId === null ? <strong>{title}</strong> : <Link href={`/sources/${sourceId}`}>{title}</Link>}
            <TimeAgo at={toldAt} />
            <span className="why">{hint}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
