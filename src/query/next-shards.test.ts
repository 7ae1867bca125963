import { describe, expect, it } from 'vitest'
import { nextShards } from './next-shards.ts'

const places = (of: Readonly<Record<number, number>>) =>
  new Map(Object.entries(of).map(([shard, cursor]) => [Number(shard), { cursor }]))
const own = new Map([
  [1, 10],
  [2, 20],
  [3, 30],
])
const group = (shards: readonly number[], cursor: number, upTo: number | null) => ({
  tokens: new Map([...own].filter(([shard]) => shards.includes(shard))),
  cursor,
  upTo,
})

describe('nextShards', () => {
  it.each([
    ['all go together from one place', { 1: 5, 2: 5, 3: 5 }, group([1, 2, 3], 5, null)],
    ['the one behind goes first, up to the next', { 1: 5, 2: 3, 3: 9 }, group([2], 3, 5)],
    ['those behind go together', { 1: 3, 2: 3, 3: 9 }, group([1, 2], 3, 9)],
    ['a shard of another, and one without feeds, are no concern', { 0: 1, 1: 4, 2: 4, 7: 2 }, group([1, 2], 4, null)],
    ['without feeds there is nothing to do', { 0: 1 }, null],
  ])('%s', (_, of, expected) => {
    expect(nextShards(own, places(of))).toEqual(expected)
  })
})
