import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { useSession } from '../../session/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ItemReaders, LeasedRoles, Members } from './cluster-tables.tsx'
import './cluster.css'
import { ClusterTiles } from './cluster-tiles.tsx'
import { SpendingChart } from './spending-chart.tsx'
import { durabilityWords, verdictOf } from './verdict.ts'

const LOOK_EVERY_MS = 3_000

/** The processes on the same data: who is there, who does what, what is spent, who is behind. */
export default function ClusterPage() {
  const { can } = useSession()
  const isAdmin = can('admin')
  const { data, error } = useCall('showCluster', {}, { everyMs: LOOK_EVERY_MS, skip: !isAdmin })
  if (!isAdmin) {
    return (
      <Page title="Cluster">
        <section className="panel">
          <Empty title="For the owner of the node">It names machines, and what each of them does.</Empty>
        </section>
      </Page>
    )
  }
  return (
    <Page title="Cluster">
      <Failure error={error} />
      {data === null && error === null && <Loading what="the cluster" />}
      {data !== null && (data.cluster === null ? <Alone folder={data.data} /> : <Together cluster={data.cluster} />)}
    </Page>
  )
}

function Together({ cluster }: { readonly cluster: ClusterState }) {
  return (
    <>
      <Standing cluster={cluster} />
      <ClusterTiles cluster={cluster} />
      <Members cluster={cluster} />
      <div className="halves">
        <SpendingChart cluster={cluster} />
        <LeasedRoles roles={cluster.roles} />
        <ItemReaders cluster={cluster} />
        <DatabaseSafety cluster={cluster} />
      </div>
    </>
  )
}

function Standing({ cluster }: { readonly cluster: ClusterState }) {
  const { isWell, words } = verdictOf(cluster)
  const [first, ...others] = words
  return (
    <div className="cluster-verdict" role="status">
      <p className={isWell ? '' : 'needs-you'}>{first}</p>
      {others.length > 0 && (
        <ul className="notice warn">
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function DatabaseSafety({ cluster: { durability } }: { readonly cluster: ClusterState }) {
  return (
    <section className="panel stack tight">
      <h2>Database</h2>
      <p>{durabilityWords(durability)}</p>
    </section>
  )
}

function Alone({ folder }: { readonly folder: string }) {
  const move = `headwater move --from ${folder} --to postgres://USER:PASSWORD@HOST/DATABASE`
  const serve = 'headwater serve --store postgres://USER:PASSWORD@HOST/DATABASE'
  return (
    <section className="panel stack">
      <Empty title="One node alone">
        Its data is in {folder}, and one process does all the work. That is enough for most: a cluster is for who
        follows more feeds than one machine can, or must not stop when a machine does.
      </Empty>
      <div className="stack tight">
        <h2>To become a cluster</h2>
        <p>Make a database on a PostgreSQL server, stop this node, and move its data there:</p>
        <Command text={move} />
        <p>Then start any number of processes on it, on any machines; --role says what each of them does:</p>
        <Command text={serve} />
        <p className="muted">docs/cluster.md has the whole way, from a laptop to several machines.</p>
      </div>
    </section>
  )
}

function Command({ text }: { readonly text: string }) {
  return (
    <div className="row">
      <code className="grow">{text}</code>
      <CopyButton text={text} />
    </div>
  )
}
