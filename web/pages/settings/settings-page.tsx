import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSession } from '../../session/session.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AboutSection } from './about-section.tsx'
import { BackupSection } from './backup-section.tsx'
import { BudgetConsequence } from './budget-consequence.tsx'
import { BudgetLead } from './budget-lead.tsx'
import { FeedAccessSection } from './feed-access-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RulesSection } from './rules-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import './settings.css'
import { SettingsGroup } from './settings-group.tsx'
import { TokensSection } from './tokens-section.tsx'
import { UsersSection } from './users-section.tsx'

interface Group {
  readonly id: string
  readonly title: string
  readonly isForAdmins: boolean
  /** What the group is about, in a sentence. */
  readonly lead: () => ReactNode
  readonly body: () => ReactNode
}

const GROUPS: readonly Group[] = [
  {
    id: 'budget',
    title: 'Budget',
    isForAdmins: true,
    lead: () => <BudgetLead />,
    body: () => (
      <SettingsGroup group="budget" save="Save budget">
        <BudgetConsequence />
      </SettingsGroup>
    ),
  },
  {
    id: 'checking',
    title: 'Checking',
    isForAdmins: true,
    lead: () => 'How feeds are asked, and how politely.',
    body: () => <SettingsGroup group="checking" save="Save checking" />,
  },
  {
    id: 'publishing',
    title: 'Who may read',
    isForAdmins: true,
    lead: () => 'The feeds that this node publishes, for whom, and how they go out.',
    body: () => (
      <>
        <FeedAccessSection />
        <SettingsGroup group="publishing" save="Save publishing" />
      </>
    ),
  },
  {
    id: 'people',
    title: 'People',
    isForAdmins: true,
    lead: () => 'Who else uses this node, and how much each of them may have.',
    body: () => (
      <>
        <UsersSection />
        <SettingsGroup group="people" save="Save limits" />
      </>
    ),
  },
  {
    id: 'you',
    title: 'You',
    isForAdmins: false,
    lead: () => 'Your programs and reader apps, your rules, your password, and where you are logged in.',
    body: () => (
      <>
        <TokensSection />
        <RulesSection />
        <PasswordSection />
        <SessionsSection />
      </>
    ),
  },
  {
    id: 'mail',
    title: 'Mail and alerts',
    isForAdmins: true,
    lead: () => 'Sending mail, taking letters as items, and being told of trouble.',
    body: () => <SettingsGroup group="mail" save="Save mail" />,
  },
  {
    id: 'storage',
    title: 'Storage',
    isForAdmins: true,
    lead: () => 'How long items are kept, how much room they may take, and backups.',
    body: () => (
      <>
        <SettingsGroup group="storage" save="Save storage" />
        <BackupSection />
      </>
    ),
  },
  {
    id: 'node',
    title: 'Node',
    isForAdmins: true,
    lead: () => 'Where it listens, and what it writes down.',
    body: () => <SettingsGroup group="node" save="Save node" />,
  },
  { id: 'about', title: 'About', isForAdmins: false, lead: () => null, body: () => <AboutSection /> },
]

/** One group at a time; `group` null: the first that one may change. */
export default function SettingsPage({ group }: { readonly group: string | null }) {
  const { can } = useSession()
  const groups = GROUPS.filter(({ isForAdmins }) => !isForAdmins || can('admin'))
  const shown = groups.find(({ id }) => id === group) ?? groups[0]
  useTitle(`${shown?.title ?? ''} · Settings`)
  if (shown === undefined) return null
  return (
    <div className="settings">
      <nav aria-label="Groups of settings">
        <ul>
          {groups.map(({ id, title }) => (
            <li key={id}>
              <Link href={`/settings/${id}`} aria-current={id === shown.id ? 'page' : undefined}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="stack" key={shown.id}>
        <div>
          <h1>{shown.title}</h1>
          <p className="settings-lead">{shown.lead()}</p>
        </div>
        {shown.body()}
      </div>
    </div>
  )
}
