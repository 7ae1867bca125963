import type { ValueKind } from './ticks.ts'

export interface Line {
  readonly label: string
  /** Number of the colour, 1 to 6. */
  readonly color: number
  /** One for each x; null leaves a gap. */
  readonly values: readonly (number | null)[]
  readonly isDashed?: boolean
  /** Drawn as points alone, as bars from zero, or as a line whose points are not marked. */
  readonly form?: 'points' | 'bars' | 'plain'
}

export interface LineChartProps {
  /** What the picture says, for those who do not see it. */
  readonly summary: string
  /** Times in milliseconds, or numbers; ascending. */
  readonly x: readonly number[]
  readonly xKind: 'time' | 'number' | 'log'
  readonly xLabel?: string
  readonly lines: readonly Line[]
  /** From where to where most of it lies, behind the lines. */
  readonly band?: { readonly label: string; readonly low: Line['values']; readonly high: Line['values'] }
  readonly format: (value: number) => string
  readonly kind?: ValueKind
  readonly min?: number
  readonly max?: number
  /** The axis spans at least this, so that its labels differ; usually 1. */
  readonly narrowest?: number
  readonly heightPx?: number
  /** Where the words are in the sentence above. */
  readonly hasNoLegend?: boolean
}

/** Where things are on the picture, in pixels. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly xOf: (value: number) => number
  readonly yOf: (value: number) => number
  readonly xTicks: readonly number[]
  readonly yTicks: readonly number[]
}
