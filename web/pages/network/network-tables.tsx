import { Link } from 'wouter'
import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { formatDuration } from '../../format/words.ts'
import { count, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { FigureTable } from '../../ui/figure-table.tsx'
import { hostOf } from './network-graph.ts'

export function FollowedFeeds({ edges }: Pick<NetworkFigures, 'edges'>) {
  return (
    <FigureTable
      title={t.network.followedFeeds}
      head={[
        t.network.feed,
        t.network.node,
        t.network.hops,
        t.network.items,
        t.network.delay,
        t.network.lost,
        t.network.pushes,
        t.network.polls,
      ]}
      numbers={6}
    >
      {edges.map((edge) => (
        <tr key={edge.sourceId}>
          <th scope="row">
            <Link href={`/sources/${edge.sourceId}`}>{edge.title}</Link>{' '}
            {edge.isCircle && <span className="badge warn">{t.network.circle}</span>}
          </th>
          <td>{hostOf(edge.url)}</td>
          <td className="number">{count(edge.hops)}</td>
          <td className="number">{count(edge.items)}</td>
          <td className="number">{edge.delayMs === null ? '–' : formatDuration(edge.delayMs)}</td>
          <td className="number">{count(Math.round(edge.lost))}</td>
          <td className="number">{count(edge.pushes)}</td>
          <td className="number">{count(edge.polls)}</td>
        </tr>
      ))}
    </FigureTable>
  )
}

export function KnownNodes({ nodes }: Pick<NetworkFigures, 'nodes'>) {
  return (
    <FigureTable
      title={t.network.nodes}
      head={[
        t.network.node,
        t.network.state,
        t.network.about,
        t.network.distance,
        t.network.feeds,
        t.network.refusedHead,
      ]}
      numbers={3}
    >
      {nodes.map((node) => (
        <KnownNodeRow key={node.url} node={node} />
      ))}
    </FigureTable>
  )
}

function KnownNodeRow({ node }: { readonly node: NetworkFigures['nodes'][number] }) {
  return (
    <tr>
      <th scope="row">{hostOf(node.url)}</th>
      <td>{node.failure === null ? t.network.reached : <span className="badge warn">{node.failure.code}</span>}</td>
      <td>{node.keywords.slice(0, 5).join(', ') || '–'}</td>
      <td className="number">{node.distance === null ? '–' : node.distance.toFixed(2)}</td>
      <td className="number">{count(node.feeds)}</td>
      <td className="number">{count(node.refused)}</td>
    </tr>
  )
}

export function TrustedNodes({ peers }: Pick<NetworkFigures, 'peers'>) {
  return (
    <FigureTable
      title={t.network.sharing}
      head={[
        t.network.node,
        t.network.state,
        t.network.inCommon,
        t.network.polledThere,
        t.network.asked,
        t.network.passedOn,
        t.network.ofAlone,
        t.network.news,
        t.network.checks,
        t.network.wrong,
        t.network.learnt,
      ]}
      numbers={9}
    >
      {peers.map((peer) => (
        <TrustedNodeRow key={peer.node} peer={peer} />
      ))}
    </FigureTable>
  )
}

function TrustedNodeRow({ peer }: { readonly peer: NetworkFigures['peers'][number] }) {
  return (
    <tr>
      <th scope="row">{hostOf(peer.url)}</th>
      <td>{peer.isSilent ? <span className="badge warn">{t.network.silent}</span> : t.network.trusted}</td>
      <td className="number">{count(peer.common)}</td>
      <td className="number">{count(peer.polledThere)}</td>
      <td className="number">{count(peer.asked)}</td>
      <td className="number">{count(peer.passedOn)}</td>
      <td className="number">{shareOfAlone(peer)}</td>
      <td className="number">{count(peer.news)}</td>
      <td className="number">{count(peer.checks)}</td>
      <td className="number">{peer.lies > 0 ? <span className="badge bad">{count(peer.lies)}</span> : '0'}</td>
      <td className="number">{count(peer.learnt)}</td>
    </tr>
  )
}

/** Requests of this node to origins, of those that it would have sent without the other. */
function shareOfAlone({ asked, passedOn }: NetworkFigures['peers'][number]): string {
  return asked + passedOn === 0 ? '–' : percent(asked / (asked + passedOn))
}
