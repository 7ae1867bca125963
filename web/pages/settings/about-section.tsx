import { Link } from 'wouter'
import { BASE } from '../../client/base.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'

/** Which version, who is here, and where to look further. */
export function AboutSection() {
  const { me, can } = useSession()
  const isAdmin = can('admin')
  return (
    <section className="panel stack">
      <p>
        {t.settings.about({
          who: me.user === null ? t.settings.nobody : t.settings.loggedInAs({ name: me.user.name, role: me.user.role }),
          version: me.version,
        })}
      </p>
      <ul className="about-links">
        <li>
          <Link href="/audit">{isAdmin ? t.audit.auditLog : t.settings.whatYouDid}</Link>
          <span className="small muted">{t.settings.auditWords}</span>
        </li>
        {isAdmin && (
          <li>
            <Link href="/cluster">{t.settings.cluster}</Link>
            <span className="small muted">{t.settings.clusterWords}</span>
          </li>
        )}
        {isAdmin && (
          <li>
            <Link href="/network">{t.network.title}</Link>
            <span className="small muted">{t.settings.networkWords}</span>
          </li>
        )}
        <li>
          <a href={`${BASE}/feeds`}>{t.settings.publishedFeeds}</a>
          <span className="small muted">{t.settings.publishedWords}</span>
        </li>
        <li>
          <a href={`${BASE}/api/docs`}>{t.settings.api}</a>
          <span className="small muted">{t.settings.apiWords}</span>
        </li>
      </ul>
    </section>
  )
}
