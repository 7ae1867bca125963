export interface Line {
  readonly label: string
  /** Number of the colour, 1 to 6. */
  readonly color: number
  /** One for each x; null leaves a gap. */
  readonly values: readonly (number | null)[]
  readonly isDashed?: boolean
  readonly pointsOnly?: boolean
}

export interface LineChartProps {
  /** What the picture says, for those who do not see it. */
  readonly summary: string
  /** Times in milliseconds, or numbers; ascending. */
  readonly x: readonly number[]
  readonly xKind: 'time' | 'number' | 'log'
  readonly xLabel?: string
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
  readonly min?: number
  readonly max?: number
  /** The axis spans at least this, so that its labels differ; usually 1. */
  readonly narrowest?: number
  readonly heightPx?: number
}
