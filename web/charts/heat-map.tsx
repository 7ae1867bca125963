import { type KeyboardEvent, useState } from 'react'
import { t } from '../language/current.ts'
import './charts.css'
import { weekdayNames } from '../format/words.ts'
import { rounded } from '../language/amounts.ts'
import { inLocalTime, strongestHour } from './week.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const LABEL_EVERY = 3
const STEPS = 5

interface HeatMapProps {
  readonly label: string
  /** 7 days from Monday, 24 hours each, UTC. */
  readonly week: readonly (readonly number[])[]
  readonly unit: string
}

interface Cell {
  readonly day: number
  readonly hour: number
}

/** When in the week things happen, by the reader's clock. Pointer or arrow keys choose an hour; its value stands above. */
export function HeatMap({ label, week: utcWeek, unit }: HeatMapProps) {
  const week = inLocalTime(utcWeek, new Date().getTimezoneOffset())
  const most = Math.max(...week.flat(), Number.MIN_VALUE)
  const [cell, setCell] = useState<Cell | null>(null)
  const words = (at: Cell) => `${cellName(at)}: ${rounded(week[at.day]?.[at.hour] ?? 0)} ${unit}`
  const move = (event: KeyboardEvent) => {
    const next = cellAfter(cell, event.key)
    if (next === null) return
    event.preventDefault()
    setCell(next)
  }
  return (
    <figure className="stack tight">
      <p className="small" role="status">
        {cell === null ? describeWeek(week, unit) : words(cell)}
      </p>
      <div
        role="group"
        aria-label={t.charts.arrowKeys({ summary: label })}
        tabIndex={0}
        className="heat-map"
        onKeyDown={move}
        onPointerLeave={() => setCell(null)}
        onBlur={() => setCell(null)}
      >
        {weekdayNames('short').map((name, day) => (
          <Row key={name} name={name} day={day} values={week[day] ?? []} most={most} chosen={cell} onChoose={setCell} />
        ))}
        <span />
        {HOURS.filter((hour) => hour % LABEL_EVERY === 0).map((hour) => (
          <span key={hour} className="hour">
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
    </figure>
  )
}

interface RowProps {
  readonly name: string
  readonly day: number
  readonly values: readonly number[]
  readonly most: number
  readonly chosen: Cell | null
  readonly onChoose: (cell: Cell) => void
}

function Row({ name, day, values, most, chosen, onChoose }: RowProps) {
  return (
    <>
      <span className="day">{name}</span>
      {HOURS.map((hour) => {
        const step = Math.ceil(((values[hour] ?? 0) / most) * STEPS)
        const isChosen = chosen?.day === day && chosen.hour === hour
        return (
          <span
            key={hour}
            className={isChosen ? 'cell now' : 'cell'}
            style={{ background: `var(--heat-${step})` }}
            onPointerEnter={() => onChoose({ day, hour })}
          />
        )
      })}
    </>
  )
}

const MOVES: Readonly<Record<string, readonly [days: number, hours: number]>> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

function cellAfter(cell: Cell | null, key: string): Cell | null {
  const move = MOVES[key]
  if (move === undefined) return null
  if (cell === null) return { day: 0, hour: 0 }
  return { day: (cell.day + move[0] + 7) % 7, hour: (cell.hour + move[1] + 24) % 24 }
}

function cellName({ day, hour }: Cell): string {
  return `${weekdayNames('short')[day]} ${String(hour).padStart(2, '0')}:00`
}

function describeWeek(week: readonly (readonly number[])[], unit: string): string {
  const top = strongestHour(week)
  return top === null
    ? t.charts.nothingInAnyHour
    : t.charts.mostOn({ hour: cellName(top), value: rounded(top.value), unit })
}
