import { generateRssFeed } from 'feedsmith'
import { type PresentedItem, presentItems, titleOrExcerpt } from '../present.ts'
import type { PublishedFeed } from '../published-feed.ts'
import { oneLine, writeXml } from '../xml-text.ts'
import { documentLinks, markArchive } from './document-links.ts'
import { entryOf, oncePerItem, withEntries } from './written-entries.ts'

/** RSS 2.0 with content:encoded, dc:creator and atom:link, as the RSS Advisory Board's profile recommends. */
export function renderRss(feed: PublishedFeed, present = presentItems): string {
  const xml = writeXml(generateRssFeed, {
    title: titleAsHtml(oneLine(feed.title, 500)),
    link: feed.siteUrl,
    description: titleAsHtml(oneLine(feed.description, 2_000)),
    lastBuildDate: new Date(feed.updatedAt),
    generator: 'Headwater',
    categories: feed.categories.map((name) => ({ name: titleAsHtml(name) })),
    docs: 'https://www.rssboard.org/rss-specification',
    atom: {
      links: [
        { href: `${feed.url}.rss${feed.links?.self ?? ''}`, rel: 'self', type: 'application/rss+xml' },
        ...documentLinks(feed, 'rss'),
      ],
    },
  })
  const whole = withEntries(xml, present(feed.items).map(writtenItem), 'item')
  return feed.links?.isArchive ? markArchive(whole) : whole
}

const writtenItem = oncePerItem((item) => {
  const alone = { title: '', link: '', description: '', items: [rssItem(item)] }
  return entryOf(writeXml(generateRssFeed, alone), 'item')
})

function rssItem(item: PresentedItem) {
  const hasText = item.summaryHtml !== null || item.contentHtml !== null
  // An item without a title must have a description.
  const description = item.summaryHtml ?? (item.title === '' && hasText ? titleAsHtml(titleOrExcerpt(item)) : null)
  return {
    title: titleAsHtml(item.title || hasText ? item.title : titleOrExcerpt(item)),
    ...(item.link === null ? {} : { link: item.link }),
    ...(description === null ? {} : { description }),
    content: item.contentHtml === null ? {} : { encoded: item.contentHtml },
    dc: { creators: item.authors.map((author) => author.name) },
    categories: item.categories.map((name) => ({ name: titleAsHtml(name) })),
    ...(item.commentsUrl === null ? {} : { comments: item.commentsUrl }),
    // Length and type are required; 0 is what the profile recommends for an unknown length.
    enclosures: item.enclosures.map(({ url, type, lengthBytes }) => ({ url, type, length: lengthBytes ?? 0 })),
    guid: { value: item.id, isPermaLink: false },
    pubDate: new Date(item.publishedAt),
    source: { title: item.source.title, url: item.source.url },
    // RSS has no relation of its own between items.
    ...(item.related.length > 0 ? { atom: { links: relatedLinks(item) } } : {}),
    ...(item.imageUrl === null ? {} : { media: { thumbnails: [{ url: item.imageUrl }] } }),
  }
}

function relatedLinks(item: PresentedItem) {
  if (item.link === null) return []
  return item.related.flatMap(({ link, title }) => (link === null ? [] : [{ href: link, rel: 'related', title }]))
}

/**
 * RSS does not say whether a title is text or HTML, and readers guess. Plain text is left alone unless it would be
 * taken for markup, as "the <b> element" would.
 */
function titleAsHtml(text: string): string {
  if (!/<[a-z!/?]|&(?:#|[a-z][a-z0-9]*;)/i.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
