/** Publication shapes, thesis 6.4. */
export type PublicationShape = 'peaks' | 'uniform' | 'waves'

export interface ShapeThresholds {
  /** ε₁ > 1: from this many times the mean on, an hour is one of very high activity. */
  readonly high: number
  /** ε₂ < 1: below this many times the mean its activity is insignificant. */
  readonly low: number
}

/**
 * The thesis gives no values. Half as much again and half: an hour then has to stand out by more than the chance of a
 * productive feed (10 items a day over 28 days vary by 9 % an hour) and waves of any human day pass both.
 * docs/decisions/0021-classes-and-shapes.md shows the counts for others.
 */
export const SHAPE_THRESHOLDS: ShapeThresholds = { high: 1.5, low: 0.5 }

/** "A big majority (e.g. 80 %)" of the slots. */
export const BIG_MAJORITY = 0.8

/**
 * Algorithm 6.1. Strict: peaks if no slot is average, uniform if all are, waves otherwise. With `majority` = 0.8 the
 * less restrictive form of the text: peaks if 80 % are outside [th⁻, th⁺), uniform if 80 % are inside. Null for a source
 * that publishes nothing.
 */
export function discoverShape(
  ratesPerSlot: readonly number[],
  majority = 1,
  thresholds: ShapeThresholds = SHAPE_THRESHOLDS,
): PublicationShape | null {
  const slots = ratesPerSlot.length
  const mean = ratesPerSlot.reduce((sum, rate) => sum + rate, 0) / slots
  if (!(mean > 0)) return null
  const outside = ratesPerSlot.filter((rate) => rate >= thresholds.high * mean || rate < thresholds.low * mean).length
  if (outside >= majority * slots) return 'peaks'
  if (slots - outside >= majority * slots) return 'uniform'
  return 'waves'
}
