import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { formatDuration } from '../../format/words.ts'
import { count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Tile } from '../../ui/tile.tsx'
import { isSilent } from './verdict.ts'

export function ClusterTiles({ cluster }: { readonly cluster: ClusterState }) {
  const { at, members, roles, price, readers } = cluster
  const silent = members.filter((member) => isSilent(member, at)).length
  const free = roles.reduce((sum, { shards, owned }) => sum + shards - owned, 0)
  const handOvers = roles.reduce((sum, one) => sum + one.handOvers, 0)
  const behind = readers.filter(({ isExpired }) => !isExpired).map(({ backlog }) => backlog)
  return (
    <section className="tiles" aria-label={t.cluster.now}>
      <Tile
        name={t.cluster.members}
        value={count(members.length - silent)}
        look={silent > 0 ? 'warn' : ''}
        note={silent > 0 ? t.cluster.notHeardOf({ n: count(silent) }) : t.cluster.processesThere}
      />
      <Tile
        name={t.cluster.shardsWithout}
        value={count(free)}
        look={free > 0 ? 'bad' : ''}
        note={t.cluster.sinceMade({ handOvers: t.cluster.handOvers({ n: handOvers }) })}
      />
      <Tile
        name={t.cluster.price}
        value={price === null ? '–' : figure(price.price)}
        note={
          price === null
            ? t.cluster.nobodySet
            : t.cluster.mustBeWorth({ strategy: price.strategy, time: formatDuration(price.ageMs) })
        }
      />
      <BudgetTile budget={cluster.budget} />
      <Tile
        name={t.cluster.farthest}
        value={behind.length === 0 ? '–' : count(Math.max(...behind))}
        note={t.cluster.slowestReader}
      />
    </section>
  )
}

function BudgetTile({ budget }: Pick<ClusterState, 'budget'>) {
  if (budget === null) return <Tile name={t.cluster.granted} value="–" note={t.cluster.noCrawlerYet} />
  const limit =
    budget.limit === null
      ? ''
      : t.cluster.spentIn({
          spent: figure(budget.spent),
          amount: figure(budget.limit.amount),
          time: formatDuration(budget.limit.spanMs),
        })
  return (
    <Tile
      name={t.cluster.granted}
      value={figure(budget.granted)}
      note={t.cluster.inHand({ balance: figure(budget.balance), limit })}
    />
  )
}
