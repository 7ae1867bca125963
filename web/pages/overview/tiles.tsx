import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, figure, formatDuration, percent, short } from '../../format/words.ts'
import { Tile, type TileLook } from '../../ui/tile.tsx'

export function Tiles({ overview }: { readonly overview: Overview }) {
  const { quality, budget, itemsPerHour, counts, over } = overview
  const inTrouble = ['failing', 'saturated', 'flooding', 'retired'].reduce(
    (sum, one) => sum + (counts.conditions[one] ?? 0),
    0,
  )
  const spent = budget.requestsPerMinute > 0 ? budget.spentPerMinute / budget.requestsPerMinute : 0
  const isOver = spent > TOO_MUCH && workedMs(overview) >= LONG_ENOUGH_MS
  return (
    <section className="tiles" aria-label={`The last ${over}`}>
      <Tile
        name="Completeness"
        value={percent(quality.completeness?.value ?? null)}
        look={lookOfShare(quality.completeness?.value ?? null)}
        note={`${lossWords(quality.lost)}${estimated(quality.completeness)}`}
      />
      <Tile
        name="Freshness"
        value={percent(quality.freshness?.value ?? null)}
        note={`of what sources show is here${estimated(quality.freshness)}`}
      />
      <Tile
        name="Delay"
        value={formatDuration(quality.delay?.meanMs ?? null)}
        note={
          quality.delay
            ? `median ${formatDuration(quality.delay.medianMs)}, 95 % within ${formatDuration(quality.delay.p95Ms)}`
            : 'measured with the first item that appears while the node runs'
        }
      />
      <Tile
        name="Requests/min"
        value={figure(budget.spentPerMinute)}
        look={isOver ? 'warn' : ''}
        note={
          <>
            <span className={`meter ${isOver ? 'warn' : ''}`} style={{ display: 'block' }} aria-hidden="true">
              <span style={{ width: `${Math.min(100, spent * 100)}%` }} />
            </span>
            of {figure(budget.requestsPerMinute)}; {percent(quality.usefulShare)} found news
          </>
        }
      />
      <Tile
        name="Price τ"
        value={budget.price === null ? '–' : figure(budget.price)}
        note={`what a refresh must be worth (${budget.strategy})`}
      />
      <Tile
        name="Items an hour"
        value={figure(itemsPerHour)}
        note={`${short(quality.items)} published in the last ${over}; what was there before is not counted`}
      />
      <Tile
        name="In trouble"
        value={count(inTrouble)}
        look={inTrouble > 0 ? 'bad' : ''}
        note={`of ${count(counts.sources)} sources; ${count(quality.saturatedRefreshes)} saturated refreshes`}
      />
    </section>
  )
}

const TOO_MUCH = 1.05
/** New sources are all refreshed at once: the first minutes say nothing about the budget, which holds over an hour. */
const LONG_ENOUGH_MS = 30 * 60_000

function workedMs({ at, series }: Overview): number {
  return at - (series.find(({ requests }) => requests > 0)?.from ?? at)
}

const COMPLETE_ENOUGH = 0.99
const TOO_INCOMPLETE = 0.9

function lookOfShare(share: number | null): TileLook {
  if (share === null || share >= COMPLETE_ENOUGH) return ''
  return share >= TOO_INCOMPLETE ? 'warn' : 'bad'
}

function lossWords(lost: Overview['quality']['lost']): string {
  if (lost.items === 0) return 'nothing lost'
  return `${figure(lost.items)} items lost${lost.estimated ? ` (${figure(lost.atLeast)} to ${figure(lost.atMost)})` : ''}`
}

function estimated(measure: { readonly estimated: boolean } | null): string {
  return measure?.estimated ? ', estimated' : ''
}
