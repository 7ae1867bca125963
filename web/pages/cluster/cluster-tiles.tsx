import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { count, figure, formatDuration, plural } from '../../format/words.ts'
import { Tile } from '../../ui/tile.tsx'
import { isSilent } from './verdict.ts'

export function ClusterTiles({ cluster }: { readonly cluster: ClusterState }) {
  const { at, members, roles, price, readers } = cluster
  const silent = members.filter((member) => isSilent(member, at)).length
  const free = roles.reduce((sum, { shards, owned }) => sum + shards - owned, 0)
  const handOvers = roles.reduce((sum, one) => sum + one.handOvers, 0)
  const behind = readers.filter(({ isExpired }) => !isExpired).map(({ backlog }) => backlog)
  return (
    <section className="tiles" aria-label="The cluster now">
      <Tile
        name="Members"
        value={count(members.length - silent)}
        look={silent > 0 ? 'warn' : ''}
        note={silent > 0 ? `${count(silent)} more not heard of` : 'processes that say they are there'}
      />
      <Tile
        name="Shards without owner"
        value={count(free)}
        look={free > 0 ? 'bad' : ''}
        note={`${plural(handOvers, 'hand-over')} since the cluster was made`}
      />
      <Tile
        name="Price τ"
        value={price === null ? '–' : figure(price.price)}
        note={
          price === null
            ? 'nobody has set one yet'
            : `what a refresh must be worth (${price.strategy}), set ${formatDuration(price.ageMs)} ago`
        }
      />
      <BudgetTile budget={cluster.budget} />
      <Tile
        name="Farthest behind"
        value={behind.length === 0 ? '–' : count(Math.max(...behind))}
        note="items that the slowest reader has not read yet"
      />
    </section>
  )
}

function BudgetTile({ budget }: Pick<ClusterState, 'budget'>) {
  if (budget === null) return <Tile name="Granted" value="–" note="no crawler has said yet what may be spent" />
  const limit =
    budget.limit === null
      ? ''
      : `; ${figure(budget.spent)} of ${figure(budget.limit.amount)} spent in ${formatDuration(budget.limit.spanMs)}`
  return (
    <Tile
      name="Granted"
      value={figure(budget.granted)}
      note={`requests in hand; ${figure(budget.balance)} more could be granted now${limit}`}
    />
  )
}
