import fc from 'fast-check'
import { expect, it } from 'vitest'
import { topByValue, topWithin } from './top.ts'

const ranked = fc.array(fc.record({ value: fc.integer({ min: 0, max: 5 }), tie: fc.integer({ min: 0, max: 3 }) }), {
  maxLength: 200,
})

it('takes those of highest value, ties by the second key and the id, as many as the budget pays for', () => {
  fc.assert(
    fc.property(ranked, fc.double({ min: 0.1, max: 100, noNaN: true }), (values, budget) => {
      const all = values.map(({ value, tie }, id) => ({ value, tie, source: sourceOf(id) }))
      const expected = all
        .toSorted((a, b) => b.value - a.value || a.tie - b.tie || a.source.facts.id - b.source.facts.id)
        .slice(0, Math.ceil(budget))
      expect(topWithin(all, budget)).toEqual(expected.map(({ source }) => source))
    }),
  )
})

it('takes the same by value alone, whatever requests cost', () => {
  const costs = fc.constantFrom([1], [1, 2])
  fc.assert(
    fc.property(ranked, costs, fc.double({ min: 0, max: 100, noNaN: true }), (values, cost, budget) => {
      const all = values.map(({ value }, id) => ({ value, tie: 0, source: sourceOf(id, cost[id % cost.length]) }))
      const expected = topWithin(
        all.filter(({ value }) => value > 0),
        budget,
      )
      const sources = all.map(({ source }) => source)
      expect(topByValue(sources, ({ facts }) => all[facts.id]!.value, budget)).toEqual(expected)
    }),
  )
})

function sourceOf(id: number, cost = 1) {
  return { memory: 0, facts: { id, weight: 1, cost, windowSize: 20, addedAt: 0, lastRefreshAt: null } }
}
