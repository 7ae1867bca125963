import { z } from 'zod'
import type { ReadingQuery } from '../../store/reading.ts'

const whole = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const MOST_ENTRIES = 1_000
const MOST_TAGS = 20
const status = z.enum(['read', 'unread', 'removed'])
/** As Go reads a truth; anything else says nothing, as with Miniflux. */
const YES = ['1', 't', 'true']
const NO = ['0', 'f', 'false']

const ORDERS = [
  ...(['id', 'created_at', 'published_at', 'changed_at', 'title'] as const),
  ...(['author', 'status', 'category_id', 'category_title'] as const),
] as const

/** Those that may be said more than once. */
const LISTS = new Set(['status', 'tags'])
/** A time or a number of 0 filters nothing. */
const NONE_IF_0 = /(^|_)(before|after)(_|$)|_id$/

/** What is empty says nothing; of what is said twice the first counts. */
function tidy(query: unknown): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query ?? {})) {
    const values = [value].flat().filter((one) => one !== '' && !(one === '0' && NONE_IF_0.test(name)))
    if (values.length > 0) given[name] = LISTS.has(name) ? values : values[0]
  }
  return given
}

const filters = z.object({
  status: z.array(status).optional(),
  starred: z.string().optional(),
  search: z.string().trim().max(500).optional(),
  tags: z.array(z.string().trim().toLowerCase().max(200)).max(MOST_TAGS).optional(),
  limit: whole.default(100),
  offset: whole.default(0),
  /** Absent: as they arrived. */
  order: z.enum(ORDERS).default('id'),
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

/** The filters of `/v1/entries`; what is not known is left aside, as Miniflux does. */
export const entryFilters = z.preprocess(tidy, filters)

export type EntryFilters = z.output<typeof filters>

/** 0: as many as there may be. */
export function pageLimit({ limit }: Pick<EntryFilters, 'limit'>): number {
  return limit === 0 ? MOST_ENTRIES : Math.min(limit, MOST_ENTRIES)
}

/** null: nothing is like that, as nothing is removed here. */
export function readStates({ status, starred }: EntryFilters): Pick<ReadingQuery, 'isRead' | 'isStarred'> | null {
  const states = new Set(status)
  const truth = starred?.toLowerCase() ?? ''
  const isStarred = YES.includes(truth) ? { isStarred: true } : NO.includes(truth) ? { isStarred: false } : {}
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
    isBefore(sortAt, filters.before) &&
    isBefore(sortAt, filters.published_before) &&
    isAfter(sortAt, filters.after) &&
    isAfter(sortAt, filters.published_after) &&
    isBefore(changedAt, filters.changed_before) &&
    isAfter(changedAt, filters.changed_after)
  )
}
