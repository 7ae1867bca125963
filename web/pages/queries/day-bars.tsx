import type { FeedPreview } from '../../../src/api/operations/wire.ts'
import { now } from '../../format/clock.ts'
import { DAY_MS, dateOf } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

interface DayBarsProps {
  readonly byDay: FeedPreview['byDay']
  readonly days: number
}

/** Matches of each of the last days, oldest first; today is not over, and paler. */
export function DayBars({ byDay, days }: DayBarsProps) {
  const at = now()
  const today = Math.floor(at / DAY_MS) * DAY_MS
  const bars = everyDay(byDay, days, today)
  const most = Math.max(1, ...bars.map(({ matches }) => matches))
  const words = bars.map(({ day, matches }) => `${dateOf(day, at)}: ${count(matches)}`).join('; ')
  return (
    <figure className="day-bars" role="img" aria-label={t.queries.matchesADay({ words })}>
      <div className="bars-row">
        {bars.map(({ day, matches }) => (
          <span key={day} title={`${dateOf(day, at)}: ${count(matches)}`} className={day === today ? 'today' : ''}>
            <b>{matches === 0 ? '' : count(matches)}</b>
            <i style={{ height: `${(matches / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <figcaption className="row apart small muted">
        <span>{dateOf(bars[0]?.day ?? today, at)}</span>
        <span>{t.queries.todaySoFar}</span>
      </figcaption>
    </figure>
  )
}

/** Also those without a match. */
function everyDay(byDay: FeedPreview['byDay'], days: number, today: number) {
  const found = new Map(byDay.map(({ day, matches }) => [day, matches]))
  return Array.from({ length: days }, (_, i) => {
    const day = today - (days - 1 - i) * DAY_MS
    return { day, matches: found.get(day) ?? 0 }
  })
}
