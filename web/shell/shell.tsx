import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../client/call.ts'
import { useSession } from '../session/session.tsx'
import { AlarmList } from './alarms.tsx'
import { type Theme, useTheme } from './theme.ts'

const SECTIONS = [
  ['/', 'Overview'],
  ['/sources', 'Sources'],
  ['/queries', 'Queries'],
  ['/read', 'Read'],
  ['/subscriptions', 'Subscriptions'],
  ['/lab', 'Lab'],
  ['/settings', 'Settings'],
] as const

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
        Skip to content
      </a>
      <Link href="/" className="brand">
        <img src="/icon.svg" alt="" />
        <span>Headwater</span>
      </Link>
      <PageLinks section={section} />
      <span className="grow-phone" />
      <ThemeButton />
      <LogOutButton />
    </header>
  )
}

function PageLinks({ section }: { readonly section: string }) {
  return (
    <nav aria-label="Pages">
      <ul>
        {SECTIONS.map(([href, name]) => (
          <li key={href}>
            <Link href={href} aria-current={`/${section}` === href ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function sectionOf(location: string): string {
  const first = location.split('/')[1] ?? ''
  return first === 'new-query' ? 'queries' : first
}

function ThemeButton() {
  const [theme, setTheme] = useTheme()
  return (
    <button type="button" className="button quiet little" onClick={() => setTheme(NEXT_THEME[theme])}>
      Theme: {theme}
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
      Log out
    </button>
  )
}
