import { useState } from 'react'
import { useCall } from '../../client/use-call.ts'
import { now } from '../../format/clock.ts'
import { dateOf, exactTime, fullTime } from '../../format/words.ts'
import { t } from '../../language/current.ts'
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
    <Page title={t.audit.auditLog}>
      <p className="lead">{t.audit.lead({ who: can('admin') ? t.audit.whoDidWhat : t.audit.whatYouDid })}</p>
      <Failure error={log.error} />
      {log.data === null && log.isLoading && <Loading what={t.audit.theLog} />}
      {log.data?.entries.length === 0 && (
        <section className="panel">
          <Empty title={t.audit.nothingYet}>{t.audit.nothingHint}</Empty>
        </section>
      )}
      {log.data !== null && log.data.entries.length > 0 && (
        <ul className="panel audit" aria-label={t.audit.entries}>
          {log.data.entries.map(({ id, at, userName, address, action, subject, count }, i, all) => {
            const day = dateOf(at, now())
            const isNewDay = i === 0 || day !== dateOf(all[i - 1]?.at ?? 0, now())
            return (
              <li key={id} className={isNewDay ? 'new-day' : ''}>
                <time dateTime={new Date(at).toISOString()} title={fullTime(at)} className="muted">
                  <span className={isNewDay ? 'day' : 'visually-hidden'}>{day}</span> {exactTime(at)}
                </time>
                <strong className="clip">{userName || t.audit.nobodyKnown}</strong>
                <span>
                  <span className="badge">{t.audit.actions[action]}</span>
                  {count > 1 && ` × ${count}`}
                </span>
                <span className="small muted clip">{[subject, address].filter(Boolean).join(' · ')}</span>
              </li>
            )
          })}
        </ul>
      )}
      <div className="row">
        {cursors.length > 0 && (
          <button type="button" className="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            {t.audit.newer}
          </button>
        )}
        {next !== null && (
          <button type="button" className="button" onClick={() => setCursors([...cursors, next])}>
            {t.audit.older}
          </button>
        )}
      </div>
    </Page>
  )
}
