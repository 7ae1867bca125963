import { generateAtomFeed } from 'feedsmith'
import { type PresentedItem, presentItems, titleOrExcerpt } from '../present.ts'
import type { PublishedFeed } from '../published-feed.ts'
import { oneLine, writeXml } from '../xml-text.ts'
import { documentLinks, markArchive } from './document-links.ts'
import { entryOf, oncePerItem, withEntries } from './written-entries.ts'

/** Atom 1.0 (RFC 4287). */
export function renderAtom(feed: PublishedFeed, present = presentItems): string {
  const title = oneLine(feed.title, 500)
  const xml = writeXml(generateAtomFeed, {
    id: feed.url,
    title: { value: title, type: 'text' },
    subtitle: { value: oneLine(feed.description, 2_000), type: 'text' },
    updated: new Date(feed.updatedAt),
    // §4.1.1: a feed has an author unless every entry has one; an empty feed has no entries.
    authors: [{ name: title }],
    generator: { text: 'Headwater' },
    categories: feed.categories.map((term) => ({ term })),
    links: [
      { href: `${feed.url}.atom${feed.links?.self ?? ''}`, rel: 'self', type: 'application/atom+xml' },
      { href: feed.siteUrl, rel: 'alternate', type: 'text/html' },
      ...documentLinks(feed, 'atom'),
    ],
  })
  const whole = withEntries(xml, present(feed.items).map(writtenEntry), 'entry')
  return feed.links?.isArchive ? markArchive(whole) : whole
}

const writtenEntry = oncePerItem((item) => {
  const alone = { id: '', title: { value: '', type: 'text' }, updated: new Date(0), entries: [atomEntry(item)] }
  return entryOf(writeXml(generateAtomFeed, alone), 'entry')
})

function atomEntry(item: PresentedItem) {
  const { source } = item
  return {
    id: item.id,
    title: { value: titleOrExcerpt(item), type: 'text' },
    published: new Date(item.publishedAt),
    updated: new Date(item.updatedAt),
    authors: item.authors.length > 0 ? item.authors.map(atomPerson) : [{ name: source.title }],
    links: atomLinks(item),
    categories: item.categories.map((term) => ({ term })),
    ...(item.summaryHtml === null ? {} : { summary: { value: item.summaryHtml, type: 'html' } }),
    ...atomContent(item),
    source: {
      id: source.url,
      title: { value: source.title, type: 'text' },
      updated: new Date(item.updatedAt),
      categories: source.categories.map((term) => ({ term })),
      links: [
        { href: source.url, rel: 'self' },
        ...(source.siteUrl === null ? [] : [{ href: source.siteUrl, rel: 'alternate' }]),
      ],
    },
    ...(item.imageUrl === null ? {} : { media: { thumbnails: [{ url: item.imageUrl }] } }),
  }
}

function atomPerson({ name, email, url }: PresentedItem['authors'][number]) {
  return { name, ...(email === null ? {} : { email }), ...(url === null ? {} : { uri: url }) }
}

function atomLinks(item: PresentedItem) {
  const comments = { href: item.commentsUrl ?? '', rel: 'replies', type: 'text/html' }
  return [
    ...(item.link === null ? [] : [{ href: item.link, rel: 'alternate' }]),
    ...(item.commentsUrl === null ? [] : [comments]),
    // An entry without a page of its own would be taken to link there.
    ...(item.link === null ? [] : item.related).flatMap(({ link, title }) =>
      link === null ? [] : [{ href: link, rel: 'related', title }],
    ),
    ...item.enclosures.map(({ url, type, lengthBytes }) => ({
      href: url,
      rel: 'enclosure',
      type,
      ...(lengthBytes === null ? {} : { length: lengthBytes }),
    })),
  ]
}

/** §4.1.2: an entry without an alternate link must have content, be it empty. */
function atomContent(item: PresentedItem) {
  if (item.contentHtml === null && item.link !== null) return {}
  const language = item.language === null ? {} : { xml: { lang: item.language } }
  return { content: { value: item.contentHtml ?? item.summaryHtml ?? '', type: 'html', ...language } }
}
