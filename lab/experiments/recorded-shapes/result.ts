import type { Knowing, Quality } from '../online-two-steps/measure.ts'
import type { ShapeName } from '../shapes/normalised-source.ts'
import type { ShapedFeed } from './shaped-feeds.ts'

/** Ten feeds of one shape; errors in the order of the refresh intervals, quality in that of the budgets. */
export interface ShapeResult {
  readonly shape: ShapeName
  readonly found: number
  readonly feeds: readonly ShapedFeed[]
  readonly single: readonly number[]
  readonly periodic: readonly number[]
  readonly quality: Readonly<Record<Knowing, readonly Quality[]>>
}
