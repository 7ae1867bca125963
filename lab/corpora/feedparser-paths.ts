import type { ParsedFeed, ParsedItem, ParseResult, Person } from '../../src/model/index.ts'
import { parseFeedDate } from '../../src/text/dates/dates.ts'

/** What our model holds where feedparser's path points. */
export type PathValue =
  | {
      /** Named in the issue (`asked`), or something more that the model keeps. */
      readonly group: 'asked' | 'more'
      readonly kind: 'text' | 'html' | 'date'
      readonly value: string | number | null
    }
  /** Any of these addresses may be the one. */
  | { readonly group: 'asked'; readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly skip: string }

export type Path = readonly (string | number)[]

export const SKIP = {
  contributors: 'contributors: the model keeps authors only',
  source: 'atom:source / rss source of an entry: not stored',
  publisher: 'publisher and webmaster in their own right: the webmaster is stored as author where there is no other',
  detail: 'type, base and language of each text apart: links are resolved, one language per item is stored',
  link: 'relation, type, title … of each link: the model keeps addresses by their role',
  scheme: 'scheme and label of a category: the model keeps terms',
  structure: 'cloud, textInput, docs, image size and the like: not stored',
  extension: 'interpreted extension values (flags, chapters, coordinates, credits): stored as text in `extensions`',
  rights: 'rights of a single entry: not stored',
  expired: 'expiry and validity dates: not stored',
  http: 'HTTP headers: not the parser',
  python: 'Python expression without a path',
} as const

/** Looks up a path of feedparser's result. */
export function lookUp(path: Path, result: ParseResult): PathValue {
  const [head, ...rest] = path
  if (head === 'feed') return rest.length === 0 ? skip(SKIP.python) : lookUpFeed(rest, result.feed)
  if (head === 'version') return { group: 'more', kind: 'text', value: versionName(result.format) }
  if (head === 'encoding') return { group: 'more', kind: 'text', value: result.encoding }
  if (head !== 'entries') return skip(SKIP.http)
  if (rest[0] === '#len') return foundValue('text', result.items.length)
  const item = result.items[Number(rest[0])]
  if (item === undefined) return foundValue('text', null)
  return lookUpItem(rest.slice(1), item)
}

function lookUpFeed(path: Path, feed: ParsedFeed): PathValue {
  const [field, ...rest] = path
  switch (field) {
    case 'title':
      return foundValue('html', feed.title)
    case 'link':
      return foundValue('text', feed.link)
    case 'id':
    case 'guid':
      return foundValue('text', feed.id)
    case 'description':
    case 'tagline':
    case 'subtitle':
    case 'info':
      return foundValue('html', feed.description ?? '')
    case 'title_detail':
      return detail(rest, foundValue('html', feed.title))
    case 'tagline_detail':
    case 'subtitle_detail':
    case 'info_detail':
      return detail(rest, foundValue('html', feed.description))
    case 'copyright_detail':
    case 'rights_detail':
      return detail(rest, more('html', feed.copyright))
    case 'copyright':
    case 'rights':
      return more('html', feed.copyright)
    case 'generator':
      return more('text', feed.generator)
    case 'generator_detail':
      return rest[0] === 'name' ? more('text', feed.generator) : skip(SKIP.structure)
    case 'language':
      return more('text', feed.language)
    case 'ttl':
      return more('text', feed.hints.ttlMs === null ? null : String(feed.hints.ttlMs / 60_000))
    case 'image':
      return rest[0] === 'href' || rest[0] === 'url' ? more('text', feed.image) : skip(SKIP.structure)
    case 'icon':
      return more('text', feed.icon)
    case 'logo':
      return more('text', feed.image)
    case 'links':
      return links(rest, [feed.link, feed.hints.selfUrl, feed.hints.nextUrl, ...feed.hints.hubs])
    case 'published':
    case 'published_parsed':
    case 'created':
    case 'created_parsed':
      return foundValue('date', feed.published)
    default:
      return shared(path, feed)
  }
}

function lookUpItem(path: Path, item: ParsedItem): PathValue {
  const [field, ...rest] = path
  switch (field) {
    case 'title':
      return foundValue('html', item.title)
    case 'title_detail':
      return detail(rest, foundValue('html', item.title))
    case 'link':
      return foundValue('text', item.link)
    case 'id':
    case 'guid':
      return foundValue('text', item.id)
    case 'summary':
    case 'description':
      // feedparser itself gives the content where there is no summary.
      return foundValue('html', item.summary ?? item.content)
    case 'summary_detail':
      return detail(rest, foundValue('html', item.summary ?? item.content))
    case 'content':
      return detail(rest.slice(1), foundValue('html', item.content))
    case 'enclosures':
      return enclosure(rest, item)
    case 'comments':
      return more('text', item.commentsUrl)
    case 'image':
      return rest[0] === 'href' ? more('text', item.image) : skip(SKIP.structure)
    case 'language':
      return more('text', item.language)
    case 'links':
      return links(rest, [item.link, ...item.enclosures.map(({ url }) => url)])
    case 'published':
    case 'published_parsed':
    case 'created':
    case 'created_parsed':
      return foundValue('date', item.published)
    case 'wfw_comment':
      return more('text', item.extensions?.['wfw:comment'] ?? null)
    case 'wfw_commentrss':
      return more('text', item.extensions?.['wfw:commentrss'] ?? null)
    case 'itunes_duration':
      return more('text', item.extensions?.['itunes:duration'] ?? null)
    case 'rights':
    case 'rights_detail':
    case 'copyright':
      return skip(SKIP.rights)
    default:
      return shared(path, item)
  }
}

/** What feeds and items have in common. */
function shared(path: Path, draft: ParsedFeed | ParsedItem): PathValue {
  const [field, ...rest] = path
  switch (field) {
    case 'updated':
    case 'updated_parsed':
      return foundValue('date', draft.updated)
    case 'author':
      return foundValue('text', authorText(draft.authors[0]))
    case 'author_detail':
      return person(rest[0], draft.authors[0])
    case 'authors':
      return person(rest[1], draft.authors[Number(rest[0])])
    case 'category':
      return foundValue('text', draft.categories[0] ?? null)
    case 'tags':
      if (rest[0] === '#len') return foundValue('text', draft.categories.length)
      return rest[1] === 'term' ? foundValue('text', draft.categories[Number(rest[0])] ?? null) : skip(SKIP.scheme)
    case 'contributors':
      return skip(SKIP.contributors)
    case 'source':
      return skip(SKIP.source)
    case 'publisher':
    case 'publisher_detail':
      return skip(SKIP.publisher)
    case 'expired':
    case 'expired_parsed':
    case 'validity_start':
    case 'validity_end':
    case 'validity_start_parsed':
    case 'validity_end_parsed':
      return skip(SKIP.expired)
    case 'docs':
    case 'cloud':
    case 'textinput':
    case 'newlocation':
    case 'guidislink':
    case 'license':
      return skip(SKIP.structure)
    default:
      return skip(SKIP.extension)
  }
}

function detail(rest: Path, whole: PathValue): PathValue {
  if (rest[0] === 'value') return whole
  return skip(SKIP.detail)
}

function person(part: string | number | undefined, found: Person | undefined): PathValue {
  if (part === 'name') return foundValue('text', found?.name ?? null)
  if (part === 'email') return foundValue('text', found?.email ?? null)
  return foundValue('text', found?.url ?? null)
}

/** As feedparser writes it. */
function authorText(author: Person | undefined): string | null {
  if (author === undefined) return null
  if (author.name === null) return author.email
  return author.email === null ? author.name : `${author.name} (${author.email})`
}

function enclosure(rest: Path, item: ParsedItem): PathValue {
  const found = item.enclosures[Number(rest[0])]
  if (rest[1] === 'type') return foundValue('text', found?.type ?? null)
  if (rest[1] === 'length') return foundValue('text', found?.lengthBytes == null ? null : String(found.lengthBytes))
  return foundValue('text', found?.url ?? null)
}

function links(rest: Path, addresses: readonly (string | null)[]): PathValue {
  if (rest[1] !== 'href' && rest.length !== 1) return skip(SKIP.link)
  if (rest[0] === '#len') return skip(SKIP.link)
  return { group: 'asked', kind: 'one-of', values: addresses.filter((url) => url !== null) }
}

/** `rss-0.91` is `rss091n` or `rss091u` there. */
function versionName(format: string): string {
  return format === 'unknown' ? '' : format.replace(/[-.]/g, '')
}

function foundValue(kind: 'text' | 'html' | 'date', value: string | number | null): PathValue {
  return { group: 'asked', kind, value }
}

function more(kind: 'text' | 'html' | 'date', value: string | number | null): PathValue {
  return { group: 'more', kind, value }
}

function skip(reason: string): PathValue {
  return { skip: reason }
}

/** A date as feedparser expects it: the text of the document, or a tuple in UTC. */
export function expectedDate(expected: unknown): number | null {
  if (typeof expected === 'string') return parseFeedDate(expected)
  const tuple = (expected as { tuple?: readonly number[] } | null)?.tuple
  if (tuple === undefined) return null
  const [year, month, day, hour, minute, second] = tuple
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
}
