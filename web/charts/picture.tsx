import { clockTime, dayOf, exactTime, weekdayOf } from '../format/words.ts'
import { decimal } from '../language/amounts.ts'
import type { Frame, Line, LineChartProps } from './chart.ts'

/** Up to so many values each has its dot: then also those between gaps are seen. */
const MOST_DOTS = 40
const DAY_MS = 86_400_000
const FEW_MINUTES_MS = 300_000
const BAR_SHARE = 0.78

interface PartProps {
  readonly props: LineChartProps
  readonly frame: Frame
}

export function Axes({ props, frame }: PartProps) {
  const { left, right, bottom, xTicks, yTicks, xOf, yOf, height } = frame
  return (
    <g className="axes">
      {yTicks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={yOf(tick)} y2={yOf(tick)} />
          <text x={left - 8} y={yOf(tick) + 4} textAnchor="end">
            {tick === 0 ? '0' : props.format(tick)}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text key={tick} x={xOf(tick)} y={bottom + 18} textAnchor={anchorAt(xOf(tick), frame)}>
          {xWords(props, tick, frame)}
        </text>
      ))}
      {props.xLabel !== undefined && (
        <text x={(left + right) / 2} y={height - 4} textAnchor="middle">
          {props.xLabel}
        </text>
      )}
    </g>
  )
}

const LABEL_HALF_PX = 24

/** No label is cut off at the edge of the picture. */
function anchorAt(x: number, { width }: Frame): 'start' | 'middle' | 'end' {
  return x + LABEL_HALF_PX > width ? 'end' : x < LABEL_HALF_PX ? 'start' : 'middle'
}

function xWords(props: LineChartProps, tick: number, { xTicks }: Frame): string {
  if (props.xKind !== 'time') return decimal(tick, 2)
  const [first = 0, second] = xTicks
  const stepMs = second === undefined ? (props.x.at(-1) ?? 0) - (props.x[0] ?? 0) : second - first
  if (stepMs >= 7 * DAY_MS) return dayOf(tick)
  if (stepMs >= DAY_MS) return weekdayOf(tick)
  return stepMs < FEW_MINUTES_MS / 5 ? exactTime(tick) : clockTime(tick)
}

export function Picture({ props, frame, index }: PartProps & { readonly index: number | null }) {
  const { x, lines, band } = props
  const at = index === null ? null : x[index]
  return (
    <g>
      {band && <path className="band" d={areaOf(x, band.low, band.high, frame)} />}
      {lines.map((line) =>
        line.form === 'bars' ? (
          <Bars key={line.label} line={line} x={x} frame={frame} />
        ) : (
          <Curve key={line.label} line={line} x={x} frame={frame} />
        ),
      )}
      {at !== null && at !== undefined && (
        <line className="pointer" x1={frame.xOf(at)} x2={frame.xOf(at)} y1={frame.top} y2={frame.bottom} />
      )}
      {index !== null && lines.map((line) => <Dot key={line.label} line={line} x={x} index={index} frame={frame} />)}
    </g>
  )
}

interface LineProps {
  readonly line: Line
  readonly x: readonly number[]
  readonly frame: Frame
}

function Curve({ line, x, frame }: LineProps) {
  const isDotted = line.isDashed !== true && line.form !== 'plain' && (line.form === 'points' || x.length <= MOST_DOTS)
  return (
    <g>
      {line.form !== 'points' && (
        <path
          className="curve"
          d={pathOf(x, line.values, frame)}
          stroke={`var(--d${line.color})`}
          {...(line.isDashed ? { strokeDasharray: '6 5' } : {})}
        />
      )}
      {isDotted && <CurveDots line={line} x={x} frame={frame} />}
    </g>
  )
}

function CurveDots({ line, x, frame }: LineProps) {
  return line.values.map((value, i) =>
    value === null ? null : (
      <circle
        key={x[i]}
        cx={frame.xOf(x[i] ?? 0)}
        cy={frame.yOf(value)}
        r={line.form === 'points' ? 6 : 2.5}
        fill={`var(--d${line.color})`}
      />
    ),
  )
}

function Bars({ line, x, frame }: LineProps) {
  const stepPx = x.length > 1 ? (frame.xOf(x.at(-1) ?? 0) - frame.xOf(x[0] ?? 0)) / (x.length - 1) : frame.right
  const width = Math.max(1, Math.min(stepPx * BAR_SHARE, frame.right - frame.left))
  return (
    <g fill={`var(--d${line.color})`}>
      {line.values.map((value, i) =>
        value === null || value === 0 ? null : (
          <rect
            key={x[i]}
            x={frame.xOf(x[i] ?? 0) - width / 2}
            y={frame.yOf(value)}
            width={width}
            height={Math.max(1, frame.bottom - frame.yOf(value))}
            rx={Math.min(2, width / 3)}
          />
        ),
      )}
    </g>
  )
}

function Dot({ line, x, index, frame }: LineProps & { readonly index: number }) {
  const value = line.values[index]
  if (value === null || value === undefined || line.isDashed) return null
  return (
    <circle
      className="dot"
      cx={frame.xOf(x[index] ?? 0)}
      cy={frame.yOf(value)}
      r={4.5}
      stroke={`var(--d${line.color})`}
    />
  )
}

/** Gaps stay gaps: a pen that is lifted where a value is not known. */
function pathOf(x: readonly number[], values: Line['values'], { xOf, yOf }: Frame): string {
  let isDown = false
  return values
    .map((value, i) => {
      const command = value === null ? '' : `${isDown ? 'L' : 'M'}${round(xOf(x[i] ?? 0))} ${round(yOf(value))}`
      isDown = value !== null
      return command
    })
    .join('')
}

function areaOf(x: readonly number[], low: Line['values'], high: Line['values'], frame: Frame): string {
  const parts: string[] = []
  let from = -1
  for (let i = 0; i <= x.length; i++) {
    const isKnown = i < x.length && (low[i] ?? null) !== null && (high[i] ?? null) !== null
    if (isKnown && from === -1) from = i
    if (!isKnown && from !== -1) {
      const ups = range(from, i).map((n) => `${round(frame.xOf(x[n] ?? 0))} ${round(frame.yOf(high[n] ?? 0))}`)
      const downs = range(from, i).map((n) => `${round(frame.xOf(x[n] ?? 0))} ${round(frame.yOf(low[n] ?? 0))}`)
      parts.push(`M${[...ups, ...downs.reverse()].join('L')}Z`)
      from = -1
    }
  }
  return parts.join('')
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

function round(px: number): number {
  return Math.round(px * 10) / 10
}
