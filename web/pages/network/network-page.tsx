import { useCallback } from 'react'
import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import './network.css'
import { NetworkPicture } from './network-picture.tsx'
import { FollowedFeeds, KnownNodes, TrustedNodes } from './network-tables.tsx'

const LOOK_EVERY_MS = 10_000

/** Other nodes: who reads whom, how late, what is proposed, and who shares the polling. */
export default function NetworkPage() {
  const { can } = useSession()
  const isAdmin = can('admin')
  const { data, error, reload } = useCall('showNetwork', {}, { everyMs: LOOK_EVERY_MS, skip: !isAdmin })
  if (!isAdmin) {
    return (
      <Page title={t.network.title}>
        <section className="panel">
          <Empty title={t.cluster.forOwner}>{t.network.namesNodes}</Empty>
        </section>
      </Page>
    )
  }
  return (
    <Page title={t.network.title}>
      <Failure error={error} />
      {data === null && error === null && <Loading what={t.network.theNetwork} />}
      {data !== null &&
        (data.nodes.length === 0 && data.peers.length === 0 ? <Alone /> : <Known network={data} reload={reload} />)}
    </Page>
  )
}

function Known({ network, reload }: { readonly network: NetworkFigures; readonly reload: () => void }) {
  return (
    <>
      <NetworkPicture network={network} />
      <Proposal network={network} reload={reload} />
      <FollowedFeeds edges={network.edges} />
      <KnownNodes nodes={network.nodes} />
      <TrustedNodes peers={network.peers} />
      <p className="muted">
        {t.network.thisNodeIs({
          node: network.node,
          key: network.fingerprint,
          refusals: network.refusals.map(({ code, count }) => t.network.refused({ code, n: count })),
        })}
      </p>
    </>
  )
}

function Proposal({
  network: { proposal },
  reload,
}: {
  readonly network: NetworkFigures
  readonly reload: () => void
}) {
  const apply = useCallback(async () => {
    if (proposal === null) return
    await call('applyNetworkProposal', {
      body: { feeds: [...proposal.follow.map(({ url }) => url), ...proposal.leave] },
    })
    reload()
  }, [proposal, reload])
  const { run, isRunning, error } = useAction(apply)
  if (proposal === null || proposal.follow.length + proposal.leave.length === 0) return null
  return (
    <section className="panel stack tight">
      <h2>{t.network.proposed}</h2>
      <Failure error={error} />
      <ul>
        {proposal.follow.map((feed) => (
          <li key={feed.url}>
            {t.network.proposeFollow({
              title: feed.title,
              url: feed.url,
              sources: t.common.sources({ n: feed.sources }),
              cost: feed.cost.toFixed(2),
            })}
          </li>
        ))}
        {proposal.leave.map((url) => (
          <li key={url}>{t.network.proposePause({ url })}</li>
        ))}
      </ul>
      <div>
        <button type="button" className="button main" disabled={isRunning} onClick={() => void run()}>
          {t.network.confirm}
        </button>
      </div>
    </section>
  )
}

function Alone() {
  const join = 'headwater network join https://feeds.example.org'
  return (
    <section className="panel stack">
      <Empty title={t.network.noOther}>{t.network.noOtherWords}</Empty>
      <div className="row">
        <code className="grow">{join}</code>
        <CopyButton text={join} />
      </div>
      <p className="muted">{t.network.proposes}</p>
    </section>
  )
}
