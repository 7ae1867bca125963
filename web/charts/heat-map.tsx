import './charts.css'
import { figure } from '../format/words.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

interface HeatMapProps {
  readonly label: string
  /** 7 days from Monday, 24 hours each, UTC. */
  readonly week: readonly (readonly number[])[]
  readonly unit: string
}

/** When in the week things happen. The strongest hour has the full colour; the picture is described in words as well. */
export function HeatMap({ label, week, unit }: HeatMapProps) {
  const most = Math.max(...week.flat(), Number.MIN_VALUE)
  return (
    <div role="img" aria-label={`${label}. ${describeWeek(week, unit)}`} className="heat-map">
      <span />
      {HOURS.map((hour) => (
        <span key={hour} className="hour">
          {hour % 6 === 0 ? hour : ''}
        </span>
      ))}
      {DAYS.map((day, i) => (
        <Row key={day} day={day} values={week[i] ?? []} most={most} unit={unit} />
      ))}
    </div>
  )
}

interface RowProps {
  readonly day: string
  readonly values: readonly number[]
  readonly most: number
  readonly unit: string
}

function Row({ day, values, most, unit }: RowProps) {
  return (
    <>
      <span className="day">{day}</span>
      {HOURS.map((hour) => {
        const value = values[hour] ?? 0
        return (
          <span
            key={hour}
            className="cell"
            title={`${day} ${hour}:00 UTC: ${figure(value)} ${unit}`}
            style={{
              background: `color-mix(in srgb, var(--accent) ${Math.round((value / most) * 100)}%, var(--raised))`,
            }}
          />
        )
      })}
    </>
  )
}

function describeWeek(week: readonly (readonly number[])[], unit: string): string {
  const cells = week.flatMap((hours, day) => hours.map((value, hour) => ({ day, hour, value })))
  const top = cells.reduce((best, cell) => (cell.value > best.value ? cell : best), { day: 0, hour: 0, value: 0 })
  if (top.value === 0) return 'Nothing in any hour'
  return `Most on ${DAYS[top.day]} at ${top.hour}:00 UTC, ${figure(top.value)} ${unit}`
}
