import type { Item, ParsedItem } from '../../model/index.ts'
import { type ItemMedia, mediaOf, NO_MEDIA } from '../item-media.ts'
import type { SearchableItem } from '../text/match.ts'
import { type PackedHash, unpackHash } from './hashes.ts'

/** A row of `item`, alike in both databases. */
export interface ItemRow {
  readonly seq: number
  readonly source_id: number
  readonly key: PackedHash
  readonly sort_at: number
  readonly first_seen_at: number
  readonly changed_at: number
  readonly content_hash: PackedHash
  readonly published: number | null
  readonly updated: number | null
  readonly id: string | null
  readonly link: string | null
  readonly title: string | null
  readonly rest: string | null
  readonly summary: string | null
  readonly content: string | null
  readonly article: string | null
}

const LABELS =
  'seq source_id key sort_at first_seen_at changed_at content_hash published updated id link title rest'.split(' ')
const labelsOf = (table: string) => LABELS.map((name) => `${table}${name}`).join(', ')

/** `table`: with a dot, where names would else be of several. */
export const itemColumns = (table = '') => `${labelsOf(table)}, ${table}summary, ${table}content, ${table}article`
export const columnsWithoutTexts = (table = '') =>
  `${labelsOf(table)}, CAST(NULL AS text) AS summary, CAST(NULL AS text) AS content, CAST(NULL AS text) AS article`

export const ITEM_COLUMNS = itemColumns()
export const COLUMNS_WITHOUT_TEXTS = columnsWithoutTexts()

/** What few items have, as JSON in one column. */
type Rest = Pick<
  ParsedItem,
  'authors' | 'categories' | 'enclosures' | 'language' | 'commentsUrl' | 'image' | 'imageSize' | 'extensions'
>

const NO_REST: Rest = {
  authors: [],
  categories: [],
  enclosures: [],
  language: null,
  commentsUrl: null,
  image: null,
  extensions: null,
}

export function itemOf(row: ItemRow): Item {
  const rest = row.rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(row.rest) as Partial<Rest>) }
  const item: Item = {
    seq: row.seq,
    sourceId: row.source_id,
    key: unpackHash(row.key),
    contentHash: unpackHash(row.content_hash),
    firstSeenAt: row.first_seen_at,
    changedAt: row.changed_at,
    sortAt: row.sort_at,
    id: row.id,
    title: row.title,
    link: row.link,
    published: row.published,
    updated: row.updated,
    authors: rest.authors,
    categories: rest.categories,
    summary: row.summary,
    content: row.content,
    enclosures: rest.enclosures,
    language: rest.language,
    commentsUrl: rest.commentsUrl,
    image: rest.image,
    ...(rest.imageSize && { imageSize: rest.imageSize }),
    extensions: rest.extensions,
  }
  return row.article === null ? item : { ...item, article: row.article }
}

export const SEARCHABLE_COLUMNS = 'title, content, summary, article, rest'

export type SearchableRow = Pick<ItemRow, 'title' | 'content' | 'summary' | 'article' | 'rest'>

/** Authors and categories are read only where somebody asks for them: most phrases are in the texts. */
export function searchableOf({ title, content, summary, article, rest }: SearchableRow): SearchableItem {
  let known: Rest | null = null
  const others = () => (known ??= rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(rest) as Partial<Rest>) })
  return {
    title,
    content,
    summary,
    ...(article === null ? {} : { article }),
    get authors() {
      return others().authors
    },
    get categories() {
      return others().categories
    },
  }
}

export function authorsOf(rest: string | null): Item['authors'] {
  // Most of what is there are categories and enclosures, which need no parsing to be skipped.
  if (rest === null || !rest.includes('"authors":')) return NO_REST.authors
  return (JSON.parse(rest) as Partial<Rest>).authors ?? NO_REST.authors
}

export function mediaIn(rest: string | null): ItemMedia {
  if (rest === null || !/"(?:image|enclosures)":/.test(rest)) return NO_MEDIA
  return mediaOf({ ...NO_REST, ...(JSON.parse(rest) as Partial<Rest>) })
}

/** Values of the columns that an edit replaces: published … content. */
export function textValues(item: ParsedItem): unknown[] {
  return [item.published, item.updated, item.id, item.link, item.title, packRest(item), item.summary, item.content]
}

/** null: it has none of them. */
export function packRest(item: ParsedItem): string | null {
  const rest: { -readonly [Field in keyof Rest]?: Rest[Field] } = {}
  if (item.authors.length > 0) rest.authors = item.authors
  if (item.categories.length > 0) rest.categories = item.categories
  if (item.enclosures.length > 0) rest.enclosures = item.enclosures
  if (item.language !== null) rest.language = item.language
  if (item.commentsUrl !== null) rest.commentsUrl = item.commentsUrl
  if (item.image !== null) rest.image = item.image
  if (item.imageSize !== undefined) rest.imageSize = item.imageSize
  if (item.extensions !== null) rest.extensions = item.extensions
  const packed = JSON.stringify(rest)
  return packed === '{}' ? null : packed
}
