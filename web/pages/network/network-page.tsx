import { useCallback } from 'react'
import type { NetworkState } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { plural } from '../../format/words.ts'
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
      <Page title="Network">
        <section className="panel">
          <Empty title="For the owner of the node">It names other nodes, and what is followed of them.</Empty>
        </section>
      </Page>
    )
  }
  return (
    <Page title="Network">
      <Failure error={error} />
      {data === null && error === null && <Loading what="the network" />}
      {data !== null &&
        (data.nodes.length === 0 && data.peers.length === 0 ? <Alone /> : <Known network={data} reload={reload} />)}
    </Page>
  )
}

function Known({ network, reload }: { readonly network: NetworkState; readonly reload: () => void }) {
  return (
    <>
      <NetworkPicture network={network} />
      <Proposal network={network} reload={reload} />
      <FollowedFeeds edges={network.edges} />
      <KnownNodes nodes={network.nodes} />
      <TrustedNodes peers={network.peers} />
      <p className="muted">
        This node is {network.node}, key {network.fingerprint}.{' '}
        {network.refusals.map(({ code, count }) => `${code}: ${count} refused. `)}
      </p>
    </>
  )
}

function Proposal({ network: { proposal }, reload }: { readonly network: NetworkState; readonly reload: () => void }) {
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
      <h2>Proposed</h2>
      <Failure error={error} />
      <ul>
        {proposal.follow.map((feed) => (
          <li key={feed.url}>
            Follow {feed.title} ({feed.url}): best for {plural(feed.sources, 'source')}, hops + α·distance{' '}
            {feed.cost.toFixed(2)}
          </li>
        ))}
        {proposal.leave.map((url) => (
          <li key={url}>Pause {url}: another is better</li>
        ))}
      </ul>
      <div>
        <button type="button" className="button main" disabled={isRunning} onClick={() => void run()}>
          Confirm
        </button>
      </div>
    </section>
  )
}

function Alone() {
  const join = 'headwater network join https://feeds.example.org'
  return (
    <section className="panel stack">
      <Empty title="No other node yet">
        Nodes can follow each other's query feeds, and share the polling of sources that they have in common.
      </Empty>
      <div className="row">
        <code className="grow">{join}</code>
        <CopyButton text={join} />
      </div>
      <p className="muted">It proposes what to follow, and asks before it does. docs/network.md has the whole way.</p>
    </section>
  )
}
