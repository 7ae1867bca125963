import { z } from 'zod'
import type { ReadingQuery } from '../../store/reading.ts'

const whole = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const MOST_ENTRIES = 1_000
const status = z.enum(['read', 'unread', 'removed'])

/** The filters of `/v1/entries`; what is not known is left aside, as Miniflux does. */
export const entryFilters = z.object({
  status: z.union([status, z.array(status)]).optional(),
  starred: z.enum(['true', 'false', '1', '0']).optional(),
  search: z.string().trim().max(500).optional(),
  limit: whole.default(100),
  offset: whole.default(0),
  direction: z.enum(['asc', 'desc']).default('asc'),
  before: whole.optional(),
  after: whole.optional(),
  published_before: whole.optional(),
  published_after: whole.optional(),
  changed_before: whole.optional(),
  changed_after: whole.optional(),
  before_entry_id: whole.optional(),
  after_entry_id: whole.optional(),
  category_id: whole.optional(),
  feed_id: whole.optional(),
})

export type EntryFilters = z.output<typeof entryFilters>

/** 0: as many as there may be. */
export function pageLimit({ limit }: Pick<EntryFilters, 'limit'>): number {
  return limit === 0 ? MOST_ENTRIES : Math.min(limit, MOST_ENTRIES)
}

/** null: nothing is like that, as nothing is removed here. */
export function readStates({ status, starred }: EntryFilters): Pick<ReadingQuery, 'isRead' | 'isStarred'> | null {
  const states = new Set(status === undefined ? [] : [status].flat())
  const isStarred = starred === undefined ? {} : { isStarred: starred === 'true' || starred === '1' }
  if (states.size === 0 || (states.has('read') && states.has('unread'))) return isStarred
  if (!states.has('read') && !states.has('unread')) return null
  return { ...isStarred, isRead: states.has('read') }
}

/** Times that are no arrival: an item has to be looked at for them. */
export function hasTimes(filters: EntryFilters): boolean {
  const { before, after, published_before, published_after, changed_before, changed_after } = filters
  const times = [before, after, published_before, published_after, changed_before, changed_after]
  return times.some((one) => one !== undefined)
}

export function isWithin(
  filters: EntryFilters,
  { sortAt, changedAt }: { readonly sortAt: number; readonly changedAt: number },
): boolean {
  const isBefore = (at: number, seconds: number | undefined) => seconds === undefined || at < seconds * 1_000
  const isAfter = (at: number, seconds: number | undefined) => seconds === undefined || at > seconds * 1_000
  return (
    isBefore(sortAt, filters.published_before ?? filters.before) &&
    isAfter(sortAt, filters.published_after ?? filters.after) &&
    isBefore(changedAt, filters.changed_before) &&
    isAfter(changedAt, filters.changed_after)
  )
}
