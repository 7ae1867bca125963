import { describe, expect, it } from 'vitest'
import { anItem } from '../../test/support/published-items.ts'
import { compareArchive, compareContents, compareMessages } from './findings.ts'
import { shownId } from './sites.ts'

const stored = (sourceId: number, id: string, seq: number) => anItem({ seq, sourceId, id })

describe('what was shown beside what is stored', () => {
  const archive = [stored(7, shownId(0, 0), 1), stored(8, shownId(1, 0), 2)]

  it('all of it, once', () => {
    expect(compareArchive(archive, [7, 8], [1, 1])).toEqual({ lost: 0, doubled: 0 })
  })

  it('counts what is missing, twice there, of another source, or was never shown', () => {
    expect(compareArchive(archive, [7, 8], [1, 3])).toEqual({ lost: 2, doubled: 0 })
    expect(compareArchive([...archive, stored(7, shownId(0, 0), 3)], [7, 8], [1, 1])).toEqual({ lost: 0, doubled: 1 })
    expect(compareArchive([stored(8, shownId(0, 0), 1)], [7, 8], [1, 0])).toEqual({ lost: 1, doubled: 1 })
    expect(compareArchive(archive, [7, 8], [1, 0])).toEqual({ lost: 0, doubled: 1 })
  })
})

it('feeds differ by what they lack, have twice, or should not have', () => {
  const ought = new Map([['q', [1, 2, 3]]])
  expect(compareContents(new Map([['q', [3, 2, 1]]]), ought)).toBe(0)
  expect(compareContents(new Map([['q', [1, 1, 9]]]), ought)).toBe(4)
  expect(compareContents(new Map(), ought)).toBe(3)
})

it('a message may come again under its id, but an item under one id alone', () => {
  const [a, again, b] = [
    { id: '1', item: 'a' },
    { id: '1', item: 'a' },
    { id: '2', item: 'b' },
  ]
  expect(compareMessages([a, again, b], 2)).toEqual({ missing: 0, renamed: 0 })
  expect(compareMessages([a, { id: '3', item: 'a' }], 2)).toEqual({ missing: 1, renamed: 1 })
})
