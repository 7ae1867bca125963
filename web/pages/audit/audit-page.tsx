import { useState } from 'react'
import { useCall } from '../../client/use-call.ts'
import { fullTime } from '../../format/words.ts'
import { useSession } from '../../session/session.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import './audit.css'

const PAGE = 100

/** Who did what: everything for admins, else one's own actions and failed log-ins to one's account. */
export default function AuditPage() {
  const { can } = useSession()
  /** Where the pages begin that were gone through to get here. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const log = useCall('listAudit', { query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) } })
  const next = log.data?.next ?? null
  return (
    <Page title="Audit log">
      <p className="muted">
        {can('admin') ? 'Who did what on this node' : 'What you did, and who failed to log in as you'}: log-ins, rights,
        tokens, settings and removals, newest first.
      </p>
      <Failure error={log.error} />
      {log.data === null && log.isLoading && <Loading what="the log" />}
      {log.data?.entries.length === 0 && <Empty title="Nothing yet" />}
      <ul className="panel audit" aria-label="Entries">
        {log.data?.entries.map(({ id, at, userName, address, action, subject, count }) => (
          <li key={id}>
            <time dateTime={new Date(at).toISOString()} className="muted">
              {fullTime(at)}
            </time>
            <span className="clip">{userName || 'nobody who is known'}</span>
            <span>
              <span className="badge">{action}</span>
              {count > 1 && ` × ${count}`}
            </span>
            <span className="small muted clip">{[subject, address].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <div className="row">
        {cursors.length > 0 && (
          <button type="button" className="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        )}
        {next !== null && (
          <button type="button" className="button" onClick={() => setCursors([...cursors, next])}>
            Older
          </button>
        )}
      </div>
    </Page>
  )
}
