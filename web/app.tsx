import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { FirstOwner, Invitation, LogIn } from './session/gates.tsx'
import { useSession } from './session/session.tsx'
import { Shell } from './shell/shell.tsx'
import { Loading } from './ui/notice.tsx'

const SourcesPage = lazy(() => import('./pages/sources/sources-page.tsx'))
const SourcePage = lazy(() => import('./pages/source/source-page.tsx'))
const QueriesPage = lazy(() => import('./pages/queries/queries-page.tsx'))
const QueryPage = lazy(() => import('./pages/queries/query-page.tsx'))
const ReadPage = lazy(() => import('./pages/read/read-page.tsx'))
const SubscriptionsPage = lazy(() => import('./pages/subscriptions/subscriptions-page.tsx'))
const LabPage = lazy(() => import('./pages/lab/lab-page.tsx'))
const SettingsPage = lazy(() => import('./pages/settings/settings-page.tsx'))
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
          <Route path="/subscriptions" component={SubscriptionsPage} />
          <Route path="/lab" component={LabPage} />
          <Route path="/settings" component={SettingsPage} />
          <Route path="/welcome" component={WelcomePage} />
          <Route>
            <Redirect to="/" />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  )
}
