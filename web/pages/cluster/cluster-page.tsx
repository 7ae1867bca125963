import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
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
      <Page title={t.cluster.title}>
        <section className="panel">
          <Empty title={t.cluster.forOwner}>{t.cluster.namesMachines}</Empty>
        </section>
      </Page>
    )
  }
  return (
    <Page title={t.cluster.title}>
      <Failure error={error} />
      {data === null && error === null && <Loading what={t.cluster.theCluster} />}
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
      <h2>{t.cluster.database}</h2>
      <p>{durabilityWords(durability)}</p>
    </section>
  )
}

function Alone({ folder }: { readonly folder: string }) {
  const move = `headwater move --from ${folder} --to postgres://USER:PASSWORD@HOST/DATABASE`
  const serve = 'headwater serve --store postgres://USER:PASSWORD@HOST/DATABASE'
  return (
    <section className="panel stack">
      <Empty title={t.cluster.oneNode}>{t.cluster.oneNodeWords({ folder })}</Empty>
      <div className="stack tight">
        <h2>{t.cluster.toBecome}</h2>
        <p>{t.cluster.makeDatabase}</p>
        <Command text={move} />
        <p>{t.cluster.thenStart}</p>
        <Command text={serve} />
        <p className="muted">{t.cluster.wholeWay}</p>
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
