import type { z } from 'zod'
import type { QualityWish } from '../../model/index.ts'
import type { shownWish } from '../operations/wish.ts'
import type { WishFigures } from '../services.ts'

/** Figures of another wish than the present one are not shown. */
export function wishRow(wish: QualityWish | null, figures: WishFigures | null): z.input<typeof shownWish> | null {
  if (wish === null) return null
  const { completeness, meanDelayMs } = wish
  const isOfIt =
    figures !== null && figures.wish.completeness === completeness && figures.wish.meanDelayMs === meanDelayMs
  if (!isOfIt) return { completeness, meanDelayMs, standing: null }
  const { neededPerDay, givenPerDay, lackingPerDay, at } = figures
  return { completeness, meanDelayMs, standing: { neededPerDay, givenPerDay, lackingPerDay, at } }
}
