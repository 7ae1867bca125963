import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { FirstOwner, Invitation, LogIn } from './session/gates.tsx'
import { useSession } from './session/session.tsx'
import { PageKeys } from './shell/page-keys.tsx'
import { Shell } from './shell/shell.tsx'
import { Empty, Loading } from './ui/notice.tsx'
import { Page } from './ui/page.tsx'

const SourcesPage = lazy(() => import('./pages/sources/sources-page.tsx'))
const SourcePage = lazy(() => import('./pages/source/source-page.tsx'))
const QueriesPage = lazy(() => import('./pages/queries/queries-page.tsx'))
const QueryPage = lazy(() => import('./pages/queries/query-page.tsx'))
const ReadPage = lazy(() => import('./pages/read/read-page.tsx'))
const DeliveriesPage = lazy(() => import('./pages/deliveries/deliveries-page.tsx'))
const LabPage = lazy(() => import('./pages/lab/lab-page.tsx'))
const SettingsPage = lazy(() => import('./pages/settings/settings-page.tsx'))
const AuditPage = lazy(() => import('./pages/audit/audit-page.tsx'))
const ClusterPage = lazy(() => import('./pages/cluster/cluster-page.tsx'))
const NetworkPage = lazy(() => import('./pages/network/network-page.tsx'))
const WelcomePage = lazy(() => import('./pages/welcome/welcome-page.tsx'))

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
  return (
    <Shell>
      <PageKeys />
      <Suspense fallback={<Loading what="the page" />}>
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/sources" component={SourcesPage} />
          <Route path="/sources/:id">{({ id }) => <SourcePage key={id} id={Number(id)} />}</Route>
          <Route path="/queries" component={QueriesPage} />
          <Route path="/queries/:name">{({ name }) => <QueryPage key={name} name={decodeURIComponent(name)} />}</Route>
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
    </Shell>
  )
}

function NoSuchPage() {
  const [path] = useLocation()
  return (
    <Page title="No such page">
      <section className="panel stack">
        <Empty title={`There is no page at ${path}`}>The address may be mistyped, or of another version.</Empty>
        <div>
          <Link href="/" className="button main">
            To the overview
          </Link>
        </div>
      </section>
    </Page>
  )
}
