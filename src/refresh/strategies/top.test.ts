import fc from 'fast-check'
import { expect, it } from 'vitest'
import { topWithin } from './top.ts'

const ranked = fc.array(fc.record({ value: fc.integer({ min: 0, max: 5 }), tie: fc.integer({ min: 0, max: 3 }) }), {
  maxLength: 200,
})

it('takes those of highest value, ties by the second key and the id, as many as the budget pays for', () => {
  fc.assert(
    fc.property(ranked, fc.double({ min: 0.1, max: 100, noNaN: true }), (values, budget) => {
      const all = values.map(({ value, tie }, id) => ({ value, tie, source: sourceOf(id) }))
      const wanted = all
        .toSorted((a, b) => b.value - a.value || a.tie - b.tie || a.source.facts.id - b.source.facts.id)
        .slice(0, Math.ceil(budget))
      expect(topWithin(all, budget)).toEqual(wanted.map(({ source }) => source))
    }),
  )
})

function sourceOf(id: number) {
  return { memory: 0, facts: { id, weight: 1, cost: 1, windowSize: 20, addedAt: 0, lastRefreshAt: null } }
}
