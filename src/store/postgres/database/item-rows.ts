import type { Item, ParsedItem } from '../../../model/index.ts'
import type { SearchableItem } from '../../text/match.ts'
import { unpackHash } from './hashes.ts'

export interface ItemRow {
  readonly seq: number
  readonly source_id: number
  readonly key: Buffer
  readonly sort_at: number
  readonly first_seen_at: number
  readonly changed_at: number
  readonly content_hash: Buffer
  readonly published: number | null
  readonly updated: number | null
  readonly id: string | null
  readonly link: string | null
  readonly title: string | null
  readonly rest: string | null
  readonly summary: string | null
  readonly content: string | null
}

const LABELS =
  'seq source_id key sort_at first_seen_at changed_at content_hash published updated id link title rest'.split(' ')

/** Of the table, or of what stands for it in the statement. */
export function itemColumns(table = 'item'): string {
  return [...LABELS, 'summary', 'content'].map((name) => `${table}.${name}`).join(', ')
}

export function labelColumns(table = 'item'): string {
  const labels = LABELS.map((name) => `${table}.${name}`).join(', ')
  return `${labels}, NULL::text AS summary, NULL::text AS content`
}

type Rest = Pick<
  ParsedItem,
  'authors' | 'categories' | 'enclosures' | 'language' | 'commentsUrl' | 'image' | 'extensions'
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

function restOf(rest: string | null): Rest {
  return rest === null ? NO_REST : { ...NO_REST, ...(JSON.parse(rest) as Partial<Rest>) }
}

export function itemOf(row: ItemRow): Item {
  return {
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
    summary: row.summary,
    content: row.content,
    ...restOf(row.rest),
  }
}

export type SearchableRow = Pick<ItemRow, 'title' | 'content' | 'summary' | 'rest'>

export function searchableOf({ title, content, summary, rest }: SearchableRow): SearchableItem {
  const { authors, categories } = restOf(rest)
  return { title, content, summary, authors, categories }
}

export function authorsOf(rest: string | null): Item['authors'] {
  return restOf(rest).authors
}

/** JSON of what few items have; null: it has none of it. */
export function packRest(item: ParsedItem): string | null {
  const rest: Rest = {
    authors: item.authors,
    categories: item.categories,
    enclosures: item.enclosures,
    language: item.language,
    commentsUrl: item.commentsUrl,
    image: item.image,
    extensions: item.extensions,
  }
  const given = Object.entries(rest).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}
