import { fullTime } from '../format/words.ts'
import { t } from '../language/current.ts'
import type { LineChartProps } from './chart.ts'

interface Bubble {
  readonly title: string
  readonly values: readonly (readonly [label: string, value: string])[]
}

const BUBBLE_PX = 210

export function bubbleOf({ x, xKind, xLabel, lines, band, format }: LineChartProps, index: number): Bubble | null {
  const at = x[index]
  if (at === undefined) return null
  const word = (value: number | null | undefined) => (value === null || value === undefined ? null : format(value))
  const values: (readonly [string, string])[] = []
  for (const { label, values: all } of lines) {
    const value = word(all[index])
    if (value !== null) values.push([label, value])
  }
  const [low, high] = [word(band?.low[index]), word(band?.high[index])]
  if (band && low !== null && high !== null) values.push([band.label, t.format.range({ low, high })])
  const title = xKind === 'time' ? fullTime(at) : `${format === undefined ? '' : at.toPrecision(3)} ${xLabel ?? ''}`
  return { title: title.trim(), values: values.length === 0 ? [['', t.charts.nothingKnown]] : values }
}

interface ChartBubbleProps {
  readonly bubble: Bubble
  readonly left: number
  readonly width: number
}

/** Beside the line under the pointer; on the other side of it near the right edge. */
export function ChartBubble({ bubble, left, width }: ChartBubbleProps) {
  const isFlipped = left + BUBBLE_PX > width
  const style = isFlipped
    ? { right: Math.max(0, Math.min(width - left + 10, width - BUBBLE_PX)) }
    : { left: Math.max(0, left + 10) }
  return (
    <div className="bubble" style={style} role="status">
      <span>{bubble.title}</span>
      {bubble.values.map(([label, value]) => (
        <span key={label}>
          <strong>{value}</strong> {label}
        </span>
      ))}
    </div>
  )
}
