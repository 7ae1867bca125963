import type { ItemKey, ItemSeq, SourceId } from './ids.ts'
import type { DurationMs, InstantMs } from './time.ts'

/** An author, as far as the document names one. */
export interface Person {
  readonly name: string | null
  readonly email: string | null
  readonly url: string | null
}

/** A file that belongs to an item: a podcast episode, a picture. */
export interface Enclosure {
  readonly url: string
  readonly type: string | null
  readonly lengthBytes: number | null
  /** Of sound and films; absent: not stated. */
  readonly durationMs?: DurationMs
  /** In pixels, of pictures and films; absent: not stated. */
  readonly width?: number
  readonly height?: number
}

/** Of a picture, in pixels. */
export interface ImageSize {
  readonly width: number | null
  readonly height: number | null
}

/** What a feed document says of one item, in the words of the domain; nothing is sanitised yet. */
export interface ParsedItem {
  /** guid / atom:id / rdf:about / JSON Feed id, as written (trimmed); null where the document gives none. */
  readonly id: string | null
  readonly title: string | null
  /** Absolute where a base is known. */
  readonly link: string | null
  readonly published: InstantMs | null
  readonly updated: InstantMs | null
  readonly authors: readonly Person[]
  /** They are those of the feed: another one there is no edit of the item. */
  readonly inheritsAuthors?: true
  readonly categories: readonly string[]
  /** HTML or plain text, as the document gave it. */
  readonly summary: string | null
  /** Full content (content:encoded, atom:content, content_html …); null where there is only a summary. */
  readonly content: string | null
  readonly enclosures: readonly Enclosure[]
  readonly language: string | null
  /** Page with the comments, if any. */
  readonly commentsUrl: string | null
  readonly image: string | null
  /** As the document says; absent: it does not. */
  readonly imageSize?: ImageSize
  /** Values of extensions that we read but do not interpret (podcast, itunes, thr, slash, georss …), by prefixed name. */
  readonly extensions: Readonly<Record<string, string>> | null
}

/** An item that says nothing. */
export const BLANK_ITEM: ParsedItem = {
  id: null,
  title: null,
  link: null,
  published: null,
  updated: null,
  authors: [],
  categories: [],
  summary: null,
  content: null,
  enclosures: [],
  language: null,
  commentsUrl: null,
  image: null,
  extensions: null,
}

/**
 * Names in `extensions` of what an item says of where it comes from originally: atom:source, RSS `source`, and the same of
 * our own JSON Feeds. It is how one that has passed through several aggregators is still attributed to its writer.
 */
export const ORIGIN = { title: 'origin:title', url: 'origin:url', id: 'origin:id', siteUrl: 'origin:site' } as const

/** Likewise of what Headwater nodes say: where an item was seen first, and the nodes it came through. */
export const PROVENANCE = { origin: 'headwater:origin', path: 'headwater:path' } as const

/** Of an item: `labels` is all but summary and content, which are most of it, and of reading it. */
export type ItemParts = 'all' | 'labels'

/** The fields of an archived item that counting needs. */
export type ItemTitle = Pick<Item, 'seq' | 'sourceId' | 'firstSeenAt' | 'sortAt' | 'title'>

/** An item as archived. */
export interface Item extends ParsedItem {
  readonly seq: ItemSeq
  readonly sourceId: SourceId
  readonly key: ItemKey
  /** Hash of what a reader would see; a different one means an edit. */
  readonly contentHash: string
  readonly firstSeenAt: InstantMs
  /** Last edit that we saw; equals firstSeenAt while there was none. */
  readonly changedAt: InstantMs
  /** The article as its page has it, HTML; absent: the page was not fetched, or says no more than the feed. */
  readonly article?: string
  /** Order of publication: the stated date where credible (not after firstSeenAt), else firstSeenAt. */
  readonly sortAt: InstantMs
}
