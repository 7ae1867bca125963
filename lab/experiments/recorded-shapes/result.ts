import type { Knowing, Quality } from '../online-two-steps/measure.ts'
import type { Shape } from '../shapes/normalised-source.ts'
import type { ShapedFeed } from './sources.ts'

/** Ten feeds of one shape; errors in the order of the refresh intervals, quality in that of the budgets. */
export interface ShapeResult {
  readonly shape: Shape
  readonly found: number
  readonly feeds: readonly ShapedFeed[]
  readonly single: readonly number[]
  readonly periodic: readonly number[]
  readonly quality: Readonly<Record<Knowing, readonly Quality[]>>
}
