import type { PublicationSeq, Source } from '../model/index.ts'
import type { ItemScope } from '../store/store.ts'
import { FEED_FORMATS, type FeedFormatName } from './published-feed.ts'

/** Which of the published feeds: everything, a category with its subfolders, one source, or a query feed. */
export type FeedAddress = ItemScope | QueryFeedAddress

export interface QueryFeedAddress {
  readonly kind: 'query'
  readonly name: string
  /** A document of its archive: what was published after `from` and not after `to`. */
  readonly archive?: ArchiveRange
}

export interface ArchiveRange {
  readonly from: PublicationSeq
  readonly to: PublicationSeq
}

/** The path of a feed on this node, without the ending that names the format. */
export function feedPath(address: FeedAddress): string {
  switch (address.kind) {
    case 'all':
      return '/feeds/all'
    case 'source':
      return `/feeds/source/${address.sourceId}`
    case 'category':
      return `/feeds/category/${encodeCategory(address.category)}`
    case 'query':
      return `/feeds/${encodeURIComponent(address.name)}`
  }
}

/** What is behind the ending in the address of a document. */
export function archiveSuffix({ from, to }: ArchiveRange): string {
  return `?archive=${from}-${to}`
}

export function afterSuffix(seq: PublicationSeq): string {
  return `?after=${seq}`
}

export function parseArchive(text: string): ArchiveRange | null {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text)
  const range = match && { from: Number(match[1]), to: Number(match[2]) }
  return range && range.from < range.to ? range : null
}

export function parseFeedPath(path: string): { address: FeedAddress; format: FeedFormatName } | null {
  const match = /^\/feeds\/(?:(all)|source\/(\d{1,15})|category\/(.+)|([^/]+))\.([a-z]+)$/.exec(path)
  const format = FEED_FORMATS.find((name) => name === match?.[5])
  if (!match || !format) return null
  const [, all, sourceId, encoded, query] = match
  if (all) return { address: { kind: 'all' }, format }
  if (sourceId) return { address: { kind: 'source', sourceId: Number(sourceId) }, format }
  if (query) {
    const name = decode(query)
    return name === null ? null : { address: { kind: 'query', name }, format }
  }
  const category = encoded === undefined ? null : decode(encoded)
  return category === null ? null : { address: { kind: 'category', category }, format }
}

/** Every feed that shows the items of a source. */
export function feedsOf(source: Pick<Source, 'id' | 'categories'>): readonly FeedAddress[] {
  const categories = new Set(source.categories.flatMap(withParents))
  return [
    { kind: 'all' },
    { kind: 'source', sourceId: source.id },
    ...[...categories].map((category) => ({ kind: 'category' as const, category })),
  ]
}

/** `News/Science/Space` → itself, `News/Science`, `News`. */
function withParents(category: string): readonly string[] {
  const folders = category.split('/')
  return folders.map((_, depth) => folders.slice(0, depth + 1).join('/'))
}

function encodeCategory(category: string): string {
  const folders = category.split('/')
  // Clients resolve `.` and `..` in a path away (RFC 3986 §5.2.4); an encoded slash keeps them from it.
  const isPlain = folders.every((folder) => folder !== '' && folder !== '.' && folder !== '..')
  return folders.map(encode).join(isPlain ? '/' : '%2F')
}

function encode(folder: string): string {
  return encodeURIComponent(folder.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
