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

/** Atom 1.0 (RFC 4287). */
export function renderAtom(feed: PublishedFeed, present = presentItems): string {
  const title = oneLine(feed.title, 500)
  const xml = writeXml(feedsmith().generateAtomFeed, {
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
      ...(feed.hubUrl === undefined ? [] : [{ href: feed.hubUrl, rel: 'hub' }]),
      ...documentLinks(feed, 'atom'),
    ],
  })
  const whole = withEntries(xml, present(feed.items).map(writtenEntry), 'entry')
  return feed.links?.isArchive ? markArchive(whole) : whole
}

const LINE = '\n    '
const INNER = '\n      '
const MEDIA = [MEDIA_NAMESPACE]
const NO_NAMESPACES: readonly string[] = []

const writtenEntry = oncePerItem((item): WrittenEntry => {
  const updated = element(LINE, 'updated', '', new Date(item.updatedAt).toISOString())
  const media = mediaElements(LINE, item)
  const provenance = provenanceElements(LINE, item)
  const xml = `<entry>${beforeSource(item)}${sourceOf(item)}${textConstruct(LINE, 'summary', 'html', item.summaryHtml)}${textConstruct(
    LINE,
    'title',
    'text',
    titleOrExcerpt(item),
  )}${updated}${media}${provenance}\n  </entry>`
  const namespaces = media === '' ? NO_NAMESPACES : MEDIA
  return { xml, namespaces: provenance === '' ? namespaces : [...namespaces, PROVENANCE_NAMESPACE] }
})

function beforeSource(item: PresentedItem): string {
  const authors = item.authors.length > 0 ? item.authors : [{ name: item.source.title, url: null, email: null }]
  let xml = ''
  for (const author of authors) xml += person(author)
  for (const term of item.categories) xml += emptyElement(LINE, 'category', attribute('term', term))
  xml += content(item) + textElement(LINE, 'id', item.id) + links(item)
  return xml + element(LINE, 'published', '', new Date(item.publishedAt).toISOString())
}

function person({ name, url, email }: PresentedItem['authors'][number]): string {
  const inner = textElement(INNER, 'name', name) + textElement(INNER, 'uri', url) + textElement(INNER, 'email', email)
  return inner === '' ? '' : `${LINE}<author>${inner}${LINE}</author>`
}

function links(item: PresentedItem): string {
  const { link, commentsUrl } = item
  let xml = link === null ? '' : linkTo(LINE, link, 'alternate')
  if (commentsUrl !== null) xml += linkTo(LINE, commentsUrl, 'replies', attribute('type', 'text/html'))
  for (const { link: other, title } of item.related) {
    // An entry without a page of its own would be taken to link there.
    if (link !== null && other !== null) xml += linkTo(LINE, other, 'related', attribute('title', title))
  }
  for (const { url, type, lengthBytes } of item.enclosures) {
    xml += linkTo(LINE, url, 'enclosure', attribute('type', type) + attribute('length', lengthBytes))
  }
  return xml
}

function linkTo(indent: string, href: string, rel: string, more = ''): string {
  return emptyElement(indent, 'link', attribute('href', href) + attribute('rel', rel) + more)
}

/** §4.1.2: an entry without an alternate link must have content, be it empty. */
function content(item: PresentedItem): string {
  if (item.contentHtml === null && item.link !== null) return ''
  const attributes = ` type="html"${attribute('xml:lang', item.language)}`
  return element(LINE, 'content', attributes, textOf(item.contentHtml ?? item.summaryHtml))
}

function textConstruct(indent: string, name: string, type: string, value: string | null): string {
  const text = textOf(value)
  return text === '' ? '' : element(indent, name, ` type="${type}"`, text)
}

function sourceOf({ source, updatedAt }: PresentedItem): string {
  let inner = ''
  for (const term of source.categories) inner += emptyElement(INNER, 'category', attribute('term', term))
  inner += textElement(INNER, 'id', source.url) + linkTo(INNER, source.url, 'self')
  if (source.siteUrl !== null) inner += linkTo(INNER, source.siteUrl, 'alternate')
  inner += textConstruct(INNER, 'title', 'text', source.title)
  inner += element(INNER, 'updated', '', new Date(updatedAt).toISOString())
  return `${LINE}<source>${inner}${LINE}</source>`
}
