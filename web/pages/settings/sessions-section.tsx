import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
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
    <section className="panel stack" aria-label="Sessions">
      <h2>Sessions</h2>
      <p className="small muted">Where you are logged in. What you do not know, end, and change your password.</p>
      <ul className="lines">
        {sessions.data?.sessions.map((session) => (
          <li key={session.id} className="row apart">
            <span>
              {cameFrom(session)} {session.isThis && <span className="badge">this one</span>}{' '}
              <span className="small muted">
                used <TimeAgo at={session.lastUsedAt} />, since <TimeAgo at={session.createdAt} />
              </span>
            </span>
            {!session.isThis && (
              <button type="button" className="button little danger" onClick={() => end.run(session.id)}>
                End
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
            End all others
          </button>
        </div>
      )}
    </section>
  )
}
