import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { formatDuration } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { hostOf } from './network-graph.ts'

export function FollowedFeeds({ edges }: Pick<NetworkFigures, 'edges'>) {
  return (
    <Table
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
    </Table>
  )
}

export function KnownNodes({ nodes }: Pick<NetworkFigures, 'nodes'>) {
  return (
    <Table
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
    </Table>
  )
}

function KnownNodeRow({ node }: { readonly node: NetworkFigures['nodes'][number] }) {
  return (
    <tr>
      <th scope="row">{hostOf(node.url)}</th>
      <td>{node.failure === null ? 'reached' : <span className="badge warn">{node.failure.code}</span>}</td>
      <td>{node.keywords.slice(0, 5).join(', ') || '–'}</td>
      <td className="number">{node.distance === null ? '–' : node.distance.toFixed(2)}</td>
      <td className="number">{count(node.feeds)}</td>
      <td className="number">{count(node.refused)}</td>
    </tr>
  )
}

export function TrustedNodes({ peers }: Pick<NetworkFigures, 'peers'>) {
  return (
    <Table
      title={t.network.sharing}
      head={[
        t.network.node,
        t.network.state,
        t.network.inCommon,
        t.network.polledThere,
        t.network.passedOn,
        t.network.news,
        t.network.checks,
        t.network.wrong,
      ]}
      numbers={6}
    >
      {peers.map((peer) => (
        <TrustedNodeRow key={peer.node} peer={peer} />
      ))}
    </Table>
  )
}

function TrustedNodeRow({ peer }: { readonly peer: NetworkFigures['peers'][number] }) {
  return (
    <tr>
      <th scope="row">{hostOf(peer.url)}</th>
      <td>{peer.isSilent ? <span className="badge warn">{t.network.silent}</span> : 'trusted'}</td>
      <td className="number">{count(peer.common)}</td>
      <td className="number">{count(peer.polledThere)}</td>
      <td className="number">{count(peer.passedOn)}</td>
      <td className="number">{count(peer.news)}</td>
      <td className="number">{count(peer.checks)}</td>
      <td className="number">{peer.lies > 0 ? <span className="badge bad">{count(peer.lies)}</span> : '0'}</td>
    </tr>
  )
}

interface TableProps {
  readonly title: string
  readonly head: readonly string[]
  /** The last ones, of numbers. */
  readonly numbers?: number
  readonly children: readonly ReactNode[]
}

function Table({ title, head, numbers = 6, children }: TableProps) {
  if (children.length === 0) return null
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={title}>
        <table className="network-table">
          <thead>
            <tr>
              {head.map((name, place) => (
                <th key={name} scope="col" className={place < head.length - numbers ? '' : 'number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  )
}
