/** A table of the report: column names and rows of cells, in the order they are to be shown. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** A curve of a figure. `x` and `y` are of equal length. */
export interface Series {
  /** Which figure it belongs to: series of one figure are drawn together. */
  readonly figure: string
  readonly name: string
  readonly xLabel: string
  readonly yLabel: string
  readonly x: readonly number[]
  readonly y: readonly number[]
  /** Axes with a logarithmic scale; absent: chosen from the values (all above 0 and over three decades). */
  readonly log?: 'none' | 'x' | 'y' | 'xy'
  /** `segments`: each pair of points is a line of its own, as the edges of a graph. Absent: a line. */
  readonly style?: 'line' | 'points' | 'segments'
}
