import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { BASE } from '../client/base.ts'
import { call } from '../client/call.ts'
import { t } from '../language/current.ts'
import { useSession } from '../session/session.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { AlarmList } from './alarms.tsx'
import { type Theme, useTheme } from './theme.ts'

/** In the order in which they are used; on a phone the first four are tabs, the rest is under More. */
const FIRST = [
  ['/', 'overview'],
  ['/read', 'read'],
  ['/sources', 'sources'],
  ['/queries', 'queries'],
] as const
const LATER = [
  ['/deliveries', 'deliveries'],
  ['/lab', 'lab'],
] as const
const SETTINGS = ['/settings', 'settings'] as const

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation()
  const isFirst = useRef(true)
  const main = useRef<HTMLElement>(null)
  const section = sectionOf(location)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place is what moves the focus
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [section])
  return (
    <div className="shell">
      <TopBar section={section} />
      <main id="main" ref={main} tabIndex={-1} className={section === 'read' ? 'full' : ''}>
        <AlarmList />
        {children}
      </main>
    </div>
  )
}

function TopBar({ section }: { readonly section: string }) {
  return (
    <header className="topbar">
      <a className="skip" href="#main">
        {t.shell.skip}
      </a>
      <Link href="/" className="brand">
        <img src={`${BASE}/icon.svg`} alt="" />
        <span>Headwater</span>
      </Link>
      <nav aria-label={t.shell.pagesOfNode} className="pages">
        <ul>
          {FIRST.map(([href, page]) => (
            <PageLink key={href} href={href} name={t.shell.pages[page]} icon={page} section={section} />
          ))}
          {LATER.map(([href, page]) => (
            <PageLink key={href} href={href} name={t.shell.pages[page]} section={section} isLater={true} />
          ))}
          <li>
            <More section={section} />
          </li>
        </ul>
      </nav>
      <span className="grow-phone" />
      <ThemeButton />
      <nav aria-label={t.shell.node} className="extra">
        <ul>
          <PageLink href={SETTINGS[0]} name={t.shell.pages[SETTINGS[1]]} section={section} />
        </ul>
      </nav>
      <LogOutButton />
    </header>
  )
}

interface PageLinkProps {
  readonly href: string
  readonly name: string
  readonly section: string
  readonly icon?: IconName
  readonly isLater?: boolean
}

function PageLink({ href, name, section, icon, isLater = false }: PageLinkProps) {
  return (
    <li className={isLater ? 'later' : ''}>
      <Link href={href} aria-current={`/${section}` === href ? 'page' : undefined}>
        {icon && <Icon name={icon} />}
        {name}
      </Link>
    </li>
  )
}

/** Closes with the choice, as a menu does. */
function More({ section }: { readonly section: string }) {
  const fold = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (fold.current) fold.current.open = false
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are clicked by Enter as well
    <details ref={fold} className="more" onClick={(event) => event.target instanceof HTMLAnchorElement && close()}>
      <summary>
        <Icon name="more" />
        {t.shell.more}
      </summary>
      <ul>
        {[...LATER, SETTINGS].map(([href, page]) => (
          <PageLink key={href} href={href} name={t.shell.pages[page]} section={section} />
        ))}
      </ul>
    </details>
  )
}

function sectionOf(location: string): string {
  const first = location.split('/')[1] ?? ''
  return first === 'new-query' ? 'queries' : first
}

function ThemeButton() {
  const [theme, setTheme] = useTheme()
  return (
    <button
      type="button"
      className="button quiet icon-only"
      aria-label={t.shell.theme({ theme: t.shell.themes[theme] })}
      title={t.shell.theme({ theme: t.shell.themes[theme] })}
      onClick={() => setTheme(NEXT_THEME[theme])}
    >
      <Icon name="theme" />
    </button>
  )
}

function LogOutButton() {
  const { me, setMe } = useSession()
  if (me.user === null) return null
  const logOut = async () => {
    await call('logOut')
    setMe({ ...me, user: null, rights: [] })
  }
  return (
    <button type="button" className="button quiet little" onClick={logOut}>
      {t.shell.logOut}
    </button>
  )
}
