import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { t } from '../language/current.ts'
import './charts.css'
import { bubbleOf, ChartBubble } from './bubble.tsx'
import type { LineChartProps } from './chart.ts'
import { frameOf } from './frame.ts'
import { pointAt, useMoment } from './moment.ts'
import { Axes, Picture } from './picture.tsx'

const HEIGHT_PX = 210

/** Lines, bars or a band over time or over an amount. Where nothing is known nothing is drawn. */
export function LineChart(props: LineChartProps) {
  const { holder, width } = useWidth()
  const { index, point, step, leave } = usePointer(props)
  if (isEmpty(props)) return <p className="muted chart-empty">{t.charts.nothingToDraw}</p>
  const frame = frameOf(props, width, props.heightPx ?? HEIGHT_PX)
  const nearest = (event: PointerEvent<HTMLElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    point(nearestIndex(props.x, (value) => frame.xOf(value), at))
  }
  const bubble = index === null ? null : bubbleOf(props, index)
  return (
    <figure className="stack tight">
      {props.hasNoLegend !== true && <Legend {...props} />}
      <div
        ref={holder}
        role="group"
        aria-label={t.charts.arrowKeys({ summary: props.summary })}
        tabIndex={0}
        className="chart"
        style={{ height: frame.height }}
        onPointerMove={nearest}
        onPointerDown={nearest}
        onPointerLeave={leave}
        onBlur={leave}
        onKeyDown={step}
      >
        {width > 0 && (
          <svg width={frame.width} height={frame.height} role="img" aria-label={props.summary}>
            <Axes props={props} frame={frame} />
            <Picture props={props} frame={frame} index={index} />
          </svg>
        )}
        {bubble !== null && index !== null && (
          <ChartBubble bubble={bubble} left={frame.xOf(props.x[index] ?? 0)} width={width} />
        )}
      </div>
    </figure>
  )
}

function useWidth() {
  const holder = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = holder.current
    if (!element) return
    const size = new ResizeObserver(() => setWidth(element.clientWidth))
    size.observe(element)
    return () => size.disconnect()
  }, [])
  return { holder, width }
}

/** Which x is pointed at: with pointer, finger or arrow keys; on a page with several charts over time in all of them. */
function usePointer({ x, xKind }: LineChartProps) {
  const [own, setOwn] = useState<number | null>(null)
  const moment = useMoment()
  const isTime = xKind === 'time'
  const index = isTime ? indexAt(x, moment) : own
  const point = (next: number | null) => (isTime ? pointAt(next === null ? null : (x[next] ?? null)) : setOwn(next))
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (event.key === 'Escape') point(null)
    if (by === 0) return
    event.preventDefault()
    point(Math.min(x.length - 1, Math.max(0, (index ?? (by === 1 ? -1 : x.length)) + by)))
  }
  return { index, point, step, leave: () => point(null) }
}

/** Charts of one page need not have the same steps. */
function indexAt(x: readonly number[], moment: number | null): number | null {
  const [first, last] = [x[0], x.at(-1)]
  if (moment === null || first === undefined || last === undefined || moment < first || moment > last) return null
  return nearestIndex(x, (value) => value, moment)
}

function nearestIndex(x: readonly number[], read: (value: number) => number, at: number): number {
  const away = x.map((value) => Math.abs(read(value) - at))
  return away.indexOf(Math.min(...away))
}

function Legend({ lines, band }: LineChartProps) {
  return (
    <ul className="legend">
      {lines.map(({ label, color, isDashed, form }) => (
        <li key={label}>
          <span
            className={`swatch ${isDashed ? 'dashed' : ''} ${form ?? ''}`}
            style={{ borderColor: `var(--d${color})` }}
            aria-hidden="true"
          />
          {label}
        </li>
      ))}
      {band && (
        <li>
          <span className="swatch band" aria-hidden="true" />
          {band.label}
        </li>
      )}
    </ul>
  )
}

/** Lines that say where a limit is are no figures. */
function isEmpty({ lines }: LineChartProps): boolean {
  return lines.every(({ values, isDashed }) => isDashed === true || values.every((value) => value === null))
}
