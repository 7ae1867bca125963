import { attribute, element, emptyElement, textElement, textOf } from '../../publisher/formats/xml-elements.ts'
import { titleOrExcerpt } from '../../publisher/present.ts'
import type { ShownItem } from '../readers/shown-items.ts'
import { longId } from './item-ids.ts'
import { type ItemSetting, itemCategories } from './item-json.ts'

const LINE = '\n    '
const INNER = '\n      '
const SCHEME = 'http://www.google.com/reader/'

export interface AtomStream {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly continuation: string | null
}

/** A stream as Atom (RFC 4287), as Google Reader had it: what is read is a category of its scheme. */
export function atomStream(stream: AtomStream, items: readonly ShownItem[], setting: ItemSetting): string {
  const head =
    element('\n  ', 'id', '', textOf(`tag:google.com,2005:reader/${stream.id}`)) +
    element('\n  ', 'title', '', textOf(stream.title)) +
    element('\n  ', 'updated', '', new Date(stream.updatedAt).toISOString()) +
    (stream.continuation === null ? '' : element('\n  ', 'gr:continuation', '', stream.continuation))
  const entries = items.map((item) => entry(item, setting)).join('')
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:gr="http://www.google.com/schemas/reader/atom/">${head}${entries}
</feed>
`
}

function entry(one: ShownItem, setting: ItemSetting): string {
  const { item, shown, source } = one
  const authors = shown.authors.length > 0 ? shown.authors.map(({ name }) => name) : [source.title]
  const enclosures = shown.enclosures.map(({ url, type }) => link('enclosure', url, attribute('type', type)))
  return `
  <entry>${element(LINE, 'id', '', textOf(longId(item.seq)))}${itemCategories(one, setting).map(category).join('')}${element(
    LINE,
    'title',
    ' type="text"',
    textOf(titleOrExcerpt(shown)),
  )}${authors.map((name) => `${LINE}<author>${textElement(INNER, 'name', name)}${LINE}</author>`).join('')}${
    shown.link === null ? '' : link('alternate', shown.link)
  }${enclosures.join('')}${element(LINE, 'published', '', new Date(shown.publishedAt).toISOString())}${element(
    LINE,
    'updated',
    '',
    new Date(shown.updatedAt).toISOString(),
  )}${element(LINE, 'content', ' type="html"', textOf(shown.contentHtml ?? shown.summaryHtml))}
  </entry>`
}

/** newsboat looks at the scheme and the label. */
function category(term: string): string {
  const label = term.slice(term.lastIndexOf('/') + 1)
  return emptyElement(
    LINE,
    'category',
    attribute('term', term) + attribute('scheme', SCHEME) + attribute('label', label),
  )
}

function link(rel: string, href: string, more = ''): string {
  return emptyElement(LINE, 'link', attribute('rel', rel) + attribute('href', href) + more)
}
