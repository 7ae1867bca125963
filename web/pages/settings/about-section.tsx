import { Link } from 'wouter'
import { BASE } from '../../client/base.ts'
import { useSession } from '../../session/session.tsx'

/** Which version, who is here, and where to look further. */
export function AboutSection() {
  const { me, can } = useSession()
  const isAdmin = can('admin')
  return (
    <section className="panel stack">
      <p>
        {me.user === null ? 'Nobody is logged in' : `Logged in as ${me.user.name} (${me.user.role})`}. Headwater{' '}
        {me.version}.
      </p>
      <ul className="about-links">
        <li>
          <Link href="/audit">{isAdmin ? 'Audit log' : 'What you did'}</Link>
          <span className="small muted">log-ins, rights, tokens, settings and removals, newest first</span>
        </li>
        {isAdmin && (
          <li>
            <Link href="/cluster">Cluster</Link>
            <span className="small muted">the processes on the same data, and who does what</span>
          </li>
        )}
        {isAdmin && (
          <li>
            <Link href="/network">Network</Link>
            <span className="small muted">other nodes, what is followed there, and work shared with them</span>
          </li>
        )}
        <li>
          <a href={`${BASE}/feeds`}>Published feeds</a>
          <span className="small muted">what anybody can subscribe to</span>
        </li>
        <li>
          <a href={`${BASE}/api/docs`}>API</a>
          <span className="small muted">every operation with what it takes and gives</span>
        </li>
      </ul>
    </section>
  )
}
