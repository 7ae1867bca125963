import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, figure, formatDuration, percent } from '../../format/words.ts'
import { Tile, type TileLook } from '../../ui/tile.tsx'
import { isOverBudget } from './verdict.ts'

const MINUTES_A_DAY = 1_440

/** Four figures: complete, fresh, late, spent. */
export function Tiles({ overview }: { readonly overview: Overview }) {
  const { quality, budget, over } = overview
  const complete = quality.completeness?.value ?? null
  const perDay = budget.requestsPerMinute * MINUTES_A_DAY
  const spentPerDay = budget.spentPerMinute * MINUTES_A_DAY
  const isOver = isOverBudget(overview)
  const useful = quality.usefulShare === null ? '' : `; ${percent(quality.usefulShare)} found something new`
  return (
    <section className="tiles" aria-label={`The last ${over}`}>
      <Tile
        name="Complete"
        value={percent(complete)}
        look={lookOfShare(complete)}
        note={`${count(quality.items)} items kept, ${lossWords(quality.lost)}${estimated(quality.completeness)}`}
      />
      <Tile
        name="Fresh"
        value={percent(quality.freshness?.value ?? null)}
        note={`of what feeds show now is here${estimated(quality.freshness)}`}
      />
      <Tile
        name="Late"
        value={formatDuration(quality.delay?.meanMs ?? null)}
        note={
          quality.delay
            ? `half within ${formatDuration(quality.delay.medianMs)}, 95 % within ${formatDuration(quality.delay.p95Ms)}`
            : 'measured with the first item that appears while the node runs; what was there before is not counted'
        }
      />
      <Tile
        name="Spent"
        value={count(spentPerDay)}
        unit="requests a day"
        look={isOver ? 'warn' : ''}
        note={
          <>
            <span className={`meter ${isOver ? 'warn' : ''}`} aria-hidden="true">
              <span style={{ width: `${Math.min(100, perDay > 0 ? (spentPerDay / perDay) * 100 : 0)}%` }} />
            </span>
            of {perDay >= 100 ? count(perDay) : figure(perDay)}
            {useful}
          </>
        }
      />
    </section>
  )
}

const COMPLETE_ENOUGH = 0.99
const TOO_INCOMPLETE = 0.9

function lookOfShare(share: number | null): TileLook {
  if (share === null || share >= COMPLETE_ENOUGH) return ''
  return share >= TOO_INCOMPLETE ? 'warn' : 'bad'
}

function lossWords(lost: Overview['quality']['lost']): string {
  if (lost.items === 0) return 'none lost'
  return `${figure(lost.items)} lost${lost.estimated ? ` (${figure(lost.atLeast)} to ${figure(lost.atMost)})` : ''}`
}

function estimated(measure: { readonly estimated: boolean } | null): string {
  return measure?.estimated ? ', estimated' : ''
}
