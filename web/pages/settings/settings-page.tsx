import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { LanguageChoice } from '../../ui/language-choice.tsx'
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

const allGroups = (): readonly Group[] => [
  {
    id: 'budget',
    title: t.settings.budget,
    isForAdmins: true,
    lead: () => <BudgetLead />,
    body: () => (
      <SettingsGroup group="budget" save={t.settings.saveBudget}>
        <BudgetConsequence />
      </SettingsGroup>
    ),
  },
  {
    id: 'checking',
    title: t.settings.checking,
    isForAdmins: true,
    lead: () => t.settings.checkingLead,
    body: () => <SettingsGroup group="checking" save={t.settings.saveChecking} />,
  },
  {
    id: 'publishing',
    title: t.settings.whoMayReadTitle,
    isForAdmins: true,
    lead: () => t.settings.publishingLead,
    body: () => (
      <>
        <FeedAccessSection />
        <SettingsGroup group="publishing" save={t.settings.savePublishing} />
      </>
    ),
  },
  {
    id: 'people',
    title: t.settings.people,
    isForAdmins: true,
    lead: () => t.settings.peopleLead,
    body: () => (
      <>
        <UsersSection />
        <SettingsGroup group="people" save={t.settings.saveLimits} />
      </>
    ),
  },
  {
    id: 'you',
    title: t.settings.you,
    isForAdmins: false,
    lead: () => t.settings.youLead,
    body: () => (
      <>
        <section className="panel stack">
          <LanguageChoice />
        </section>
        <TokensSection />
        <RulesSection />
        <PasswordSection />
        <SessionsSection />
      </>
    ),
  },
  {
    id: 'mail',
    title: t.settings.mail,
    isForAdmins: true,
    lead: () => t.settings.mailLead,
    body: () => <SettingsGroup group="mail" save={t.settings.saveMail} />,
  },
  {
    id: 'storage',
    title: t.settings.storage,
    isForAdmins: true,
    lead: () => t.settings.storageLead,
    body: () => (
      <>
        <SettingsGroup group="storage" save={t.settings.saveStorage} />
        <BackupSection />
      </>
    ),
  },
  {
    id: 'node',
    title: t.settings.node,
    isForAdmins: true,
    lead: () => t.settings.nodeLead,
    body: () => <SettingsGroup group="node" save={t.settings.saveNode} />,
  },
  { id: 'about', title: t.settings.aboutTitle, isForAdmins: false, lead: () => null, body: () => <AboutSection /> },
]

/** One group at a time; `group` null: the first that one may change. */
export default function SettingsPage({ group }: { readonly group: string | null }) {
  const { can } = useSession()
  const groups = allGroups().filter(({ isForAdmins }) => !isForAdmins || can('admin'))
  const shown = groups.find(({ id }) => id === group) ?? groups[0]
  useTitle(t.settings.groupTitle({ group: shown?.title ?? '' }))
  if (shown === undefined) return null
  return (
    <div className="settings">
      <GroupLinks groups={groups} shown={shown} />
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

function GroupLinks({ groups, shown }: { readonly groups: readonly Group[]; readonly shown: Group }) {
  return (
    <nav aria-label={t.settings.groups}>
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
  )
}
