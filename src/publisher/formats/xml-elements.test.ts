import fc from 'fast-check'
import { generateAtomFeed, generateRssFeed } from 'feedsmith'
import { expect, it } from 'vitest'
import { extent } from '../../../test/support/extent.ts'
import { aFeed, hostileItem } from '../../../test/support/published-items.ts'
import { type PresentedItem, presentItems, titleOrExcerpt } from '../present.ts'
import { writeXml } from '../xml-text.ts'
import { renderAtom } from './atom.ts'
import { renderRss } from './rss.ts'

/*
 * A general generator, which knows nothing of our items, writes the same elements with the same values in the same order. It
 * is slower by an order of magnitude, and right.
 */
const anItem = fc
  .tuple(hostileItem, fc.array(hostileItem, { maxLength: 2 }))
  .map(([published, related]) => ({ ...published, related }))

/** The length of a file is no less than nothing, though −0 comes through. */
const withoutMinusZero = (xml: string) => xml.replaceAll(' length="-0"', ' length="0"')

it('an Atom entry is what a generator writes, to the byte', () => {
  fc.assert(
    fc.property(anItem, (published) => {
      const [item] = presentItems([published])
      if (item === undefined) return
      const alone = { id: '', title: { value: '', type: 'text' }, updated: new Date(0), entries: [atomEntry(item)] }
      const expected = entryIn(writeXml(generateAtomFeed, alone), 'entry')
      expect(entryIn(renderAtom(aFeed([published])), 'entry')).toBe(withoutMinusZero(expected))
    }),
    { numRuns: extent(200, 500) },
  )
})

it('an RSS item is what a generator writes, to the byte', () => {
  fc.assert(
    fc.property(anItem, (published) => {
      const [item] = presentItems([published])
      if (item === undefined) return
      const alone = { title: '', link: '', description: '', items: [rssItem(item)] }
      const expected = entryIn(writeXml(generateRssFeed, alone), 'item')
      expect(entryIn(renderRss(aFeed([published])), 'item')).toBe(withoutMinusZero(expected))
    }),
    { numRuns: extent(200, 500) },
  )
})

function entryIn(document: string, element: 'entry' | 'item'): string {
  return document.slice(document.indexOf(`<${element}>`), document.lastIndexOf(`</${element}>`))
}

const unlessNull = <T>(name: string, value: T | null) => (value === null ? {} : { [name]: value })

function atomEntry(item: PresentedItem) {
  const { source, link } = item
  const content = item.contentHtml ?? (link === null ? (item.summaryHtml ?? '') : null)
  const language = item.language === null ? {} : { xml: { lang: item.language } }
  return {
    id: item.id,
    title: { value: titleOrExcerpt(item), type: 'text' },
    published: new Date(item.publishedAt),
    updated: new Date(item.updatedAt),
    authors:
      item.authors.length > 0
        ? item.authors.map(({ name, email, url }) => ({
            name,
            ...unlessNull('email', email),
            ...unlessNull('uri', url),
          }))
        : [{ name: source.title }],
    links: [
      ...(link === null ? [] : [{ href: link, rel: 'alternate' }]),
      ...(item.commentsUrl === null ? [] : [{ href: item.commentsUrl, rel: 'replies', type: 'text/html' }]),
      ...relatedLinks(item),
      ...item.enclosures.map(({ url, type, lengthBytes }) => ({
        href: url,
        rel: 'enclosure',
        type,
        ...unlessNull('length', lengthBytes),
      })),
    ],
    categories: item.categories.map((term) => ({ term })),
    ...(item.summaryHtml === null ? {} : { summary: { value: item.summaryHtml, type: 'html' } }),
    ...(content === null ? {} : { content: { value: content, type: 'html', ...language } }),
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

function rssItem(item: PresentedItem) {
  const hasText = item.summaryHtml !== null || item.contentHtml !== null
  const description = item.summaryHtml ?? (item.title === '' && hasText ? asHtml(titleOrExcerpt(item)) : null)
  return {
    title: asHtml(item.title || hasText ? item.title : titleOrExcerpt(item)),
    ...unlessNull('link', item.link),
    ...unlessNull('description', description),
    content: item.contentHtml === null ? {} : { encoded: item.contentHtml },
    dc: { creators: item.authors.map(({ name }) => name) },
    categories: item.categories.map((name) => ({ name: asHtml(name) })),
    ...unlessNull('comments', item.commentsUrl),
    enclosures: item.enclosures.map(({ url, type, lengthBytes }) => ({ url, type, length: lengthBytes ?? 0 })),
    guid: { value: item.id, isPermaLink: false },
    pubDate: new Date(item.publishedAt),
    source: { title: item.source.title, url: item.source.url },
    atom: { links: relatedLinks(item) },
    ...(item.imageUrl === null ? {} : { media: { thumbnails: [{ url: item.imageUrl }] } }),
  }
}

function relatedLinks(item: PresentedItem) {
  if (item.link === null) return []
  return item.related.flatMap(({ link, title }) => (link === null ? [] : [{ href: link, rel: 'related', title }]))
}

/** As RSS titles are written that readers would take for markup. */
function asHtml(text: string): string {
  if (!/<[a-z!/?]|&(?:#|[a-z][a-z0-9]*;)/i.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
