import { type PresentedItem, presentItems, titleOrExcerpt } from '../present.ts'
import type { PublishedFeed } from '../published-feed.ts'
import { oneLine, writeXml } from '../xml-text.ts'
import { documentLinks, markArchive } from './document-links.ts'
import { feedsmith } from './feedsmith.ts'
import { oncePerItem, type WrittenEntry, withEntries } from './written-entries.ts'
import {
  attribute,
  element,
  emptyElement,
  MEDIA_NAMESPACE,
  mediaElements,
  PROVENANCE_NAMESPACE,
  provenanceElements,
  textElement,
  textOf,
} from './xml-elements.ts'

/** RSS 2.0 with content:encoded, dc:creator and atom:link, as the RSS Advisory Board's profile recommends. */
export function renderRss(feed: PublishedFeed, present = presentItems): string {
  const xml = writeXml(feedsmith().generateRssFeed, {
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
        ...(feed.hubUrl === undefined ? [] : [{ href: feed.hubUrl, rel: 'hub' }]),
        ...documentLinks(feed, 'rss'),
      ],
    },
  })
  const whole = withEntries(xml, present(feed.items).map(writtenItem), 'item')
  return feed.links?.isArchive ? markArchive(whole) : whole
}

const LINE = '\n      '
const NAMESPACES = {
  atom: 'xmlns:atom="http://www.w3.org/2005/Atom"',
  content: 'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  dc: 'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  headwater: PROVENANCE_NAMESPACE,
  media: MEDIA_NAMESPACE,
} as const

/** In the order of the profile of the RSS Advisory Board, then the modules. */
const writtenItem = oncePerItem((item): WrittenEntry => {
  const related = relatedLinks(item)
  const creators = item.authors.map(({ name }) => textElement(LINE, 'dc:creator', name)).join('')
  const content = textElement(LINE, 'content:encoded', item.contentHtml)
  const media = mediaElements(LINE, item)
  const provenance = provenanceElements(LINE, item)
  const modules = { atom: related, dc: creators, content, headwater: provenance, media } as const
  const xml = `<item>${ownElements(item)}${related}${creators}${content}${media}${provenance}\n    </item>`
  return { xml, namespaces: PREFIXES.filter((name) => modules[name] !== '').map((name) => NAMESPACES[name]) }
})

const PREFIXES = ['atom', 'content', 'dc', 'headwater', 'media'] as const

function ownElements(item: PresentedItem): string {
  const hasText = item.summaryHtml !== null || item.contentHtml !== null
  // An item without a title must have a description.
  const description = item.summaryHtml ?? (item.title === '' && hasText ? titleAsHtml(titleOrExcerpt(item)) : null)
  const title = titleAsHtml(item.title || hasText ? item.title : titleOrExcerpt(item))
  let xml = textElement(LINE, 'title', title) + textElement(LINE, 'link', item.link)
  xml += textElement(LINE, 'description', description)
  for (const name of item.categories) xml += textElement(LINE, 'category', titleAsHtml(name))
  xml += textElement(LINE, 'comments', item.commentsUrl)
  for (const { url, type, lengthBytes } of item.enclosures) {
    // Length and type are required; 0 is what the profile recommends for an unknown length.
    const attributes = attribute('url', url) + attribute('length', lengthBytes ?? 0) + attribute('type', type)
    xml += emptyElement(LINE, 'enclosure', attributes)
  }
  xml += element(LINE, 'guid', ' isPermaLink="false"', textOf(item.id))
  xml += element(LINE, 'pubDate', '', new Date(item.publishedAt).toUTCString())
  const { title: sourceTitle, url } = item.source
  return xml + element(LINE, 'source', attribute('url', url), textOf(sourceTitle))
}

/** RSS has no relation of its own between items. */
function relatedLinks(item: PresentedItem): string {
  if (item.link === null) return ''
  return item.related
    .map(({ link, title }) => {
      if (link === null) return ''
      const attributes = attribute('href', link) + attribute('rel', 'related') + attribute('title', title)
      return emptyElement(LINE, 'atom:link', attributes)
    })
    .join('')
}

/**
 * RSS does not say whether a title is text or HTML, and readers guess. Plain text is left alone unless it would be
 * taken for markup, as "the <b> element" would.
 */
function titleAsHtml(text: string): string {
  if (!/<[a-z!/?]|&(?:#|[a-z][a-z0-9]*;)/i.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
