import type { Overview } from '../../../src/api/operations/wire.ts'
import { formatDuration } from '../../format/words.ts'
import { count, figure, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Tile, type TileLook } from '../../ui/tile.tsx'
import { COMPLETE_ENOUGH, isOverBudget } from './verdict.ts'

const MINUTES_A_DAY = 1_440

/** Four figures: complete, fresh, late, spent. */
export function Tiles({ overview }: { readonly overview: Overview }) {
  const { quality, budget, over } = overview
  const complete = quality.completeness?.value ?? null
  const perDay = budget.requestsPerMinute * MINUTES_A_DAY
  const spentPerDay = budget.spentPerMinute * MINUTES_A_DAY
  const isOver = isOverBudget(overview)
  const useful = quality.usefulShare === null ? '' : t.overview.foundNew({ share: percent(quality.usefulShare) })
  return (
    <section className="tiles" aria-label={t.overview.lastPeriods[over]}>
      <Tile
        name={t.overview.complete}
        value={percent(complete)}
        look={lookOfShare(complete)}
        note={t.overview.kept({
          items: count(quality.items),
          lost: lossWords(quality.lost),
          estimated: estimated(quality.completeness),
        })}
      />
      <Tile
        name={t.overview.fresh}
        value={percent(quality.freshness?.value ?? null)}
        note={t.overview.isHere({ estimated: estimated(quality.freshness) })}
      />
      <Tile
        name={t.overview.late}
        value={formatDuration(quality.delay?.meanMs ?? null)}
        note={
          quality.delay
            ? t.overview.within({
                median: formatDuration(quality.delay.medianMs),
                most: formatDuration(quality.delay.p95Ms),
              })
            : t.overview.measuredSoon
        }
      />
      <Tile
        name={t.overview.spent}
        value={count(spentPerDay)}
        unit={t.overview.requestsADay}
        look={isOver ? 'warn' : ''}
        note={
          <>
            <span className={`meter ${isOver ? 'warn' : ''}`} aria-hidden="true">
              <span style={{ width: `${Math.min(100, perDay > 0 ? (spentPerDay / perDay) * 100 : 0)}%` }} />
            </span>
            {t.overview.ofBudget({ budget: perDay >= 100 ? count(perDay) : figure(perDay) })}
            {useful}
          </>
        }
      />
    </section>
  )
}

const TOO_INCOMPLETE = 0.9

function lookOfShare(share: number | null): TileLook {
  if (share === null || share >= COMPLETE_ENOUGH) return ''
  return share >= TOO_INCOMPLETE ? 'warn' : 'bad'
}

function lossWords(lost: Overview['quality']['lost']): string {
  if (lost.items === 0) return t.overview.noneLost
  return t.overview.lostBetween({
    items: figure(lost.items),
    range: lost.estimated ? t.overview.between({ low: figure(lost.atLeast), high: figure(lost.atMost) }) : '',
  })
}

function estimated(measure: { readonly estimated: boolean } | null): string {
  return measure?.estimated ? t.overview.estimated : ''
}
