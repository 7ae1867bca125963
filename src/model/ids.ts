export type SourceId = number

/** 32 hex digits: names an item within its source, stable over reordering, re-dating and edits. See crawler/dedup. */
export type ItemKey = string

/** Number in the archive, given in the order of storing: a cursor over everything. */
export type ItemSeq = number
