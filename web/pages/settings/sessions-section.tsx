import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { cameFrom } from './origin.ts'

/** Where one is logged in. */
export function SessionsSection() {
  const sessions = useCall('listSessions', {})
  const end = useAction(async (id: string) => {
    await call('endSession', { params: { id } })
    sessions.reload()
  })
  const endOthers = useAction(async () => {
    await call('endOtherSessions')
    sessions.reload()
  })
  const others = sessions.data?.sessions.filter(({ isThis }) => !isThis) ?? []
  return (
    <section className="panel stack" aria-label={t.settings.sessions}>
      <h2>{t.settings.sessions}</h2>
      <p className="small muted">{t.settings.sessionsLead}</p>
      <ul className="lines">
        {sessions.data?.sessions.map((session) => (
          <li key={session.id} className="row apart">
            <span>
              {cameFrom(session)} {session.isThis && <span className="badge">{t.settings.thisOne}</span>}{' '}
              <span className="small muted">
                {t.settings.usedSince({
                  used: <TimeAgo at={session.lastUsedAt} />,
                  since: <TimeAgo at={session.createdAt} />,
                })}
              </span>
            </span>
            {!session.isThis && (
              <button type="button" className="button little danger" onClick={() => end.run(session.id)}>
                {t.settings.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Failure error={sessions.error ?? end.error ?? endOthers.error} />
      {others.length > 0 && (
        <div>
          <button
            type="button"
            className="button danger"
            disabled={endOthers.isRunning}
            onClick={() => endOthers.run()}
          >
            {t.settings.endOthers}
          </button>
        </div>
      )}
    </section>
  )
}
