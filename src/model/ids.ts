/** Later sources have greater ones, perhaps with gaps; never given twice. */
export type SourceId = number

/** 32 hex digits: names an item within its source, stable over reordering, re-dating and edits. See crawler/dedup. */
export type ItemKey = string

/**
 * Number in the archive, given in the order of storing: a cursor over everything. Dense: each new item gets the next number, from
 * 1, however many write at the same time. Items become visible in the order of their numbers, so that a reader of one
 * can continue after it and misses none. Those that are gone leave gaps, and their numbers are never given again.
 */
export type ItemSeq = number
