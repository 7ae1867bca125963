import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { loadCode } from './client/load-code.ts'
import { loadPageWords, t } from './language/current.ts'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { FirstOwner, Invitation, LogIn } from './session/gates.tsx'
import { useSession } from './session/session.tsx'
import { BrokenPage } from './shell/broken-page.tsx'
import { PageKeys } from './shell/page-keys.tsx'
import { Shell } from './shell/shell.tsx'
import { Empty, Loading } from './ui/notice.tsx'
import { Page } from './ui/page.tsx'

const SourcesPage = lazy(() => page(() => import('./pages/sources/sources-page.tsx')))
const SourcePage = lazy(() => page(() => import('./pages/source/source-page.tsx')))
const QueriesPage = lazy(() => page(() => import('./pages/queries/queries-page.tsx')))
const QueryPage = lazy(() => page(() => import('./pages/queries/query-page.tsx')))
const ReadPage = lazy(() => page(() => import('./pages/read/read-page.tsx')))
const DeliveriesPage = lazy(() => page(() => import('./pages/deliveries/deliveries-page.tsx')))
const LabPage = lazy(() => page(() => import('./pages/lab/lab-page.tsx')))
const SettingsPage = lazy(() => page(() => import('./pages/settings/settings-page.tsx')))
const AuditPage = lazy(() => page(() => import('./pages/audit/audit-page.tsx')))
const ClusterPage = lazy(() => page(() => import('./pages/cluster/cluster-page.tsx')))
const NetworkPage = lazy(() => page(() => import('./pages/network/network-page.tsx')))
const WelcomePage = lazy(() => page(() => import('./pages/welcome/welcome-page.tsx')))

/** Its code and its words come side by side. */
async function page<T>(code: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([loadCode(code), loadCode(loadPageWords)])
  return loaded
}

export function App() {
  const { me, can } = useSession()
  if (me.needsOwner) return <FirstOwner />
  return (
    <Switch>
      <Route path="/invitation">
        <Invitation secret={location.hash.slice(1)} />
      </Route>
      <Route>{can('read') ? <Pages /> : <LogIn />}</Route>
    </Switch>
  )
}

function Pages() {
  const [path] = useLocation()
  return (
    <Shell>
      <PageKeys />
      <BrokenPage path={path}>
        <Suspense fallback={<Loading what={t.shell.thePage} />}>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/sources" component={SourcesPage} />
            <Route path="/sources/:id">{({ id }) => <SourcePage key={id} id={Number(id)} />}</Route>
            <Route path="/queries" component={QueriesPage} />
            <Route path="/queries/:name">
              {({ name }) => <QueryPage key={name} name={decodeURIComponent(name)} />}
            </Route>
            <Route path="/new-query">
              <QueryPage name={null} />
            </Route>
            <Route path="/read" component={ReadPage} />
            <Route path="/deliveries" component={DeliveriesPage} />
            <Route path="/subscriptions">
              <Redirect to="/deliveries" replace={true} />
            </Route>
            <Route path="/lab" component={LabPage} />
            <Route path="/settings">
              <SettingsPage group={null} />
            </Route>
            <Route path="/settings/:group">{({ group }) => <SettingsPage group={group} />}</Route>
            <Route path="/audit" component={AuditPage} />
            <Route path="/cluster" component={ClusterPage} />
            <Route path="/network" component={NetworkPage} />
            <Route path="/welcome" component={WelcomePage} />
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </BrokenPage>
    </Shell>
  )
}

function NoSuchPage() {
  const [path] = useLocation()
  return (
    <Page title={t.shell.noSuchPage}>
      <section className="panel stack">
        <Empty title={t.shell.noPageAt({ path })}>{t.shell.mistyped}</Empty>
        <div>
          <Link href="/" className="button main">
            {t.shell.toOverview}
          </Link>
        </div>
      </section>
    </Page>
  )
}
