import type { Listing, ParsedItem, ParseResult } from '../../model/index.ts'

/** Makes items of what a source sent. Never throws; what cannot be read has the format `unknown`. */
export type ReadDocument = (
  body: Uint8Array,
  options: {
    readonly contentType: string | null
    readonly url: string
    /** How to read a page; null: a feed. */
    readonly listing: Listing | null
    /** Of a source that is one element of a page: the item that was stored last; null: none. */
    readonly last: ParsedItem | null
  },
) => ParseResult
