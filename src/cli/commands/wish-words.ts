import type { WishStanding } from '../../app/crawling/wish-shares.ts'
import { parseWish } from '../../app/settings/units.ts'
import type { QualityWish } from '../../model/index.ts'
import { describeDuration } from '../../refresh/words.ts'

/** `delay<10min, completeness>95%`; `none` takes a wish away. */
export function readWish(text: string): QualityWish | null {
  if (text.trim().toLowerCase() === 'none') return null
  const { completeness = null, meanDelayMs = null } = parseWish(text)
  return { completeness, meanDelayMs }
}

export function wishInWords({ completeness, meanDelayMs }: QualityWish): string {
  const parts = [
    meanDelayMs === null ? [] : [`a mean delay below ${describeDuration(meanDelayMs)}`],
    completeness === null ? [] : [`completeness above ${Number((100 * completeness).toFixed(3))} %`],
  ]
  return parts.flat().join(' and ')
}

export function standingInWords(wish: QualityWish, standing: WishStanding | null): string {
  if (standing === null || JSON.stringify(standing.wish) !== JSON.stringify(wish)) return 'not computed yet'
  const { neededPerDay, givenPerDay, lackingPerDay } = standing
  if (neededPerDay === null) return 'no budget is believed to give it, or nothing is known of its sources yet'
  if (lackingPerDay === 0) return `needs ${neededPerDay} requests a day, and has them`
  return `needs ${neededPerDay} requests a day, has ${givenPerDay}: ${lackingPerDay} more a day are lacking`
}
