import { DAY_MS, type DurationMs } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { parseDuration } from '../settings/units.ts'

/** How much of the archive a query that asks something new begins with. */
export type BackFill =
  | { readonly kind: 'none' }
  | { readonly kind: 'all' }
  | { readonly kind: 'age'; readonly lengthMs: DurationMs }
  /** The last items archived, whether or not they fit. */
  | { readonly kind: 'items'; readonly count: number }

/** A reader who subscribes today wants to see something; a month is about what feeds themselves show. */
export const DEFAULT_BACK_FILL: BackFill = { kind: 'age', lengthMs: 30 * DAY_MS }

/** `30d`, `1000`, `all`, `none`. */
export function parseBackFill(text: string): BackFill {
  if (text === 'none' || text === 'all') return { kind: text }
  if (/^\d{1,12}$/.test(text)) return { kind: 'items', count: Number(text) }
  try {
    return { kind: 'age', lengthMs: parseDuration(text) }
  } catch {
    throw new HeadwaterError('USAGE', `"${text}" is no part of the archive; write 30d, 1000 (items), all or none`)
  }
}
