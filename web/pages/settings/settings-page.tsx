import { Link } from 'wouter'
import { BASE } from '../../client/base.ts'
import { useSession } from '../../session/session.tsx'
import { Page } from '../../ui/page.tsx'
import { BackupSection } from './backup-section.tsx'
import { BudgetSection } from './budget-section.tsx'
import { FeedAccessSection } from './feed-access-section.tsx'
import { NodeSettingsSection } from './node-settings-section.tsx'
import { PasswordSection } from './password-section.tsx'
import './settings.css'
import { RulesSection } from './rules-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import { UsersSection } from './users-section.tsx'

export default function SettingsPage() {
  const { me, can } = useSession()
  const isAdmin = can('admin')
  return (
    <Page title="Settings">
      <p className="muted">
        {me.user === null ? 'Nobody is logged in' : `Logged in as ${me.user.name} (${me.user.role})`} · Headwater{' '}
        {me.version} · <a href={`${BASE}/api/docs`}>API</a> ·{' '}
        <Link href="/audit">{isAdmin ? 'Audit log' : 'What you did'}</Link>
        {isAdmin && (
          <>
            {' · '}
            <Link href="/cluster">Cluster</Link>
          </>
        )}
      </p>
      <div className="settings-grid">
        <BudgetSection canChange={isAdmin} />
        <RulesSection />
        <TokensSection />
        <SessionsSection />
        <PasswordSection />
        {isAdmin && <AdminSections />}
      </div>
    </Page>
  )
}

function AdminSections() {
  return (
    <>
      <UsersSection />
      <FeedAccessSection />
      <BackupSection />
      <NodeSettingsSection />
    </>
  )
}
