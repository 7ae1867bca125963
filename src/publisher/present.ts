import {
  type DurationMs,
  type Enclosure,
  type ImageSize,
  type InstantMs,
  type Item,
  ORIGIN,
  type Person,
} from '../model/index.ts'
import { itemOrigin, pathThrough } from '../store/provenance.ts'
import { presentCategories } from './feed-categories.ts'
import type { ImageAddress } from './images/image-address.ts'
import { moveImages } from './images/move-images.ts'
import { ownId, publishedId } from './item-id.ts'
import { plainText } from './plain-text.ts'
import type { PublishedItem, SourceLabel } from './published-feed.ts'
import { sanitizeHtml } from './sanitize.ts'
import { webAddress, withoutCredentials } from './web-address.ts'
import { isBlank, oneLine, truncateText, xmlText } from './xml-text.ts'

/** An item as all formats may show it: every value is valid XML text, every address absolute, all HTML sanitised. */
export interface PresentedItem {
  readonly id: string
  /** Plain text; empty where the item has none. */
  readonly title: string
  readonly link: string | null
  readonly publishedAt: InstantMs
  readonly updatedAt: InstantMs
  /** May be empty; every name is not. */
  readonly authors: readonly PresentedPerson[]
  readonly categories: readonly string[]
  readonly summaryHtml: string | null
  readonly contentHtml: string | null
  readonly enclosures: readonly PresentedEnclosure[]
  readonly language: string | null
  readonly commentsUrl: string | null
  readonly imageUrl: string | null
  /** null: nobody says. */
  readonly imageSize: ImageSize | null
  readonly source: SourceLabel
  readonly related: readonly RelatedItem[]
  /** By which its feed is ordered; null: by none. */
  readonly score: number | null
  /** Where it was seen first and the nodes it came through, this one last; absent: nobody asked for it. */
  readonly provenance?: { readonly origin: string; readonly path: readonly string[] }
}

/** What is shown of an item beside another one that it was joined with. */
export interface RelatedItem {
  readonly id: string
  readonly title: string
  readonly link: string | null
  readonly sourceTitle: string
}

export interface PresentedPerson {
  readonly name: string
  readonly email: string | null
  readonly url: string | null
}

export interface PresentedEnclosure {
  readonly url: string
  readonly type: string
  readonly lengthBytes: number | null
  readonly durationMs: DurationMs | null
  readonly width: number | null
  readonly height: number | null
}

const TITLE_LENGTH = 500
const NAME_LENGTH = 200
const LIST_LENGTH = 50
/** One item of a published feed need not carry a book; the link leads to the rest. */
const HTML_LENGTH = 400_000
/** Once a feed holds this much text, the older items come as excerpts. */
const FEED_HTML_LENGTH = 8_000_000

/** `imageAddress`: where pictures are loaded from instead of their own sites; null: from there. `nodeId`: who passes it on. */
export function presentItem(
  published: PublishedItem,
  imageAddress: ImageAddress | null = null,
  nodeId: string | null = null,
): PresentedItem {
  const { item, source } = published
  const base = source.siteUrl ?? source.url
  const link = webAddress(item.link, base)
  const html = (text: string | null) => presentHtml(text, link ?? base, imageAddress)
  const contentHtml = html(contentOf(published))
  const image = webAddress(item.image, base) ?? (published.isWhole === true ? firstImage(item.article) : null)
  const publishedAt = firstValid(item.sortAt, item.firstSeenAt, 0)
  return {
    id: publishedId(published),
    title: plainText(item.title ?? '', TITLE_LENGTH),
    link,
    publishedAt,
    updatedAt: updatedAt(item, publishedAt),
    authors: item.authors.slice(0, LIST_LENGTH).flatMap(presentPerson),
    categories: presentCategories(item.categories),
    summaryHtml: html(item.summary),
    contentHtml,
    enclosures: item.enclosures.slice(0, LIST_LENGTH).flatMap((enclosure) => presentEnclosure(enclosure, base)),
    language: item.language !== null && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(item.language) ? item.language : null,
    commentsUrl: webAddress(item.commentsUrl, base),
    imageUrl: image === null || imageAddress === null ? image : imageAddress(image),
    imageSize: image === null || item.image === null ? null : (item.imageSize ?? null),
    source: attributedTo(item, source),
    related: presentRelatedItems(published.related),
    score: published.score ?? null,
    ...(nodeId === null
      ? {}
      : { provenance: { origin: itemOrigin(item, source.url).id, path: pathThrough(item, nodeId) } }),
  }
}

/** What a feed shows as the content of an item. */
function contentOf({ item, isWhole }: PublishedItem): string | null {
  return (isWhole === true ? item.article : undefined) ?? item.content
}

/** An article begins with its lead image where its feed names none (articles/page-outcome.ts). */
function firstImage(article: string | undefined): string | null {
  const [, address] = /^<figure><img src="([^"]*)"/.exec(article ?? '') ?? []
  return address === undefined
    ? null
    : webAddress(address.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

export function presentRelatedItems(related: readonly PublishedItem[] = []): readonly RelatedItem[] {
  return related.slice(0, LIST_LENGTH).map((published) => {
    const { item, source } = published
    const { title, url, siteUrl } = attributedTo(item, source)
    const link = webAddress(item.link, siteUrl ?? url)
    const relatedTitle = plainText(item.title ?? '', TITLE_LENGTH) || link || 'Untitled'
    return { id: publishedId(published), title: relatedTitle, link, sourceTitle: title }
  })
}

/** The feed that an aggregator says it has an item from; else the one that we have it from. */
export function attributedTo(item: Pick<Item, 'extensions'>, source: SourceLabel): SourceLabel {
  const extension = (name: string) => item.extensions?.[name] ?? null
  const url = webAddress(extension(ORIGIN.url)) ?? webAddress(extension(ORIGIN.id))
  if (url === null) return source
  const address = withoutCredentials(url)
  const title = plainText(extension(ORIGIN.title) ?? '', NAME_LENGTH) || address
  return { ...source, title, url: address, siteUrl: webAddress(extension(ORIGIN.siteUrl)), categories: [] }
}

/**
 * A reader distinguishes items by id alone, so no id may be twice in a feed. Two sources with the same id and the same
 * link or title carry the same item: the newest is shown. Otherwise somebody has used an id twice, and whichever was
 * stored first keeps it.
 */
export function presentItems(
  items: readonly PublishedItem[],
  present: (published: PublishedItem) => PresentedItem = presentItem,
): readonly PresentedItem[] {
  const byId = new Map<string, { published: PublishedItem; item: PresentedItem }>()
  for (const published of items) {
    const presented = present(published)
    const rival = byId.get(presented.id)
    const entry = { published, item: presented }
    if (rival === undefined) byId.set(presented.id, entry)
    else if (isSameItem(rival, entry)) continue
    else if (rival.published.item.seq < published.item.seq) renameTo(byId, entry)
    else {
      renameTo(byId, rival)
      byId.set(presented.id, entry)
    }
  }
  const inOrder = new Map([...byId.values()].map(({ published, item: presented }) => [published, presented]))
  return withinLength(items.flatMap((published) => inOrder.get(published) ?? []))
}

function withinLength(items: readonly PresentedItem[]): readonly PresentedItem[] {
  let length = 0
  return items.map((item) => {
    length += (item.contentHtml?.length ?? 0) + (item.summaryHtml?.length ?? 0)
    if (length <= FEED_HTML_LENGTH) return item
    const excerpt = plainText(item.summaryHtml ?? item.contentHtml ?? '', TITLE_LENGTH)
    return { ...item, contentHtml: null, summaryHtml: escapeText(excerpt) || null }
  })
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

type PresentedPair = { readonly published: PublishedItem; readonly item: PresentedItem }

function renameTo(byId: Map<string, PresentedPair>, { published, item: presented }: PresentedPair): void {
  const id = ownId(published)
  byId.set(id, { published, item: { ...presented, id } })
}

function isSameItem(a: PresentedPair, b: PresentedPair): boolean {
  if (a.published.item.sourceId === b.published.item.sourceId) return a.published.item.key === b.published.item.key
  if (a.item.link !== null && a.item.link === b.item.link) return true
  return a.item.title !== '' && a.item.title === b.item.title
}

/** In place of a title where a format wants one. */
export function titleOrExcerpt(item: PresentedItem): string {
  const excerpt = () => plainText(item.summaryHtml ?? item.contentHtml ?? '', 100)
  return item.title || excerpt() || item.link || item.enclosures[0]?.url || 'Untitled'
}

function presentHtml(html: string | null, base: string, imageAddress: ImageAddress | null): string | null {
  if (html === null) return null
  const given = truncateText(xmlText(html), HTML_LENGTH)
  const safe = sanitizeHtml(given, base)
  // What was harmless as it stood has been looked through already.
  const clean = (safe === given ? safe : xmlText(safe)).trim()
  if (isBlank(clean)) return null
  return imageAddress === null ? clean : moveImages(clean, imageAddress)
}

function presentPerson(person: Person): readonly PresentedPerson[] {
  const email = oneLine(person.email ?? '', NAME_LENGTH)
  const url = webAddress(person.url)
  const name = plainText(person.name ?? '', NAME_LENGTH) || email || url
  return name === null || name === '' ? [] : [{ name, email: /^[^\s@<>]+@[^\s@<>]+$/.test(email) ? email : null, url }]
}

function presentEnclosure(enclosure: Enclosure, base: string): readonly PresentedEnclosure[] {
  const url = webAddress(enclosure.url, base)
  if (url === null) return []
  const [mediaType = ''] = (enclosure.type ?? '').split(';', 1)
  const type = mediaType.trim().toLowerCase()
  const { lengthBytes } = enclosure
  return [
    {
      url,
      type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : 'application/octet-stream',
      lengthBytes: lengthBytes !== null && Number.isSafeInteger(lengthBytes) && lengthBytes >= 0 ? lengthBytes : null,
      durationMs: enclosure.durationMs ?? null,
      width: enclosure.width ?? null,
      height: enclosure.height ?? null,
    },
  ]
}

/** The stated date of the last change where it can be true, else when we saw the change. */
function updatedAt(item: Item, publishedAt: InstantMs): InstantMs {
  const stated = item.updated
  if (stated !== null && isValid(stated) && stated >= publishedAt && stated <= item.changedAt) return stated
  return item.changedAt > item.firstSeenAt ? firstValid(item.changedAt, publishedAt) : publishedAt
}

// RFC 3339 and RFC 822 as all readers know them have four digits for the year.
const YEAR_1_MS = -62_135_596_800_000
const YEAR_9999_END_MS = 253_402_300_799_999

function isValid(instant: InstantMs): boolean {
  return instant >= YEAR_1_MS && instant <= YEAR_9999_END_MS
}

function firstValid(...instants: readonly InstantMs[]): InstantMs {
  return Math.trunc(instants.find(isValid) ?? 0)
}
