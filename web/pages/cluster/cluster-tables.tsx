import type { ReactNode } from 'react'
import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { fullTime, relative } from '../../format/words.ts'
import { count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { isSilent } from './verdict.ts'

export function Members({ cluster: { members, at } }: { readonly cluster: ClusterState }) {
  const versions = new Set(members.map(({ version }) => version))
  return (
    <Table
      title={t.cluster.members}
      head={[
        t.cluster.member,
        t.cluster.roles,
        t.cluster.version,
        t.cluster.since,
        t.cluster.heartbeat,
        t.cluster.shardsHead,
        t.cluster.granted,
      ]}
      numbers={1}
    >
      {members.map((member) => (
        <tr key={member.id}>
          <th scope="row">{member.name}</th>
          <td>{member.roles.join(', ')}</td>
          <td>{versions.size > 1 ? <span className="badge">{member.version}</span> : member.version}</td>
          <td title={fullTime(member.startedAt)}>{relative(member.startedAt, at)}</td>
          <td>
            {relative(member.lastSeenAt, at)}{' '}
            {isSilent(member, at) && <span className="badge warn">{t.cluster.silent}</span>}
          </td>
          <td>{shardWords(member.shards)}</td>
          <td className="number">{figure(member.granted)}</td>
        </tr>
      ))}
    </Table>
  )
}

function shardWords(shards: Readonly<Record<string, number>>): string {
  const words = Object.entries(shards).map(([role, number]) => `${role} ${count(number)}`)
  return words.length === 0 ? '–' : words.join(', ')
}

export function LeasedRoles({ roles }: Pick<ClusterState, 'roles'>) {
  return (
    <Table
      title={t.cluster.shardsAndLeases}
      head={[t.cluster.role, t.cluster.shardsHead, t.cluster.withOwner, t.cluster.without, t.cluster.handOversHead]}
      numbers={4}
    >
      {roles.map(({ role, shards, owned, handOvers }) => (
        <tr key={role}>
          <th scope="row">{role}</th>
          <td className="number">{count(shards)}</td>
          <td className="number">{count(owned)}</td>
          <td className="number">
            {shards > owned ? <span className="badge bad">{count(shards - owned)}</span> : '0'}
          </td>
          <td className="number">{count(handOvers)}</td>
        </tr>
      ))}
    </Table>
  )
}

export function ItemReaders({ cluster: { readers } }: { readonly cluster: ClusterState }) {
  return (
    <Table
      title={t.cluster.readersOfItems}
      head={[t.cluster.reader, t.cluster.whose, t.cluster.itemsBehind]}
      numbers={1}
    >
      {readers.map(({ name, owner, backlog, isExpired }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{owner ?? '–'}</td>
          <td className="number">
            {isExpired ? <span className="badge">{t.cluster.notWaitedFor}</span> : count(backlog)}
          </td>
        </tr>
      ))}
    </Table>
  )
}

interface TableProps {
  readonly title: string
  /** The last ones, of numbers, stand on the right as their figures do. */
  readonly head: readonly string[]
  readonly numbers: number
  readonly children: readonly ReactNode[]
}

function Table({ title, head, numbers, children }: TableProps) {
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      {children.length === 0 ? (
        <p className="muted">{t.cluster.noneYet}</p>
      ) : (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={title}>
          <table className="cluster-table">
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
      )}
    </section>
  )
}
