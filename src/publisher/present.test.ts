import { describe, expect, it } from 'vitest'
import { aPublishedItem, NOON } from '../../test/support/published-items.ts'
import { presentItem, presentItems } from './present.ts'

const HOUR_MS = 3_600_000

describe('the id of a published item', () => {
  it.each([
    'https://a.example/?p=1',
    'http://127.0.0.1:9000/feed/1/item/2',
    'tag:a.example,2024:post-1',
    'urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a',
    'yt:video:abc',
    'https://a.example/日本',
  ])('is the original where that is a URI or IRI: %s', (id) => {
    expect(presentItem(aPublishedItem({ id })).id).toBe(id)
  })

  it.each([
    ['123'],
    ['a post'],
    ['Title: with space'],
    ['javascript:alert(1)'],
    ['http://a\u0000b'],
    [''],
    [null],
    ['x:'],
  ])('is a name of our own otherwise: %j', (id) => {
    const { id: published } = presentItem(aPublishedItem({ id }))
    expect(published).toMatch(/^urn:headwater:[0-9a-f]{32}$/)
    expect(presentItem(aPublishedItem({ id })).id).toBe(published)
    expect(presentItem(aPublishedItem({ id, seq: 2 })).id).not.toBe(published)
    expect(presentItem(aPublishedItem({ id }, { addedAt: NOON - 1 })).id).not.toBe(published)
  })

  it('stays when the source is renamed or moves, or the item goes by another key', () => {
    const before = presentItem(aPublishedItem({ id: '123' }))
    const moved = { url: 'https://new.example/feed', title: 'New', siteUrl: null }
    expect(presentItem(aPublishedItem({ id: '123', key: 'f'.repeat(32), title: 'Edited' }, moved)).id).toBe(before.id)
  })
})

describe('items of one feed', () => {
  it('that two sources carry are shown once', () => {
    const fields = { id: 'https://a.example/1', title: 'Same', link: 'https://a.example/1' }
    const presented = presentItems([
      aPublishedItem({ seq: 2, ...fields }, { id: 2 }),
      aPublishedItem({ seq: 1, ...fields }),
    ])
    expect(presented).toHaveLength(1)
  })

  it.each([
    ['of two sources', 2],
    ['of one source', 1],
  ])('%s that share an id by mistake are both shown, and the first stored keeps the id', (_what, otherSource) => {
    const id = 'http://localhost/?p=1'
    const old = aPublishedItem({ seq: 1, id, title: 'Old', link: 'https://a.example/old' })
    const young = aPublishedItem({ seq: 2, id, title: 'Young', link: 'https://b.example/young' }, { id: otherSource })
    for (const items of [
      [young, old],
      [old, young],
    ]) {
      const presented = presentItems(items)
      expect(presented.map(({ title }) => title)).toEqual(items.map(({ item }) => item.title))
      expect(presented.find(({ title }) => title === 'Old')?.id).toBe(id)
      expect(presented.find(({ title }) => title === 'Young')?.id).toMatch(/^urn:headwater:/)
    }
  })
})

describe('dates', () => {
  it.each([
    ['no edit, nothing stated', {}, NOON, NOON],
    [
      'a stated update before we saw the item',
      { sortAt: NOON - 2 * HOUR_MS, updated: NOON - HOUR_MS },
      NOON - 2 * HOUR_MS,
      NOON - HOUR_MS,
    ],
    ['a stated update in the future', { updated: NOON + HOUR_MS }, NOON, NOON],
    ['an edit that we saw', { changedAt: NOON + HOUR_MS }, NOON, NOON + HOUR_MS],
    ['a stated update before publication', { updated: NOON - HOUR_MS }, NOON, NOON],
    ['no date that a calendar knows', { sortAt: Number.NaN, firstSeenAt: 9e15, changedAt: 9e15 }, 0, 0],
    ['the year 12000', { sortAt: 316_516_204_800_000 }, NOON, NOON],
  ])('%s', (_what, fields, publishedAt, updatedAt) => {
    expect(presentItem(aPublishedItem(fields))).toMatchObject({ publishedAt, updatedAt })
  })
})

describe('links', () => {
  it.each([
    ['https://a.example/x', 'https://a.example/x'],
    ['/relative', 'https://post.example/relative'],
    ['//other.example/x', 'https://other.example/x'],
    ['https://a.example/ü and space', 'https://a.example/%C3%BC%20and%20space'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['http://', null],
    ['', null],
  ])('%j is published as %j', (link, expected) => {
    expect(presentItem(aPublishedItem({ link })).link).toBe(expected)
  })
})
