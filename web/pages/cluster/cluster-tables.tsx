import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { fullTime, relative } from '../../format/words.ts'
import { count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { FigureTable } from '../../ui/figure-table.tsx'
import { isSilent } from './verdict.ts'

export function Members({ cluster: { members, at } }: { readonly cluster: ClusterState }) {
  const versions = new Set(members.map(({ version }) => version))
  return (
    <FigureTable
      none={t.cluster.noneYet}
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
    </FigureTable>
  )
}

function shardWords(shards: Readonly<Record<string, number>>): string {
  const words = Object.entries(shards).map(([role, number]) => `${role} ${count(number)}`)
  return words.length === 0 ? '–' : words.join(', ')
}

export function LeasedRoles({ roles }: Pick<ClusterState, 'roles'>) {
  return (
    <FigureTable
      none={t.cluster.noneYet}
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
    </FigureTable>
  )
}

export function ItemReaders({ cluster: { readers } }: { readonly cluster: ClusterState }) {
  return (
    <FigureTable
      none={t.cluster.noneYet}
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
    </FigureTable>
  )
}
