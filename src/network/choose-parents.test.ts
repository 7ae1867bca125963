import { describe, expect, it } from 'vitest'
import { type CandidateFeed, chooseParents, wordDistance } from './choose-parents.ts'

const own = { node: 'me', words: ['ice', 'snow', 'glacier'], roots: new Set(['mine']) }
const TERMS = { alpha: 4, radius: 0.9 }

function feed(url: string, words: string, roots: Readonly<Record<string, number>>, through: readonly string[] = []) {
  const list = Object.entries(roots).map(([id, hops]) => ({ id, hops }))
  return { url, node: `node of ${url}`, words: words.split(' '), roots: list, through } satisfies CandidateFeed
}
const urls = (candidates: readonly CandidateFeed[], terms = TERMS) =>
  chooseParents(own, candidates, terms).chosen.map(({ url }) => url)

describe('the parent of a tree', () => {
  it('makes hops + α·JDist least', () => {
    const alike = feed('alike', 'ice snow glacier', { s: 3 })
    const near = feed('near', 'ice rain wind', { s: 1 })
    expect(urls([near, alike])).toEqual(['alike'])
    expect(urls([near, alike], { alpha: 1, radius: 0.9 })).toEqual(['near'])
    expect(chooseParents(own, [alike], TERMS).chosen[0]).toMatchObject({ cost: 3, distance: 0, hops: 3, roots: ['s'] })
  })

  it('is within the radius', () => {
    expect(urls([feed('far', 'cars engines', { s: 1 })])).toEqual([])
    expect(urls([feed('empty', '', { s: 1 })])).toEqual([])
  })

  it('is not needed for a source that the node polls itself', () => {
    expect(urls([feed('a', 'ice snow', { mine: 1 })])).toEqual([])
  })

  it('closes no circle', () => {
    const circle = feed('circle', 'ice snow glacier', { s: 1 }, ['me'])
    expect(chooseParents(own, [circle, feed('b', 'ice', { s: 4 })], TERMS)).toMatchObject({
      chosen: [{ url: 'b' }],
      circles: ['circle'],
    })
  })

  it('is one for each source, the most useful feed first', () => {
    const many = feed('many', 'ice snow', { a: 1, b: 1, c: 2 })
    const one = feed('one', 'ice snow glacier', { c: 1, d: 1, x: 9 })
    expect(chooseParents(own, [many, one], TERMS).chosen.map(({ url, roots }) => [url, roots.length])).toEqual([
      ['one', 3],
      ['many', 2],
    ])
  })
})

it('a node that claims every word is near to nobody', () => {
  const everything = Array.from({ length: 200 }, (_, k) => `word${k}`)
  expect(wordDistance(own.words, [...own.words, ...everything])).toBeGreaterThan(0.98)
})
