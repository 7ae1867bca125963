import { SECOND_MS } from '../../model/index.ts'
import { plainText } from '../plain-text.ts'
import { type PresentedItem, presentItems, titleOrExcerpt } from '../present.ts'
import type { PublishedFeed } from '../published-feed.ts'
import { oneLine } from '../xml-text.ts'
import { feedsmith } from './feedsmith.ts'
import { oncePerItem } from './written-entries.ts'

/** JSON Feed 1.1. */
export function renderJsonFeed(feed: PublishedFeed, present = presentItems): string {
  const older = feed.links?.older ?? null
  const document = feedsmith().generateJsonFeed({
    title: oneLine(feed.title, 500),
    home_page_url: feed.siteUrl,
    feed_url: `${feed.url}.json${feed.links?.self ?? ''}`,
    ...(older === null ? {} : { next_url: `${feed.url}.json${older}` }),
    description: oneLine(feed.description, 2_000),
    ...(feed.hubUrl === undefined ? {} : { hubs: [{ type: 'WebSub', url: feed.hubUrl }] }),
    items: [],
  })
  // The specification has no categories of feeds.
  const ours = feed.categories.length === 0 ? {} : { _headwater: { categories: feed.categories } }
  // The generator leaves out an empty list, which the specification requires.
  const head = JSON.stringify({ ...(document as object), ...ours, items: [] }, null, 1)
  const items = present(feed.items).map(writtenItem)
  return items.length === 0 ? `${head}\n` : `${head.slice(0, -NO_ITEMS.length)}[${items.join(',')}\n ]\n}\n`
}

const NO_ITEMS = '[]\n}'

/** As it stands in the list, two levels deep. */
const writtenItem = oncePerItem((item) =>
  JSON.stringify([[jsonItem(item)]], null, 1).slice(OPENING.length, -CLOSING.length),
)

const OPENING = '[\n ['
const CLOSING = '\n ]\n]'

export function jsonItem(item: PresentedItem) {
  return {
    id: item.id,
    url: item.link ?? undefined,
    title: item.title || undefined,
    ...jsonContent(item),
    image: item.imageUrl ?? undefined,
    date_published: new Date(item.publishedAt).toISOString(),
    date_modified: new Date(item.updatedAt).toISOString(),
    authors: listOrNothing(item.authors.map(({ name, url }) => ({ name, url: url ?? undefined }))),
    tags: listOrNothing(item.categories),
    language: item.language ?? undefined,
    attachments: listOrNothing(
      item.enclosures.map(({ url, type, lengthBytes, durationMs, width, height }) => ({
        url,
        mime_type: type,
        size_in_bytes: lengthBytes ?? undefined,
        duration_in_seconds: durationMs === null ? undefined : Math.round(durationMs / SECOND_MS),
        // As with items: the specification has no place for it.
        _headwater:
          width === null && height === null ? undefined : { width: width ?? undefined, height: height ?? undefined },
      })),
    ),
    // Extensions start with an underscore; the specification has no place for where an item comes from.
    _headwater: {
      source_title: item.source.title,
      source_url: item.source.url,
      source_site_url: item.source.siteUrl ?? undefined,
      source_categories: listOrNothing(item.source.categories),
      comments_url: item.commentsUrl,
      image_width: item.imageSize?.width ?? undefined,
      image_height: item.imageSize?.height ?? undefined,
      origin: item.provenance?.origin,
      path: item.provenance && [...item.provenance.path],
      score: item.score === null ? undefined : Number(item.score.toPrecision(6)),
      related: listOrNothing(
        item.related.map(({ id, title, link, sourceTitle }) => ({ id, title, url: link, source_title: sourceTitle })),
      ),
    },
  }
}

/** One of content_html and content_text is required; `summary` is plain text and only makes sense beside content. */
function jsonContent(item: PresentedItem) {
  if (item.contentHtml !== null && item.summaryHtml !== null) {
    return { content_html: item.contentHtml, summary: plainText(item.summaryHtml, 1_000) || undefined }
  }
  const html = item.contentHtml ?? item.summaryHtml
  return html === null ? { content_text: titleOrExcerpt(item) } : { content_html: html }
}

function listOrNothing<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list]
}
