import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, figure, plural } from '../../format/words.ts'
import { SeriesTable } from './series-table.tsx'

/** The price and other mechanics, and every curve as figures. */
export function Experts({ overview }: { readonly overview: Overview }) {
  const { budget, counts, quality, itemsPerHour, buffer } = overview
  const price = budget.price === null ? 'not known' : figure(budget.price)
  return (
    <details className="panel fold">
      <summary>
        <h2>For experts</h2>
        <span className="small muted">
          price of a request (τ) {price} · strategy {budget.strategy} · {plural(counts.observations, 'check')}{' '}
          remembered
        </span>
      </summary>
      <dl className="figures">
        <Fact name="Price τ: what a check must be worth" value={price} />
        <Fact name="Items an hour" value={figure(itemsPerHour)} />
        <Fact name="Windows found full of news" value={count(quality.saturatedRefreshes)} />
        <Fact name="Items archived" value={count(counts.items)} />
        <Fact name="Query feeds" value={count(counts.queryFeeds)} />
        {buffer !== null && <Fact name="Waiting for queries" value={count(buffer.entries)} />}
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
