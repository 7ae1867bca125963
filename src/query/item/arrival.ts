import type { InstantMs, Item, ParsedItem } from '../../model/index.ts'

/** What a query may ask of an item; an archived `Item` is one. */
export interface MatchItem extends ParsedItem, Pick<Item, 'article'> {
  readonly firstSeenAt: InstantMs
  readonly sortAt: InstantMs
}

/** What a query may ask of the source that an item comes from; a `Source` with its title and language. */
export interface MatchSource {
  readonly url: string
  /** Addresses that it has moved from. */
  readonly formerUrls?: readonly string[]
  readonly name: string | null
  readonly title: string | null
  /** Folders that people put it in. */
  readonly categories: readonly string[]
  /** As the feed declares them. */
  readonly feedCategories: readonly string[]
  /** As the feed declares it. */
  readonly language: string | null
}

/** An item on its way through the queries. */
export interface Arrival {
  readonly item: MatchItem
  readonly source: MatchSource
  /** Query feeds that are known to hold it, besides those that are about to be found. */
  readonly feeds?: readonly string[]
}

/** A source of which nothing is known. */
export const NO_SOURCE: MatchSource = {
  url: '',
  name: null,
  title: null,
  categories: [],
  feedCategories: [],
  language: null,
}

/** ISO 639-1, or '' if it is unknown. */
export type DetectLanguage = (text: string) => string
