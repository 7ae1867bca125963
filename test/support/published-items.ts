import fc from 'fast-check'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { BLANK_ITEM, type Item, type SourceSettings } from '../../src/model/index.ts'
import type { PublishedFeed, PublishedItem, SourceLabel } from '../../src/publisher/published-feed.ts'

export const NOON = Date.UTC(2024, 4, 17, 12)

export function anItem(fields: Partial<Item> = {}): Item {
  const seq = fields.seq ?? 1
  return {
    seq,
    sourceId: 1,
    key: String(seq).padStart(32, '0'),
    contentHash: 'c'.repeat(32),
    ...BLANK_ITEM,
    firstSeenAt: NOON,
    changedAt: NOON,
    sortAt: NOON,
    ...fields,
  }
}

export function aLabel(fields: Partial<SourceLabel> = {}): SourceLabel {
  return {
    id: 1,
    addedAt: NOON,
    title: 'The Daily Post',
    url: 'https://post.example/feed.xml',
    siteUrl: 'https://post.example/',
    categories: [],
    weight: 1,
    ...fields,
  }
}

export function aPublishedItem(fields: Partial<Item> = {}, label: Partial<SourceLabel> = {}): PublishedItem {
  const source = aLabel(label)
  return { item: anItem({ sourceId: source.id, ...fields }), source }
}

export function aFeed(items: readonly PublishedItem[], fields: Partial<PublishedFeed> = {}): PublishedFeed {
  return {
    title: 'Everything',
    description: 'All items of all sources',
    url: 'http://127.0.0.1:8080/feeds/all',
    siteUrl: 'http://127.0.0.1:8080/',
    categories: [],
    items,
    updatedAt: NOON,
    ...fields,
  }
}

export function settingsFor(url: string, fields: Partial<SourceSettings> = {}): SourceSettings {
  return withSourceDefaults({ url, ...fields })
}

const NASTY = [
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '&',
  '&amp;',
  '&bogus;',
  '&apos;',
  '&#0;',
  '&#xD800;',
  '<',
  '>',
  '"',
  "'",
  '<b>',
  '</item>',
  '<script>alert(1)</script>',
  '<?xml version="1.0"?>',
  '<p title="',
  '\u0000',
  '\u0008',
  '\u000B',
  '\u001F',
  '\u007F',
  '\u0085',
  '\u2028',
  '\uD800',
  '\uDFFF',
  '\uFFFE',
  '\uFFFF',
  '\uFEFF',
  '\u{1F600}',
  '\u{1FFFE}',
  '\r\n',
  '\t',
  ' ',
  '%',
  'xmlns:x',
  'http://',
]

/** Text as an enemy of XML would write it. */
export const nastyText = fc
  .array(
    fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 6 }), fc.string({ maxLength: 8 })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })
const nastyUrl = fc.oneof(
  fc.webUrl(),
  nastyText,
  nastyText.map((text) => `https://a.example/${text}`),
)
const nastyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(8.64e15, -8.64e15, 253_402_300_800_000, NOON))

/** Items with everything wrong that the types allow. */
export const hostileItem: fc.Arbitrary<PublishedItem> = fc
  .record({
    key: fc.stringMatching(/^[0-9a-f]{32}$/),
    id: maybe(
      fc.oneof(nastyText, nastyUrl, fc.constantFrom('tag:a.example,2024:1', 'urn:isbn:1', 'same', 'https://a/')),
    ),
    title: maybe(nastyText),
    link: maybe(nastyUrl),
    published: maybe(nastyNumber),
    updated: maybe(nastyNumber),
    authors: fc.array(fc.record({ name: maybe(nastyText), email: maybe(nastyText), url: maybe(nastyUrl) }), {
      maxLength: 3,
    }),
    categories: fc.array(nastyText, { maxLength: 3 }),
    summary: maybe(nastyText),
    content: maybe(nastyText),
    enclosures: fc.array(fc.record({ url: nastyUrl, type: maybe(nastyText), lengthBytes: maybe(nastyNumber) }), {
      maxLength: 3,
    }),
    language: maybe(nastyText),
    commentsUrl: maybe(nastyUrl),
    image: maybe(nastyUrl),
    firstSeenAt: nastyNumber,
    changedAt: nastyNumber,
    sortAt: nastyNumber,
    sourceId: fc.constantFrom(1, 2),
    seq: fc.nat(),
  })
  .map(({ sourceId, ...fields }) => aPublishedItem(fields, { id: sourceId }))
