import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { SeriesTable } from './series-table.tsx'

/** The price and other mechanics, and every curve as figures. */
export function Experts({ overview }: { readonly overview: Overview }) {
  const { budget, counts, quality, itemsPerHour, buffer } = overview
  const price = budget.price === null ? t.overview.notKnown : figure(budget.price)
  const checks = t.common.checks({ n: counts.observations })
  return (
    <details className="panel fold">
      <summary>
        <h2>{t.overview.forExperts}</h2>
        <span className="small muted">{t.overview.mechanics({ price, strategy: budget.strategy, checks })}</span>
      </summary>
      <dl className="figures">
        <Fact name={t.overview.priceTau} value={price} />
        <Fact name={t.overview.itemsAnHour} value={figure(itemsPerHour)} />
        <Fact name={t.overview.fullWindows} value={count(quality.saturatedRefreshes)} />
        <Fact name={t.overview.itemsArchived} value={count(counts.items)} />
        <Fact name={t.overview.queryFeeds} value={count(counts.queryFeeds)} />
        {buffer !== null && <Fact name={t.overview.waitingForQueries} value={count(buffer.entries)} />}
      </dl>
      <SeriesTable series={overview.series} />
    </details>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
