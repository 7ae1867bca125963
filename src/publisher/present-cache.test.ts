import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newItem } from '../../test/contract/store.fixture.ts'
import type { Item } from '../model/index.ts'
import { presentItem } from './present.ts'
import { createPresentCache } from './present-cache.ts'
import type { PublishedItem, SourceLabel } from './published-feed.ts'

const LABEL: SourceLabel = {
  id: 1,
  addedAt: 1_000,
  title: 'A source',
  url: 'http://a.example/feed',
  siteUrl: 'http://a.example/',
  categories: ['News'],
  weight: 1,
}

/** What tells one showing of an item from another. */
interface Showing {
  readonly seq: number
  readonly version: number
  readonly hasTexts: boolean
  readonly label: Omit<SourceLabel, 'id'>
  /** Numbers of items. */
  readonly related: readonly number[]
  readonly score: number | undefined
}

const showing: fc.Arbitrary<Showing> = fc.record({
  seq: fc.integer({ min: 1, max: 3 }),
  version: fc.integer({ min: 1, max: 2 }),
  hasTexts: fc.boolean(),
  label: fc.record({
    title: fc.constantFrom<string>('A source', 'Another'),
    url: fc.constantFrom<string>('http://a.example/feed', 'http://b.example/feed'),
    siteUrl: fc.constantFrom<string | null>('http://a.example/', null),
    categories: fc.constantFrom<readonly string[]>([], ['News'], ['Science'], ['News', 'Science']),
    weight: fc.constantFrom<number>(1, 2),
    addedAt: fc.constantFrom<number>(1_000, 2_000),
  }),
  related: fc.subarray([7, 8]),
  score: fc.constantFrom(undefined, 0, 0.5),
})

function itemOf(seq: number, version: number, hasTexts: boolean): Item {
  const texts = hasTexts ? { summary: `<p>${version}</p>`, content: `<p onclick="x()">${seq}</p>` } : {}
  const given = newItem(`item ${seq}`, { title: `Title ${version}`, link: '/page', ...texts })
  const contentHash = `${version}`.repeat(32)
  return { ...given, seq, sourceId: 1, contentHash, changedAt: given.firstSeenAt + version }
}

function publishedOf({ seq, version, hasTexts, label, related, score }: Showing): PublishedItem {
  const others = related.map((other) => ({ item: itemOf(other, 1, false), source: LABEL }))
  const source = { ...LABEL, ...label }
  return { item: itemOf(seq, version, hasTexts), source, related: others, ...(score === undefined ? {} : { score }) }
}

const options = { maxBytes: 1024 ** 2, keepsWritten: true }

describe('createPresentCache', () => {
  it.each([
    options,
    { ...options, keepsWritten: false },
    { ...options, maxBytes: 20_000 },
    { ...options, maxBytes: 0 },
  ])('shows every item as if it were made anew: %j', (given) => {
    fc.assert(
      fc.property(fc.array(showing, { maxLength: 20 }), (showings) => {
        const present = createPresentCache(given)
        for (const published of showings.map(publishedOf)) expect(present(published)).toEqual(presentItem(published))
      }),
    )
  })

  const plain: Showing = { seq: 1, version: 1, hasTexts: true, label: LABEL, related: [], score: undefined }

  it('gives the same object as long as an item is shown alike, in feeds with and without scores by turns', () => {
    const present = createPresentCache(options)
    const first = present(publishedOf(plain))
    const scored = present(publishedOf({ ...plain, score: 0.5 }))
    expect(scored).not.toBe(first)
    expect(present(publishedOf({ ...plain, label: { ...LABEL } }))).toBe(first)
    expect(present(publishedOf({ ...plain, score: 0.5 }))).toBe(scored)
    expect(present(publishedOf({ ...plain, version: 2 }))).not.toBe(first)
  })

  it('beside a small heap it gives nobody the same object twice: what is written of it can go', () => {
    const present = createPresentCache({ ...options, keepsWritten: false })
    expect(present(publishedOf(plain))).not.toBe(present(publishedOf(plain)))
  })
})
